package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// anybody is the token of an owner who is here.
func (r *room) anybody() string {
	for i, p := range r.seats {
		if p != nil && !p.gone && !r.silent[i] {
			return p.token
		}
	}
	return ""
}

func (r *room) gamePaths() []string {
	paths := make([]string, 0, len(r.games))
	for _, id := range r.games {
		paths = append(paths, "/v1/games/"+id)
	}
	return paths
}

// question is a GET.
type question struct{ token, path string }

// questions returns what is asked: everything that is stored, as everybody who may see it sees it, and as those who may
// not.
func (f *filler) questions() []question {
	var all []question
	ask := func(token string, paths ...string) {
		for _, path := range paths {
			all = append(all, question{token, path})
		}
	}
	stranger := f.people[0].token
	for _, r := range f.rooms {
		r.questions(ask, stranger)
	}
	for i, p := range f.people {
		p.questions(ask, f.people[(i+2)%len(f.people)].id)
	}
	ask("", "/v1/tables?status=waiting&limit=100", "/v1/tables?status=playing&limit=100", "/v1/tables?status=waiting&ranked=true",
		"/v1/tables?status=playing&move_time_limit_seconds=0&limit=5", "/v1/leaderboard?limit=100", "/v1/leaderboard?limit=2",
		"/v1/leaderboard?limit=3&around="+f.people[f.leader()].id, "/v1/house-rules", "/v1/house-rules?lang=ru", "/v1/rules?lang=de")
	for _, key := range []string{
		"alternate_first_move", "first_player", "move_time_limit_seconds", "end_dead_positions", "on_timeout", "cpu_cover", "cover_grace_seconds",
		"cover_level",
	} {
		ask(f.admins[1], "/v1/admin/house-rules/"+key, "/v1/admin/house-rules/"+key+"/history?limit=100")
	}
	ask(f.admins[0], "/v1/admin/audit?limit=100", "/v1/admin/audit?key=on_timeout", "/v1/admin/audit?actor=ola&limit=2", "/v1/admin/audit?actor=nobody")
	ask(stranger, "/v1/admin/audit")
	ask(f.admins[2], "/v1/admin/audit") // which is revoked
	return all
}

// leader is the place among the players of somebody on the leaderboard.
func (f *filler) leader() int {
	for i, p := range f.people {
		if !p.gone && at(f.send(http.MethodGet, "", "/v1/profiles/"+p.id, nil), "rank") != nil {
			return i
		}
	}
	f.fail("nobody is on the leaderboard")
	return 0
}

func (r *room) questions(ask func(token string, paths ...string), stranger string) {
	ask("", r.paths()...)
	ask(stranger, r.paths()...)
	for i, p := range r.seats {
		if p != nil && !p.gone && !r.silent[i] && p.token != stranger {
			ask(p.token, r.paths()...)
		}
	}
	token := ""
	if r.code != "" {
		token = r.anybody()
	}
	games := r.gamePaths()
	for _, path := range games {
		ask(token, path+"/moves")
	}
	if len(games) > 0 {
		ask(token, games[0]+"/moves?after_ply=3")
	}
	if r.scores {
		ask(token, games[0]+"/board.svg", games[0]+"/board.svg?ply=5&palette=pink&lang=pl")
	}
	if r.analysed {
		ask(r.anybody(), games[0]+"/analysis")
	}
}

// paths are of what looks different to different people.
func (r *room) paths() []string {
	paths := append([]string{"/v1/tables/" + r.id}, r.gamePaths()...)
	if r.code != "" {
		paths = append(paths, "/v1/invites/"+r.code)
	}
	return paths
}

func (p *player) questions(ask func(token string, paths ...string), other string) {
	profile := "/v1/profiles/" + p.id
	ask("", profile, profile+"/games?limit=100", profile+"/ratings?limit=100", profile+"/record?against="+other)
	ask(p.token, "/v1/me")
	if p.gone {
		return
	}
	ask(p.token, "/v1/me/tables", "/v1/me/tables?turn=mine", "/v1/me/devices", "/v1/me/export", profile+"/games?limit=100", profile+"/games?limit=2&ranked=true")
}

// answers asks everything once.
func (f *filler) answers(questions []question) []kept.Answer {
	all := make([]kept.Answer, 0, len(questions))
	for _, q := range questions {
		f.touch()
		status, body, err := f.exchange(http.MethodGet, q.token, q.path, nil)
		if err != nil || status >= http.StatusInternalServerError {
			f.fail("%s: %d %s %w", q.path, status, body, err)
		}
		if f.err != nil {
			return nil
		}
		if !json.Valid(body) {
			body = []byte(strconv.Quote(string(body)))
			if !json.Valid(body) {
				f.fail("%s can't be kept", q.path)
			}
		}
		all = append(all, kept.Answer{Token: q.token, Path: q.path, Status: status, Body: body})
	}
	return all
}

// record asks everything twice, since what isn't the same at once can't be expected of a later program.
func (f *filler) record() []kept.Answer {
	questions := f.questions()
	f.answers(questions) // who is seen for the first time is seen now
	once, twice := f.answers(questions), f.answers(questions)
	for i := range once {
		before, err := kept.Timeless(once[i].Body)
		after, err2 := kept.Timeless(twice[i].Body)
		if err = errors.Join(err, err2); err != nil {
			f.fail("%s: %w", once[i].Path, err)
		}
		if difference := cmp.Diff(before, after); difference != "" || once[i].Status != twice[i].Status {
			f.err = errors.Join(f.err, fmt.Errorf("%s doesn't stand still: %s", once[i].Path, difference))
		}
	}
	return twice
}

// scenes returns what can go on.
func (f *filler) scenes() []kept.Scene {
	var all []kept.Scene
	for _, r := range f.rooms {
		if r.kind == "" {
			continue
		}
		s := kept.Scene{Kind: r.kind, Table: r.id}
		if len(r.games) > 0 {
			s.Game = r.game()
			r.check()
		}
		for i, p := range r.seats {
			if p != nil && !p.gone {
				s.Seats[i] = p.token
			}
		}
		all = append(all, s)
	}
	return all
}

// check makes sure that a scene is what it shall be.
func (r *room) check() {
	g := r.look()
	runs := text(g, "status") == "in_progress"
	covered := func(side string) bool { return text(g, side, "kind") != "cpu" && text(g, side, "controller") == "cpu" }
	asleep := at(g, "asleep") == true
	is := map[kept.Kind]bool{
		kept.Running: runs && !asleep && !covered("red") && !covered("yellow"), kept.Covered: runs && (covered("red") || covered("yellow")),
		kept.Asleep: runs && asleep, kept.Agreed: !runs,
	}
	if !is[r.kind] {
		r.fail("game %s isn't %s: %v", r.game(), r.kind, g)
	}
}

// summary says in a line what was kept.
func summary(r kept.Record) string {
	return fmt.Sprintf("%d answers, %d scenes at %s", len(r.Answers), len(r.Scenes), r.Moment.Format(time.RFC3339))
}
