package cpu_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// opening plays two random discs.
func opening(t *testing.T, random *rand.Rand) board.Position {
	t.Helper()
	var p board.Position
	for range 2 {
		next, err := p.Play(board.Column(1 + random.IntN(board.Columns)))
		require.NoError(t, err)
		p = next
	}
	return p
}

// match plays games between two levels, each opening twice with colours changed, and gives what share of
// the points the first level took, a draw being half a point.
func match(t *testing.T, c *cpu.CPU, first, second level.Name, games int) float64 {
	t.Helper()
	random := rand.New(rand.NewPCG(400, 2))
	points := 0.0
	var start board.Position
	for game := range games {
		if game%2 == 0 {
			start = opening(t, random)
		}
		red, yellow := first, second
		if game%2 == 1 {
			red, yellow = second, first
		}
		switch winner := play(t, c, start, red, yellow, uint64(game)); {
		case winner == board.NoSide:
			points += 0.5
		case (winner == board.Red) == (red == first):
			points++
		}
	}
	return points / float64(games)
}

// play plays one game to its end and tells who won.
func play(t *testing.T, c *cpu.CPU, p board.Position, red, yellow level.Name, seed uint64) board.Side {
	t.Helper()
	for !p.Over() {
		name := red
		if p.Turn() == board.Yellow {
			name = yellow
		}
		column, err := c.Choose(context.Background(), p, p.LegalColumns(), name, seed)
		if err != nil && !errors.Is(err, solver.ErrCutShort) {
			require.NoError(t, err)
		}
		next, err := p.Play(column)
		require.NoError(t, err)
		p = next
	}
	return p.Winner()
}

func TestEachLevelBeatsTheOneBelow(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(1, solver.Options{EarlyTableBits: 16}))
	assert.GreaterOrEqual(t, match(t, c, level.Medium, level.Easy, 60), 0.75)
	assert.GreaterOrEqual(t, match(t, c, level.Hard, level.Medium, 16), 0.75)
}
