package main

import (
	"net/http"

	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// Ends of games, for whoever is red.
const (
	redWins    = "1212121"
	yellowWins = "21213171"
	deadDraw   = "7764264462462224664277153153311355"              // every line is dead with the last disc
	fullDraw   = "56116112242752466712157647275733653354443" + "3" // 42 discs, dead one before
	opening    = "445"
	calm       = "1717" // red doesn't win while yellow goes on in column 1
)

// fillFirst plays what is there already when the service is down for a while.
func (f *filler) fillFirst() {
	f.league()
	f.running()
}

// fill plays every other situation that can be reached without waiting for more than a minute or two.
func (f *filler) fill() {
	clocks := f.clocks()
	silence := f.silence()
	f.reasons()
	f.cpus()
	f.covered()
	f.asleep()
	f.ends()
	f.closed()
	f.waiting()
	f.rematches()
	f.devices()
	f.erased()
	f.edits()
	f.afterEdits()
	clocks()
	silence()
}

// clocks starts games whose clocks run out; the returned function waits for that.
func (f *filler) clocks() (wait func()) {
	red, yellow := f.named("Clock 1"), f.named("Clock 2")
	var lost []*room
	for _, request := range []doc{
		settings(doc{"move_time_limit_seconds": 30, "on_timeout": "loss"}),
		ranked(doc{"move_time_limit_seconds": 30, "on_timeout": "loss", "first_player": "random"}),
	} {
		lost = append(lost, red.match(yellow, request))
	}
	rated := f.named("Clock 3").match(f.named("Clock 4"), ranked(doc{"move_time_limit_seconds": 30, "on_timeout": "loss"})).play(opening)
	lost = append(lost, rated)
	helped := red.match(yellow, settings(doc{"move_time_limit_seconds": 30})).as(kept.Running)
	slept := red.match(f.named("Clock 5"), settings(doc{"move_time_limit_seconds": 30})).as(kept.Asleep)
	slept.stay = [2]bool{}
	slept.says(1, "away").says(2, "away")
	alone := f.named("Clock 6").opens(doc{"opponent": "cpu", "cpu_level": "easy", "visibility": "public", "settings": doc{"move_time_limit_seconds": 30}})
	alone.stay[0] = true
	return func() {
		for _, r := range lost {
			f.until("a clock decides", func() bool { return text(r.look(), "status") == "finished" })
		}
		f.until("the CPU moves for one whose time is up", func() bool { return number(helped.look(), "ply") > 0 })
		f.until("a game falls asleep after its clock", func() bool { return at(slept.look(), "asleep") == true })
		f.until("the CPU moves twice", func() bool { return number(alone.look(), "ply") > 1 })
		alone.resigns(1)
	}
}

// silence starts games that are left without a word; the returned function waits until that is noticed.
func (f *filler) silence() (wait func()) {
	both := f.named("Still 1").match(f.named("Still 2"), public()).play(opening)
	both.kind, both.silent = kept.Asleep, [2]bool{true, true}
	one := f.named("Still 3").match(f.named("Still 4"), public()).as(kept.Covered).play(opening)
	one.silent[0], one.stay[0] = true, false
	alone := f.named("Still 5").opens(against("easy")).play("4")
	alone.kind, alone.silent[0] = kept.Asleep, true
	return func() {
		f.until("silence covers a side", func() bool { return text(one.look(), "red", "controller") == "cpu" })
		for _, r := range []*room{both, alone} {
			f.until("silence lets a game sleep", func() bool { return at(r.look(), "asleep") == true })
		}
	}
}

// league lets six players play enough rated games for the leaderboard, and two of them more than count in a day.
func (f *filler) league() {
	var players []*player
	for _, request := range []doc{
		{"display_name": "Ola", "locale": "en"},
		{"display_name": "Иван", "locale": "ru", "device_name": "Телефон"},
		{"locale": "de"},
		{"display_name": "Łucja", "locale": "pl"},
		{"display_name": "四目並べ 🔴🟡"},
		{},
	} {
		players = append(players, f.guest(request))
	}
	for i, stronger := range players {
		for j, weaker := range players[i+1:] {
			r := stronger.match(weaker, ranked(doc{"alternate_first_move": false})).play(redWins).again()
			switch (i + j) % 4 {
			case 0, 1:
				r.play(redWins)
			case 2:
				r.play(yellowWins)
			default:
				r.play(deadDraw)
			}
		}
	}
	series := players[0].match(players[5], ranked(doc{})).play(redWins)
	for range 8 { // with the two before they are one more than ten
		series.again().play(redWins)
	}
	series.scores = true
	f.until("the last game of a pair isn't rated", func() bool { return text(series.look(), "rating", "reason") == "pair_limit" })
}

// reasons plays ranked games that are not rated.
func (f *filler) reasons() {
	one, two := f.named("Reason 1"), f.named("Reason 2")
	never := one.match(two, ranked(doc{})).play("1").resigns(2)
	short := one.match(two, ranked(doc{})).play("12").resigns(1)
	draw := one.match(two, ranked(doc{})).play(deadDraw)
	helped := one.match(two, ranked(doc{})).play("4")
	helped.stay[1] = true
	helped.says(1, "away").playOut(8)
	if text(helped.look(), "status") != "finished" {
		helped.resigns(2)
	}
	for reason, r := range map[string]*room{"never_came": never, "too_short": short, "rated": draw, "covered": helped} {
		if got := text(r.look(), "rating", "reason"); got != reason {
			f.fail("a game is rated %q, wanted %q", got, reason)
		}
	}
}

// running starts games between people that go on.
func (f *filler) running() {
	one, two := f.named("Here 1"), f.named("Here 2")
	one.match(two, public()).as(kept.Running)
	one.match(two, settings(doc{"end_dead_positions": false})).as(kept.Running).play(fullDraw[:38])
	one.match(two, doc{"visibility": "private"}).as(kept.Running).play(opening)
	one.match(two, settings(doc{"cpu_cover": false, "first_player": "random"})).as(kept.Running).play(opening)
	hinted := one.match(two, settings(doc{"alternate_first_move": false})).as(kept.Running).play(opening)
	two.send(http.MethodPost, "/v1/games/"+hinted.game()+"/hint", nil)
	one.match(two, public()).as(kept.Running).play("121212") // red wins with the next disc
	f.named("Here 3").match(f.named("Here 4"), ranked(doc{})).as(kept.Running).play(opening)
	f.send(http.MethodPatch, two.token, "/v1/me", doc{"display_name": "Here 2, renamed", "locale": "pl"})
}

// cpus plays against every level: a game that goes on, one that is over, and one that the player has won by a hint a ply.
func (f *filler) cpus() {
	p := f.named("Against the CPU")
	for _, level := range []string{"easy", "medium", "hard", "perfect"} {
		p.opens(against(level)).as(kept.Running).play("44")
		over := p.opens(against(level)).playOut(42)
		over.scores = true
		over.leaves(1)
	}
	p.opens(doc{"opponent": "cpu", "cpu_level": "medium", "visibility": "private"}).as(kept.Running).play("4")
	series := p.opens(against("easy")).play("4").resigns(1).again().as(kept.Running)
	for range 2 {
		series.turn() // the CPU began this one
		p.send(http.MethodPost, "/v1/games/"+series.game()+"/hint", nil)
		series.play("4")
	}
	series.turn()
}

// covered lets the CPU play for those who are away.
func (f *filler) covered() {
	one, two := f.named("Cover 1"), f.named("Cover 2")
	one.match(two, public()).as(kept.Covered).play(calm).says(1, "away").turn()
	one.match(two, public()).as(kept.Covered).play(calm).leaves(1).turn()
	back := one.match(two, public()).as(kept.Running).play(opening).says(2, "away")
	back.turn()
	back.says(2, "here").as(kept.Running).play("1")
}

// asleep leaves games in which nobody is there.
func (f *filler) asleep() {
	one, two := f.named("Sleep 1"), f.named("Sleep 2")
	for _, request := range []doc{public(), {"visibility": "private"}} {
		r := one.match(two, request).play(opening).says(1, "away").says(2, "away")
		r.kind = kept.Asleep
	}
	alone := one.opens(against("hard")).play("4")
	alone.turn()
	alone.says(1, "away").kind = kept.Asleep
	alone.stay[0] = false
}
