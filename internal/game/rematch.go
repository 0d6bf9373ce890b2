package game

import "github.com/fourinarow/fourinarow/internal/board"

// SetRematch gives or takes back a side's agreement to another game. It reports whether that changed anything.
func (g Game) SetRematch(side board.Side, agreed bool) (Game, bool) {
	p := g.Player(side)
	if p.Kind == CPU || p.Rematch == agreed {
		return g, false
	}
	p.Rematch = agreed
	g = g.with(side, p)
	g.Version++
	return g, true
}

// Foresee takes both agreements back and says who will start the next game, because the settings have changed: one
// change, if it is one.
func (g Game) Foresee(first Seat) Game {
	without, _ := g.SetRematch(board.Red, false)
	without, _ = without.SetRematch(board.Yellow, false)
	without.NextFirst, without.Version = first, g.Version
	if without.Red != g.Red || without.Yellow != g.Yellow || without.NextFirst != g.NextFirst {
		without.Version++
	}
	return without
}
