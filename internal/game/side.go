package game

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Kind is what sits in a seat.
type Kind string

// The kinds.
const (
	Human Kind = "human"
	CPU   Kind = "cpu"
)

// Presence is whether a seat's owner is there. The zero value is here. A CPU is always here.
type Presence int

// The presences. Silence is undone by any request about the game; Gone sticks until its owner says or does
// something that brings it back.
const (
	Here   Presence = iota
	Silent          // nothing was heard for the grace
	Gone            // said away, or left
)

// Controller is who makes a side's moves now.
type Controller string

// The controllers.
const (
	ByPlayer Controller = "player"
	ByCPU    Controller = "cpu"
)

// Player is who plays a side, named as when the game began.
type Player struct {
	Seat     Seat
	Kind     Kind
	Profile  profile.ID     // humans only
	Name     profile.Name   // humans only
	Deleted  bool           // its owner has deleted itself: it has no name and is nobody's
	Level    string         // CPUs only
	Rating   profile.Rating // humans only; as when the game began
	Presence Presence       // while the game runs
	Since    time.Time      // when its owner came back last; zero: it hasn't been away
	Rematch  bool           // agreed to another game after this one
}

// Forget takes the name off a side, whose owner has deleted itself. A running game goes on without it, or is given up
// where nobody would play on; after one that is over nothing follows any more. Ask SideOf before.
// Where the settings aren't understood the owner isn't seen any more, and another release will notice.
func (g Game) Forget(side board.Side, at time.Time) Game {
	switch {
	case g.Over():
		g = g.lastOfTable()
	case g.LeavingResigns():
		g = g.resigned(side, at)
	}
	if g.Settings.Understood() {
		g, _ = g.withPresence(side, Gone, at)
	}
	g = g.withRematch(side, false)
	p := g.Player(side)
	p.Name, p.Deleted = "", true
	g = g.with(side, p)
	g.Version++
	return g
}

// away reports whether a human is not there.
func (p Player) away() bool { return p.Kind == Human && p.Presence != Here }

// Player returns who plays a side.
func (g Game) Player(side board.Side) Player {
	if side == board.Yellow {
		return g.Yellow
	}
	return g.Red
}

// with returns the game with a side's player replaced.
func (g Game) with(side board.Side, p Player) Game {
	if side == board.Yellow {
		g.Yellow = p
	} else {
		g.Red = p
	}
	return g
}

// SideOf returns the side a profile plays, and NoSide for anybody else.
func (g Game) SideOf(who profile.ID) board.Side {
	switch {
	case who == "": // no CPU's side either
		return board.NoSide
	case g.Red.Profile == who && !g.Red.Deleted:
		return board.Red
	case g.Yellow.Profile == who && !g.Yellow.Deleted:
		return board.Yellow
	default:
		return board.NoSide
	}
}

// SidePlayedBy returns the side a profile played, also when it has deleted itself since; NoSide for anybody else.
func (g Game) SidePlayedBy(who profile.ID) board.Side {
	switch who {
	case "":
		return board.NoSide
	case g.Red.Profile:
		return board.Red
	case g.Yellow.Profile:
		return board.Yellow
	default:
		return board.NoSide
	}
}

// SideIn returns the side that the owner of a seat plays.
func (g Game) SideIn(seat Seat) board.Side {
	if g.Yellow.Seat == seat {
		return board.Yellow
	}
	return board.Red
}

// VersusCPU reports whether one seat is the CPU's.
func (g Game) VersusCPU() bool { return g.Red.Kind == CPU || g.Yellow.Kind == CPU }

// Deserted reports whether no human is here.
func (g Game) Deserted() bool {
	return (g.Red.Kind == CPU || g.Red.away()) && (g.Yellow.Kind == CPU || g.Yellow.away())
}

// Controller returns who makes a side's moves now. A game that is over has no controllers.
func (g Game) Controller(side board.Side) Controller {
	switch {
	case g.Player(side).Kind == CPU, g.TimedOut && g.Turn() == side, g.covered(side):
		return ByCPU
	default:
		return ByPlayer
	}
}

// covered reports whether the CPU plays for a side because its owner is away: the other owner must be here, both
// seats people's, and the rule on.
func (g Game) covered(side board.Side) bool {
	return g.Settings.CPUCover && !g.VersusCPU() && !g.Asleep() && !g.Over() &&
		g.Player(side).away() && !g.Player(side.Other()).away()
}

// MayMove reports whether a profile may make the next ply at a moment. The owner of a covered turn may: it is back by
// its move.
func (g Game) MayMove(who profile.ID, at time.Time, o Outages) bool {
	side := g.SideOf(who)
	return side != board.NoSide && g.Turn() == side && !g.TimedOut && !g.TimeIsUp(at, o) && g.Settings.Understood()
}

// CPUToMove reports whether the next disc is the CPU's.
func (g Game) CPUToMove() bool { return !g.Over() && !g.Asleep() && g.Controller(g.Turn()) == ByCPU }

// CPULevel returns the level at which the CPU makes the next disc.
func (g Game) CPULevel() string {
	if p := g.Player(g.Turn()); p.Kind == CPU {
		return p.Level
	}
	return g.Settings.CoverLevel
}
