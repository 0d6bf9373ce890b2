package board_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/board"
)

// The number of games of a length is known; a rule that is wrong anywhere shifts it.
func TestPerft(t *testing.T) {
	t.Parallel()
	for i, want := range []int{7, 49, 343, 2401, 16807, 117649, 823536, 5673234} {
		t.Run(fmt.Sprintf("depth %d", i+1), func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, perft(board.Position{}, i+1))
		})
	}
}

// perft counts the ways to play depth moves. A game that is over has none.
func perft(p board.Position, depth int) int {
	if depth == 0 {
		return 1
	}
	n := 0
	for c := board.Column(1); c <= board.Columns; c++ {
		if next, err := p.Play(c); err == nil {
			n += perft(next, depth-1)
		}
	}
	return n
}

func TestDistinctPositionsByPly(t *testing.T) {
	t.Parallel()
	positions := map[board.Position]struct{}{{}: {}}
	for ply, want := range []int{1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275} {
		assert.Len(t, positions, want, "ply %d", ply)
		next := make(map[board.Position]struct{}, 4*len(positions))
		for p := range positions {
			for _, c := range p.LegalColumns() {
				q, err := p.Play(c)
				assert.NoError(t, err)
				next[q] = struct{}{}
			}
		}
		positions = next
	}
}
