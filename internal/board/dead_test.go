package board_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
)

// lateGame draws the positions of a game whose players neither win nor fill the board, until they must.
func lateGame(t *rapid.T) []board.Position {
	course := []board.Position{{}}
	for {
		p := course[len(course)-1]
		peaceful := []board.Position{}
		for _, c := range p.LegalColumns() {
			if next, err := p.Play(c); err == nil && !next.Over() {
				peaceful = append(peaceful, next)
			}
		}
		if len(peaceful) == 0 {
			return course
		}
		course = append(course, rapid.SampledFrom(peaceful).Draw(t, "next"))
	}
}

func TestNobodyWinsFromADeadPosition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, p := range lateGame(t) {
			if p.Dead() {
				require.False(t, canBeWon(p), "%q", p.Picture())
			}
		}
	})
}

func TestDeadPositionsStayDead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dead := false
		for _, p := range lateGame(t) {
			require.False(t, dead && !p.Dead(), "%q is alive again", p.Picture())
			dead = p.Dead()
		}
	})
}

// A line that would need more discs than are left keeps a position alive, though nobody can win it.
func TestALineNobodyHasDiscsForIsAlive(t *testing.T) {
	t.Parallel()
	const game = "525555776252742437426111231136747143336646"
	p := after(t, game[:41])
	require.False(t, p.Dead())
	require.False(t, canBeWon(p))
}

// canBeWon looks at all ways to go on.
func canBeWon(p board.Position) bool {
	if p.Winner() != board.NoSide {
		return true
	}
	for _, c := range p.LegalColumns() {
		if next, err := p.Play(c); err == nil && canBeWon(next) {
			return true
		}
	}
	return false
}
