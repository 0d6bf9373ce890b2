package game

import (
	"math/bits"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Hint notes that a profile is given a hint for its turn. One ply counts once, however often its owner asks: the first
// hint is a change that readers see, another one is none. The faults are, in the order they are looked for, not_seated,
// ranked_game_running, game_finished, not_your_turn and time_is_up. After time_is_up the deadline may still have to be
// applied: ask TimeIsUp.
func (g Game) Hint(by profile.ID, at time.Time, o Outages) (Game, error) {
	side := g.SideOf(by)
	switch {
	case side == board.NoSide:
		return g, notSeated()
	case g.Ranked && !g.Over():
		return g, RankedRunning()
	case g.Over():
		return g, finished()
	case g.Turn() != side:
		return g, fault.New(fault.NotYourTurn, "ply %d is %s's", g.Ply()+1, g.Turn())
	case g.TimedOut, g.TimeIsUp(at, o):
		return g, fault.New(fault.TimeIsUp, "the clock of ply %d had run out", g.Ply()+1)
	}
	if ply := uint64(1) << g.Ply(); g.Hinted&ply == 0 {
		g.Hinted |= ply
		g.Version++
	}
	return g, nil
}

// RankedRunning is the fault that keeps the solver's word from whoever plays a ranked game.
func RankedRunning() error {
	return fault.New(fault.RankedGameRunning, "not while a ranked game of yours is running")
}

const (
	redPlies = 0x5555_5555_5555_5555 // bits of the odd plies: ply 1 is bit 0
	allPlies = 1<<board.Fields - 1
)

// Hints returns for how many plies a side was given a hint.
func (g Game) Hints(side board.Side) int {
	plies := uint64(redPlies)
	if side == board.Yellow {
		plies = ^plies
	}
	return bits.OnesCount64(g.Hinted & plies & allPlies)
}
