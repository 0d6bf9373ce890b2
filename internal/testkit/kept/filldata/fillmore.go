package main

import (
	"net/http"
	"strings"

	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// ends plays unranked games to every end.
func (f *filler) ends() {
	one, two := f.named("End 1"), f.named("End 2")
	for columns, request := range map[string]doc{
		redWins: public(), yellowWins: public(), deadDraw: public(), fullDraw: settings(doc{"end_dead_positions": false}),
	} {
		r := one.match(two, request).play(columns)
		r.scores = true
	}
	one.match(two, doc{"visibility": "private"}).play(redWins).scores = true
	one.match(two, public()).play(opening).resigns(2)
	one.match(two, settings(doc{"cpu_cover": false})).play(opening).leaves(2) // is a resignation
}

// closed closes tables, for every reason that doesn't take a day. A player's own end comes with erased.
func (f *filler) closed() {
	one, two := f.named("Close 1"), f.named("Close 2")
	one.opens(public()).leaves(1)
	one.match(two, public()).play(redWins).leaves(1)
	one.match(two, public()).play(redWins).leaves(2)
	one.match(two, doc{"visibility": "private"}).play(redWins).leaves(2)
	one.match(two, public()).play("121212").leaves(2).play("1") // its leaver hasn't come back
	one.match(two, public()).play("12121").leaves(1).resigns(2) // nor has this one
	one.send(http.MethodPost, "/v1/quick-match", doc{"move_time_limit_seconds": 30})
	one.send(http.MethodDelete, "/v1/quick-match", nil)
}

// waiting leaves tables with a free seat.
func (f *filler) waiting() {
	host, away := f.named("Wait 1"), f.named("Wait 2")
	host.opens(public()).as(kept.Waiting)
	host.opens(doc{}).as(kept.Waiting) // private
	host.opens(ranked(doc{"first_player": "random"})).as(kept.Waiting)
	changed := host.opens(settings(doc{"move_time_limit_seconds": 60})).as(kept.Waiting)
	path := "/v1/tables/" + changed.id
	host.send(http.MethodPatch, path, doc{"settings_version": 1, "settings": doc{"on_timeout": "loss"}})
	host.send(http.MethodPatch, path, doc{"settings_version": 2, "ranked": true, "settings": doc{"cpu_cover": false}})
	away.opens(public()).says(1, "away")
	away.opens(doc{"client_ref": "6f1d9f0a-3c55-4f0e-9d0e-0a1b2c3d4e5f"})
	away.send(http.MethodPost, "/v1/tables", doc{"client_ref": "6f1d9f0a-3c55-4f0e-9d0e-0a1b2c3d4e5f"}) // the same one
	for _, request := range []doc{
		{}, {"move_time_limit_seconds": 60}, {"ranked": true}, {"ranked": true, "move_time_limit_seconds": 30},
	} {
		p := f.named("Searching")
		f.entered(p.send(http.MethodPost, "/v1/quick-match", request), p).as(kept.Quick)
	}
	one, two := f.named("Met 1"), f.named("Met 2")
	request := doc{"move_time_limit_seconds": 30}
	met := f.entered(one.send(http.MethodPost, "/v1/quick-match", request), one)
	met.seats[1] = two
	met.plays(two.send(http.MethodPost, "/v1/quick-match", request))
	met.play(redWins)
}

// rematches leaves tables between two games.
func (f *filler) rematches() {
	one, two := f.named("Again 1"), f.named("Again 2")
	one.match(two, public()).as(kept.Agreed).play(redWins).agrees(1)
	one.match(two, doc{"visibility": "private"}).as(kept.Agreed).play(redWins).again().play(redWins).agrees(2)
	takenBack := one.match(two, public()).as(kept.Agreed).play(redWins).agrees(2)
	two.send(http.MethodDelete, "/v1/tables/"+takenBack.id+"/rematch?game_id="+takenBack.game(), nil)
	takenBack.agrees(1)
	changed := one.match(two, settings(doc{"first_player": "random"})).as(kept.Running).play(redWins)
	one.send(http.MethodPatch, "/v1/tables/"+changed.id, doc{"settings_version": 1, "settings": doc{"end_dead_positions": false}})
	changed.again().play(opening)
}

// devices gives a player more of them, and takes some away.
func (f *filler) devices() {
	p := f.guest(doc{"display_name": "Two devices", "device_name": "First", "locale": "de"})
	second := *p
	come := func(name string) doc {
		code := text(p.send(http.MethodPost, "/v1/me/device-codes", nil), "code")
		return f.send(http.MethodPost, "", "/v1/device-tokens", doc{"code": code, "device_name": name})
	}
	second.token = text(come("Second"), "token")
	f.people = append(f.people, &second)
	taken := text(come("Taken away"), "token")
	listed, _ := f.send(http.MethodGet, taken, "/v1/me/devices", nil)["items"].([]any)
	for _, item := range listed {
		if device, is := item.(doc); is && device["current"] == true {
			p.send(http.MethodDelete, "/v1/me/devices/"+text(device, "id"), nil)
		}
	}
	f.people = append(f.people, &player{filler: f, id: p.id, token: taken, gone: true})
	p.send(http.MethodPost, "/v1/me/device-codes", nil) // stays open
	second.opens(public()).as(kept.Waiting)
}

// erased lets players leave for good, in every situation.
func (f *filler) erased() {
	stays := f.named("Stays")
	one, two := f.guest(doc{"display_name": "Erased 1", "locale": "ru"}), f.named("Erased 2")
	stays.match(one, ranked(doc{})).play(redWins)
	stays.match(two, ranked(doc{})).play(yellowWins).leaves(2)
	stays.match(one, public()).as(kept.Covered).play(opening)
	one.match(stays, public()).as(kept.Covered).play("44")
	two.match(stays, settings(doc{"cpu_cover": false})).play(opening)
	one.match(two, public()).play(opening)
	one.match(two, public()).play(fullDraw[:20]).resigns(1)
	one.opens(public())
	two.opens(doc{"visibility": "private"})
	one.opens(against("medium")).play("4").turn()
	two.opens(against("easy")).playOut(42)
	one.erase()
	two.erase()
	for _, r := range f.rooms {
		if r.kind == kept.Covered && (r.seats[0] == one || r.seats[1] == one) {
			r.turn()
		}
	}
}

// edits lets admins edit the house rules, and take back what they did.
func (f *filler) edits() {
	edit := func(key, version string, request doc) {
		f.send(http.MethodPut, f.admins[0], "/v1/admin/house-rules/"+key, request, "If-Match", `"`+version+`"`)
	}
	rollback := func(key, version string, to int) {
		f.send(http.MethodPost, f.admins[1], "/v1/admin/house-rules/"+key+"/rollback", doc{"version": to, "reason": "It was better before."},
			"If-Match", `"`+version+`"`)
	}
	options := func(all string) []string { return strings.Split(all, ",") }
	edit("move_time_limit_seconds", "1", doc{"default": "30", "options": options("0,30,60"), "changeable": true, "reason": "Players asked for it."})
	edit("move_time_limit_seconds", "2", doc{"default": "60", "options": options("0,30,60"), "changeable": false, "reason": "Слишком быстро."})
	rollback("move_time_limit_seconds", "3", 1)
	edit("cover_grace_seconds", "1", doc{"default": "120", "options": options("20,30,60,120"), "changeable": true, "reason": "Trains have tunnels."})
	edit("first_player", "1", doc{"default": "seat_order", "options": options("seat_order"), "changeable": true, "reason": "No dice."})
	edit("cover_level", "1", doc{"default": "hard", "options": options("medium,hard"), "changeable": true, "reason": "Too easy."})
	edit("on_timeout", "1", doc{"default": "loss", "options": options("cpu_move,loss"), "changeable": false, "reason": "Time is time."})
	rollback("on_timeout", "2", 1)
}

// afterEdits opens tables under the edited rules.
func (f *filler) afterEdits() {
	one, two := f.named("After 1"), f.named("After 2")
	f.until("the edits hold", func() bool {
		r := one.opens(public())
		d := one.send(http.MethodGet, "/v1/tables/"+r.id, nil)
		r.leaves(1)
		return number(d, "settings", "cover_grace_seconds") == 120
	})
	one.match(two, public()).as(kept.Running).play(opening)
	one.match(two, settings(doc{"cover_level": "medium", "cover_grace_seconds": 20})).as(kept.Running)
	one.opens(public()).as(kept.Waiting)
}
