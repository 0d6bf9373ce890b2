package game

import "github.com/fourinarow/fourinarow/internal/board"

// SetRematch gives or takes back a side's agreement to another game. It reports whether that changed anything.
func (g Game) SetRematch(side board.Side, agreed bool) (Game, bool) {
	after := g.withRematch(side, agreed)
	if after.Player(side) == g.Player(side) {
		return g, false
	}
	after.Version++
	return after, true
}

// AgreeAlone gives a side's agreement to another game, and takes back that of the other, who isn't here.
func (g Game) AgreeAlone(side board.Side) Game {
	g = g.withRematch(side, true).withRematch(side.Other(), false)
	g.Version++
	return g
}

// FollowedBy gives a side's agreement to another game, the one that was missing: the next game begins.
func (g Game) FollowedBy(side board.Side, next ID) Game {
	g = g.withRematch(side, true)
	g.Next = next
	g.Version++
	return g
}

// Foresee takes both agreements back and says who will start the next game, because the settings have changed.
func (g Game) Foresee(first Seat) Game {
	after := g.withRematch(board.Red, false).withRematch(board.Yellow, false)
	after.NextFirst = first
	if after.Red != g.Red || after.Yellow != g.Yellow || after.NextFirst != g.NextFirst {
		after.Version++
	}
	return after
}

// CloseTable says of a finished game that its table has closed: nothing follows it. It reports whether that is news.
func (g Game) CloseTable() (Game, bool) {
	if !g.Over() || g.TableDone {
		return g, false
	}
	g = g.lastOfTable()
	g.Version++
	return g, true
}

// LeaveTable says of a finished game that its table has closed because the owner of a side left, who takes an agreement
// back by that. It reports whether that is news.
func (g Game) LeaveTable(side board.Side) (Game, bool) {
	if !g.Over() || g.TableDone {
		return g, false
	}
	g = g.withRematch(side, false).lastOfTable()
	g.Version++
	return g, true
}

// withRematch is the step of SetRematch. A CPU always agrees.
func (g Game) withRematch(side board.Side, agreed bool) Game {
	p := g.Player(side)
	if p.Kind == CPU {
		return g
	}
	p.Rematch = agreed
	return g.with(side, p)
}

// lastOfTable is the step of CloseTable.
func (g Game) lastOfTable() Game {
	g.TableDone = true
	if g.Next == "" {
		g.NextFirst = NoSeat
	}
	return g
}
