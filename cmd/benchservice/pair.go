package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/fourinarow/fourinarow/internal/board"
)

// A guest is a player with a connection of its own.
type guest struct {
	*client
	token string
}

func newGuest(address string) (guest, error) {
	c, err := dial(address)
	if err != nil {
		return guest{}, err
	}
	var opened struct {
		Token string `json:"token"`
	}
	err = decode(c, 201, c.newRequest("POST", "/v1/profiles", "", "", "{}"), &opened)
	return guest{client: c, token: opened.Token}, err
}

func decode(c *client, status int, request []byte, into any) error {
	a, err := c.expect(status, request)
	if err != nil {
		return err
	}
	return json.Unmarshal(a.body, into)
}

// seatTable is what is read of a table.
type seatTable struct {
	ID   string `json:"id"`
	Game string `json:"current_game_id"`
}

// A pair is two guests at one table, who play one game after the other. Red is always the host.
type pair struct {
	guests [2]guest
	table  string
	game   string
	moves  string // of the game they play
	ply    int    // discs on the board
	next   func() string
}

// table: nobody's absence starts work of the service's own, and games end by a full board.
const openTable = `{"visibility":"public","settings":{"first_player":"seat_order","alternate_first_move":false,` +
	`"end_dead_positions":false,"cpu_cover":false}}`

func newPair(address string, next func() string) (*pair, error) {
	p := &pair{guests: [2]guest{}, table: "", game: "", moves: next(), ply: 0, next: next}
	for i := range p.guests {
		var err error
		if p.guests[i], err = newGuest(address); err != nil {
			return nil, err
		}
	}
	var t seatTable
	host, other := p.guests[0], p.guests[1]
	if err := decode(host.client, 201, host.newRequest("POST", "/v1/tables", host.token, "", openTable), &t); err != nil {
		return nil, err
	}
	err := decode(other.client, 200, other.newRequest("POST", "/v1/tables/"+t.ID+"/seats", other.token, "", "{}"), &t)
	p.table, p.game = t.ID, t.Game
	return p, err
}

// step plays a move, which counts, or begins the next game, which doesn't.
func (p *pair) step() (bool, error) {
	if p.ply == len(p.moves) {
		return false, p.rematch()
	}
	mover := p.guests[p.ply%2]
	column := p.moves[p.ply]
	p.ply++
	body := make([]byte, 0, 32)
	body = append(append(append(body, `{"column":`...), column), `,"ply":`...)
	body = append(strconv.AppendInt(body, int64(p.ply), 10), '}')
	_, err := mover.expect(200, mover.newRequest("POST", "/v1/games/"+p.game+"/moves", mover.token, "", string(body)))
	return true, err
}

func (p *pair) rematch() error {
	var t seatTable
	for _, g := range p.guests {
		request := g.newRequest("PUT", "/v1/tables/"+p.table+"/rematch", g.token, "", `{"game_id":"`+p.game+`"}`)
		if err := decode(g.client, 200, request, &t); err != nil {
			return err
		}
	}
	if t.Game == p.game {
		return fmt.Errorf("%w: no game after both agreed to a rematch", errUnexpected)
	}
	p.game, p.moves, p.ply = t.Game, p.next(), 0
	return nil
}

// end leaves nothing behind that the service would look after: no running game, no open table.
func (p *pair) end() error {
	var err error
	host := p.guests[0]
	if p.ply < len(p.moves) {
		_, err = host.expect(200, host.newRequest("POST", "/v1/games/"+p.game+"/resignation", host.token, "", ""))
	}
	for _, g := range p.guests {
		_, left := g.expect(204, g.newRequest("DELETE", "/v1/tables/"+p.table+"/seats/me", g.token, "", ""))
		err = errors.Join(err, left, g.conn.Close())
	}
	return err
}

// longGames returns what draws at random, always in the same order, from games that fill the board without a line.
func longGames(seed uint64) func() string {
	luck := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // the same games each time
	return func() string {
		for {
			if moves, full := drawnGame(luck); full {
				return moves
			}
		}
	}
}

// drawnGame plays columns at random that don't win, and gives up when there is none.
func drawnGame(luck *rand.Rand) (moves string, full bool) {
	var p board.Position
	for !p.Full() {
		columns := p.LegalColumns()
		luck.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		played := false
		for _, column := range columns {
			after, err := p.Play(column)
			if err != nil || after.Winner() != board.NoSide {
				continue
			}
			p, played = after, true
			moves += strconv.Itoa(int(column))
			break
		}
		if !played {
			return "", false
		}
	}
	return moves, true
}
