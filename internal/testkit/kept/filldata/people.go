package main

import (
	"net/http"
	"strings"

	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// player is somebody with a token.
type player struct {
	*filler

	id, token string
	gone      bool // for good
}

// guest opens a profile.
func (f *filler) guest(request doc) *player {
	d := f.send(http.MethodPost, "", "/v1/profiles", request)
	p := &player{filler: f, id: text(d, "profile", "id"), token: text(d, "token")}
	f.people = append(f.people, p)
	return p
}

// named opens a profile with a name.
func (f *filler) named(name string) *player { return f.guest(doc{"display_name": name}) }

func (p *player) send(method, path string, body doc) doc {
	return p.filler.send(method, p.token, path, body)
}

// erase lets the player leave for good.
func (p *player) erase() {
	p.send(http.MethodDelete, "/v1/me", nil)
	p.gone = true
	for _, r := range p.rooms {
		for i, owner := range r.seats {
			if owner == p {
				r.stay[i] = false
			}
		}
	}
}

// room is a table, and what the filler knows of it.
type room struct {
	*filler

	id, code string
	seats    [2]*player
	stay     [2]bool // whose owner is seen until the end
	silent   [2]bool // whose owner isn't seen any more, not even when the answers are recorded
	games    []string
	kind     kept.Kind
	scores   bool // its first game is looked at closely, …
	analysed bool // … and was analysed to the end
}

// settings is a request for a public table with these settings.
func settings(of doc) doc { return doc{"visibility": "public", "settings": of} }

// public is a request for a public table.
func public() doc { return doc{"visibility": "public"} }

// ranked is a request for one whose games count.
func ranked(of doc) doc { return doc{"visibility": "public", "ranked": true, "settings": of} }

// against is a request for a table with the CPU.
func against(level string) doc {
	return doc{"opponent": "cpu", "cpu_level": level, "visibility": "public"}
}

// opens opens a table.
func (p *player) opens(request doc) *room {
	return p.entered(p.send(http.MethodPost, "/v1/tables", request), p)
}

// entered notes a table.
func (f *filler) entered(d doc, host *player) *room {
	r := &room{filler: f, id: text(d, "id"), code: text(d, "invite_code"), seats: [2]*player{host, nil}}
	f.rooms = append(f.rooms, r)
	r.plays(d)
	return r
}

// plays notes the game of a table.
func (r *room) plays(table doc) {
	if id := text(table, "current_game_id"); id != "" {
		r.games = append(r.games, id)
	}
}

// joined lets somebody take the free seat.
func (r *room) joined(p *player) *room {
	body := doc{}
	if r.code != "" {
		body["invite_code"] = r.code
	}
	r.seats[1] = p
	r.plays(p.send(http.MethodPost, "/v1/tables/"+r.id+"/seats", body))
	return r
}

// match opens a table and lets another take its free seat.
func (p *player) match(other *player, request doc) *room { return p.opens(request).joined(other) }

// as marks the table as a scene whose owners stay.
func (r *room) as(kind kept.Kind) *room {
	r.kind, r.stay = kind, [2]bool{true, true}
	return r
}

// game is the id of the running game, or of the last one.
func (r *room) game() string {
	if len(r.games) == 0 {
		r.fail("there is no game at table %s", r.id)
		return ""
	}
	return r.games[len(r.games)-1]
}

// look reads the game: as a stranger where everybody may, so that nobody is seen.
func (r *room) look() doc {
	token := ""
	if r.code != "" {
		token = r.seats[0].token
	}
	return r.send(http.MethodGet, token, "/v1/games/"+r.game(), nil)
}

// turn waits for the turn of a person and returns the game then and that person; nobody when it is over.
func (r *room) turn() (doc, *player) {
	var g doc
	r.until("a person's turn in game "+r.game(), func() bool {
		g = r.look()
		side := text(g, "turn")
		return side == "" || text(g, side, "controller") == "player" && text(g, side, "kind") == "human"
	})
	seat := number(g, text(g, "turn"), "seat")
	if seat == 0 {
		return g, nil
	}
	return g, r.seats[seat-1]
}

// play plays columns, each by whose turn it is.
func (r *room) play(columns string) *room {
	for column := range strings.SplitSeq(columns, "") {
		g, mover := r.turn()
		if mover == nil {
			r.fail("game %s is over before column %s of %s", r.game(), column, columns)
			return r
		}
		mover.move(r.game(), int(column[0]-'0'), number(g, "ply")+1)
	}
	return r
}

func (p *player) move(game string, column, ply int) {
	p.send(http.MethodPost, "/v1/games/"+game+"/moves", doc{"column": column, "ply": ply})
}

// playOut plays a game to its end, or to a ply, without much thought.
func (r *room) playOut(last int) *room {
	for r.err == nil {
		g, mover := r.turn()
		if mover == nil || number(g, "ply") >= last {
			break
		}
		legal, _ := at(g, "legal_columns").([]any)
		if len(legal) == 0 {
			r.fail("nothing is legal in game %s", r.game())
			break
		}
		column, _ := legal[number(g, "ply")/2%len(legal)].(float64)
		mover.move(r.game(), int(column), number(g, "ply")+1)
	}
	return r
}

// resigns lets the owner of a seat resign.
func (r *room) resigns(seat int) *room {
	r.seats[seat-1].send(http.MethodPost, "/v1/games/"+r.game()+"/resignation", nil)
	return r
}

// says lets the owner of a seat say here or away.
func (r *room) says(seat int, presence string) *room {
	r.stay[seat-1] = presence == "here" && r.stay[seat-1]
	r.seats[seat-1].send(http.MethodPut, "/v1/tables/"+r.id+"/presence", doc{"state": presence})
	return r
}

// leaves lets the owner of a seat leave.
func (r *room) leaves(seat int) *room {
	r.stay[seat-1] = false
	r.seats[seat-1].send(http.MethodDelete, "/v1/tables/"+r.id+"/seats/me", nil)
	return r
}

// agrees lets the owner of a seat agree to another game.
func (r *room) agrees(seat int) *room {
	last := r.game()
	d := r.seats[seat-1].send(http.MethodPut, "/v1/tables/"+r.id+"/rematch", doc{"game_id": last})
	if text(d, "current_game_id") != last {
		r.plays(d)
	}
	return r
}

// again lets both agree.
func (r *room) again() *room {
	before := len(r.games)
	if r.agrees(1); r.seats[1] != nil {
		r.agrees(2)
	}
	if len(r.games) != before+1 {
		r.fail("there is no next game at table %s", r.id)
	}
	return r
}
