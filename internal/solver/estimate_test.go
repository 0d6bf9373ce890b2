package solver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

func TestADecidedEstimateIsTheExactScore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := unfinished(29).Draw(t, "position")
		plies := rapid.IntRange(0, 6).Draw(t, "plies")
		estimates := solver.EstimateColumns(p, plies)
		require.Len(t, estimates, len(p.LegalColumns()))
		for i, c := range p.LegalColumns() {
			next, err := p.Play(c)
			require.NoError(t, err)
			score := -oracle{}.score(next)
			require.Equal(t, c, estimates[i].Column)
			switch value := estimates[i].Value; {
			case value >= solver.Decided:
				require.Equal(t, score, value-solver.Decided)
			case value <= -solver.Decided:
				require.Equal(t, score, value+solver.Decided)
			}
		}
	})
}

func TestAnEstimateSeesAWinWithinItsPlies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		moves  string
		plies  int
		column board.Column
		value  int
	}{
		{"a win in one", "121212", 0, 1, solver.Decided + 18},
		{"a loss when it isn't blocked", "12121", 0, 7, -solver.Decided - 18},
		{"an open row of three", "4455", 0, 3, solver.Decided + 18},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, e := range solver.EstimateColumns(position(t, test.moves), test.plies) {
				if e.Column == test.column {
					assert.Equal(t, test.value, e.Value)
				}
			}
		})
	}
	assert.Empty(t, solver.EstimateColumns(position(t, "1212121"), 3))
}

func BenchmarkEstimateColumns(b *testing.B) {
	var p board.Position
	for b.Loop() {
		solver.EstimateColumns(p, 8)
	}
}
