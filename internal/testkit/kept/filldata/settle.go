package main

import (
	"bytes"
	"net/http"
	"time"

	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// settle waits until nothing changes any more by itself, and leaves some clocks running.
func (f *filler) settle() {
	last := time.Now()
	for _, r := range f.rooms {
		if r.kind == kept.Running || r.kind == kept.Covered {
			r.turn()
		}
	}
	f.until("the leaderboard is made of all games", func() bool {
		d := f.send(http.MethodGet, "", "/v1/leaderboard", nil)
		made, err := time.Parse(time.RFC3339, text(d, "as_of"))
		items, _ := d["items"].([]any)
		return err == nil && made.After(last) && len(items) >= 6
	})
	f.analyse()
	f.until("the erased are erased everywhere", func() bool { return !f.anywhere("Erased") })
	for _, r := range f.rooms {
		r.clocked()
	}
	f.named("In a hurry").match(f.named("In a hurry too"), settings(doc{"move_time_limit_seconds": 60})).as(kept.Running).play("4")
}

// anywhere tells whether a word stands at a table or in a game.
func (f *filler) anywhere(word string) bool {
	for _, r := range f.rooms {
		token := ""
		if r.code != "" {
			token = r.anybody()
		}
		for _, path := range append([]string{"/v1/tables/" + r.id}, r.gamePaths()...) {
			_, answer, err := f.exchange(http.MethodGet, token, path, nil)
			if err != nil {
				f.fail("%s: %w", path, err)
			}
			if bytes.Contains(answer, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// analyseTries is how often an analysis is asked for that isn't exact yet: it goes on where it was.
const analyseTries = 15

// analyse lets games be analysed. What can't be done in the time isn't asked for later, since more of it is known each time.
func (f *filler) analyse() {
	exact := 0
	for _, r := range f.rooms {
		for try := 0; r.scores && try < analyseTries; try++ {
			if at(f.send(http.MethodGet, r.anybody(), r.gamePaths()[0]+"/analysis", nil), "exact") == true {
				r.analysed = true
				exact++
				break
			}
		}
	}
	if exact < 3 {
		f.fail("only %d games could be analysed", exact)
	}
}

// clocked plays a ply of a running game with a clock, so that the next turn's clock runs when the database is kept.
func (r *room) clocked() {
	if r.kind != kept.Running {
		return
	}
	if g, mover := r.turn(); mover != nil && number(g, "settings", "move_time_limit_seconds") > 0 {
		r.playOut(number(g, "ply") + 1)
	}
}
