package game

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
)

// Task is what a worker has to do for a game when its time has come.
type Task uint8

// The tasks.
const (
	Nothing     Task = iota
	ExpireTurn       // the deadline of the running turn has passed
	MoveCPU          // the next disc is the CPU's
	FinishSleep      // the game has slept too long
)

// Seen is when each owner was last seen. The CPU's entry is not looked at.
type Seen struct{ Red, Yellow time.Time }

// silentSide returns a side whose owner counts as here but has been silent for the grace, and NoSide when there is
// none. Silence before upSince doesn't count.
func (g Game) silentSide(seen Seen, upSince, at time.Time) board.Side {
	if g.Over() {
		return board.NoSide
	}
	for _, side := range []board.Side{board.Red, board.Yellow} {
		if due := g.silence(side, seen, upSince); !due.IsZero() && !at.Before(due) {
			return side
		}
	}
	return board.NoSide
}

// silence returns when a side's owner will have been silent for the grace; zero when that doesn't matter.
func (g Game) silence(side board.Side, seen Seen, upSince time.Time) time.Time {
	p := g.Player(side)
	if p.Kind != Human || p.Presence != Here {
		return time.Time{}
	}
	last := seen.Red
	if side == board.Yellow {
		last = seen.Yellow
	}
	for _, later := range []time.Time{upSince, p.Since} {
		if later.After(last) {
			last = later
		}
	}
	return last.Add(g.Settings.CoverGrace)
}

// NoticeSilence makes owners away who have been silent for the grace. It reports whether anything changed.
func (g Game) NoticeSilence(seen Seen, upSince, at time.Time) (Game, bool) {
	changed := false
	for side := g.silentSide(seen, upSince, at); side != board.NoSide; side = g.silentSide(seen, upSince, at) {
		g, _ = g.withPresence(side, Silent, at)
		changed = true
	}
	if changed {
		g.Version++
	}
	return g, changed
}

// TaskAt returns what is due at a moment.
func (g Game) TaskAt(at time.Time, pace time.Duration, o Outages) Task {
	switch {
	case g.Over():
		return Nothing
	case g.Asleep() && !at.Before(o.giveBack(g.AsleepSince, g.AsleepSince.Add(SleepLimit))):
		return FinishSleep
	case g.CPUToMove() && !at.Before(g.cpuMovesAt(pace)):
		return MoveCPU
	case g.TimeIsUp(at.Add(-Leeway), o):
		return ExpireTurn
	default:
		return Nothing
	}
}

// cpuMovesAt returns when the CPU may drop its disc: its pace after the disc before, so that people see two drops. It
// isn't counted from the start of the turn, which begins anew whenever a sleeping game wakes up: somebody who comes and
// goes could keep the CPU from moving for ever.
func (g Game) cpuMovesAt(pace time.Duration) time.Time { return g.lastMoveAt().Add(pace) }

// NextDue returns when a worker has to look at the game, as far as the game itself tells: the CPU's disc, the
// deadline, the end of its sleep, or the silence of an owner; zero when it is over.
func (g Game) NextDue(seen Seen, upSince time.Time, pace time.Duration, o Outages) time.Time {
	due := g.LatestDue(pace, o)
	if g.Over() {
		return due
	}
	for _, side := range []board.Side{board.Red, board.Yellow} {
		if silent := g.silence(side, seen, upSince); !silent.IsZero() && (due.IsZero() || silent.Before(due)) {
			due = silent
		}
	}
	return due
}

// LatestDue returns when a worker has to look at the game though its owners are seen all the time; zero when it
// is over.
func (g Game) LatestDue(pace time.Duration, o Outages) time.Time {
	deadline := g.DeadlineWith(o)
	switch {
	case g.Over():
		return time.Time{}
	case g.Asleep():
		return o.giveBack(g.AsleepSince, g.AsleepSince.Add(SleepLimit))
	case g.CPUToMove():
		return g.cpuMovesAt(pace)
	case deadline.IsZero():
		return time.Time{}
	default:
		return deadline.Add(Leeway).Add(time.Microsecond) // a move at the deadline itself is in time
	}
}

// NeedsTimer reports whether the change from one state to the next made work due that a timer set for the state
// before may come too late for. Between two people who are here a move only pushes the deadline away.
func NeedsTimer(before, after Game) bool {
	return after.Over() || after.CPUToMove() || after.Asleep() != before.Asleep() ||
		after.Red.Presence != before.Red.Presence || after.Yellow.Presence != before.Yellow.Presence ||
		before.CPUToMove() || !after.Deadline.IsZero() && (before.Deadline.IsZero() || after.Deadline.Before(before.Deadline))
}
