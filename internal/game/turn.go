package game

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

const (
	// firstTurnExtra is what the clock of ply 1 has on top, for people who are still arriving.
	firstTurnExtra = 10 * time.Second
	// longStop ends a turn at a table without a clock: "no limit" is not for ever.
	longStop = 24 * time.Hour
	// rankedStop is the same at a ranked table.
	rankedStop = 5 * time.Minute
	// SleepLimit is how long a game may sleep in one stretch before the CPU finishes it.
	SleepLimit = 24 * time.Hour
	// Leeway is how long after a deadline a worker applies it, so that a move that arrived in time is never beaten.
	Leeway = 250 * time.Millisecond
)

// Asleep reports whether the game runs but nobody moves because nobody is there.
func (g Game) Asleep() bool { return !g.AsleepSince.IsZero() }

// HasClock reports whether the settings limit the time of a move.
func (g Game) HasClock() bool { return g.Settings.MoveTimeLimit > 0 }

// startTurn begins the turn of the side to move: its clock, or its sleep when nobody is there.
func (g Game) startTurn(at time.Time) Game {
	g.TurnStarted, g.TimedOut, g.Deadline, g.AsleepSince = at, false, time.Time{}, time.Time{}
	if g.Deserted() && g.maySleep() {
		g.AsleepSince = at
		return g
	}
	g.Deadline = g.turnEnds()
	return g
}

// turnEnds returns when the running turn ends by the rules, before outages are given back; zero when nothing ends it.
func (g Game) turnEnds() time.Time {
	if g.Asleep() || g.Player(g.Turn()).Kind != Human {
		return time.Time{}
	}
	return g.TurnStarted.Add(g.allowance())
}

// allowance is how long the running turn of a human may take.
func (g Game) allowance() time.Duration {
	switch {
	case g.HasClock() && g.Ply() == 0:
		return g.Settings.MoveTimeLimit + firstTurnExtra
	case g.HasClock():
		return g.Settings.MoveTimeLimit
	case g.Ranked:
		return rankedStop
	default:
		return longStop
	}
}

// maySleep reports whether the settings let a game sleep at all: with a clock that loses games, and between two
// people without cover and clock, the deadline decides instead.
func (g Game) maySleep() bool {
	switch {
	case g.HasClock():
		return g.Settings.OnTimeout == houserule.CPUMove
	case g.VersusCPU():
		return true
	default:
		return g.Settings.CPUCover
	}
}

// sleepsAtOnce reports whether a deserted game sleeps in the middle of a turn. One with a clock lets the turn end.
func (g Game) sleepsAtOnce() bool { return g.maySleep() && !g.HasClock() }

// SetPresence says that the owner of a side is there or not. It returns the game after it and true when that changed
// anything: cover begins or ends, the game falls asleep or wakes up.
func (g Game) SetPresence(side board.Side, now Presence, at time.Time) (Game, bool) {
	after, changed := g.withPresence(side, now, at)
	if after.Player(side).away() != g.Player(side).away() { // from silent to gone nobody sees a change, but it sticks
		after.Version++
	}
	return after, changed
}

// withPresence is the step of SetPresence.
func (g Game) withPresence(side board.Side, now Presence, at time.Time) (Game, bool) {
	p := g.Player(side)
	if g.Over() || p.Kind != Human || p.Presence == now {
		return g, false
	}
	p.Presence = now
	if now == Here {
		p.Since = at
	}
	g = g.with(side, p)
	switch {
	case g.Asleep() && !g.Deserted():
		g = g.startTurn(at)
	case !g.Asleep() && g.Deserted() && g.sleepsAtOnce():
		g.AsleepSince, g.Deadline = at, time.Time{}
	}
	return g, true
}

// DeadlineWith returns when the running turn ends, with the service's outages given back; zero when nothing ends it.
func (g Game) DeadlineWith(o Outages) time.Time {
	if g.Over() || g.Deadline.IsZero() || g.TimedOut {
		return time.Time{}
	}
	return o.giveBack(g.TurnStarted, g.Deadline)
}

// TimeIsUp reports whether the running turn has ended by its deadline at a moment. A covered turn has no end.
func (g Game) TimeIsUp(at time.Time, o Outages) bool {
	deadline := g.DeadlineWith(o)
	return !deadline.IsZero() && at.After(deadline) && !g.covered(g.Turn())
}

// Expire applies the deadline of the running turn: the game is lost, or this one move is the CPU's.
func (g Game) Expire(at time.Time) Game {
	g.Version++
	if g.HasClock() && g.Settings.OnTimeout == houserule.CPUMove {
		g.TimedOut = true
		return g
	}
	return g.end(Result{Outcome: Win, Winner: g.Turn().Other(), EndedBy: Timeout}, at)
}

// Chooser picks one of the columns that are legal for the side to move.
type Chooser func(p board.Position, legal []board.Column) (board.Column, error)

// FinishSleep plays a game that slept too long to its end, with the CPU on both sides. It is unattended: in no
// record, no rating and no score.
func (g Game) FinishSleep(choose Chooser, at time.Time) (Game, error) {
	over := g
	for !over.Over() {
		column, err := choose(over.position, over.LegalColumns())
		if err != nil {
			return g, err
		}
		if over, err = over.drop(column, 'c', at); err != nil {
			return g, err
		}
	}
	over.Unattended = true
	over.Version++
	return over, nil
}
