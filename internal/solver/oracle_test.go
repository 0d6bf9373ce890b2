package solver_test

import (
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
)

// An oracle scores positions the obvious way: it tries everything, and remembers it.
type oracle map[board.Position]int

// score follows the definition: 22 minus the number of discs the winner will have played.
func (o oracle) score(p board.Position) int {
	if p.Winner() != board.NoSide {
		return -(22 - (p.Ply()+1)/2)
	}
	if p.Over() {
		return 0
	}
	if known, ok := o[p]; ok {
		return known
	}
	best := -22
	for _, c := range p.LegalColumns() {
		next, err := p.Play(c)
		if err != nil {
			panic(err)
		}
		best = max(best, -o.score(next))
	}
	o[p] = best
	return best
}

// unfinished draws a position that isn't over, with at least that many discs where the draws allow it.
func unfinished(atLeast int) *rapid.Generator[board.Position] {
	return rapid.Custom(func(t *rapid.T) board.Position {
		var p board.Position
		for range rapid.IntRange(atLeast, board.Fields-1).Draw(t, "ply") {
			var open []board.Position
			for _, c := range p.LegalColumns() {
				if next, err := p.Play(c); err == nil && !next.Over() {
					open = append(open, next)
				}
			}
			if len(open) == 0 {
				break
			}
			p = rapid.SampledFrom(open).Draw(t, "move")
		}
		return p
	})
}
