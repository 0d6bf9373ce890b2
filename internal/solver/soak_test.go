//go:build soak

package solver_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// All 3,000 lines, without a book: many minutes.
func TestSoakEveryLineOfTheBenchmarkIsRight(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Test_L3_R1", "Test_L2_R1", "Test_L2_R2", "Test_L1_R1", "Test_L1_R2", "Test_L1_R3",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := solver.New(solver.Options{})
			lines := readSet(t, name)
			for _, line := range lines[:soak.Scaled(t, len(lines))] {
				r, err := s.Solve(context.Background(), position(t, line.moves), -22, 22)
				require.NoError(t, err)
				require.Equal(t, line.score, r.Lower, line.moves)
				require.Equal(t, line.score, r.Upper, line.moves)
			}
		})
	}
}

func TestSoakASampleOfPly8IsRightWithoutABook(t *testing.T) {
	t.Parallel()
	keys, scores := readReference(t, 8)
	random := rand.New(rand.NewPCG(8, 500))
	s := solver.New(solver.Options{})
	for range soak.Scaled(t, 500) {
		i := random.IntN(len(keys))
		r, err := s.SolveKey(context.Background(), keys[i])
		require.NoError(t, err)
		require.Equal(t, scores[i], r.Lower, "position %013x", uint64(keys[i]))
	}
}

func TestSoakDeadPositionsAreDraws(t *testing.T) {
	t.Parallel()
	s := solver.New(solver.Options{})
	dead := 0
	for seed := 0; dead < soak.Scaled(t, 10_000); seed++ {
		p := unfinished(30).Example(seed)
		if !p.Dead() {
			continue
		}
		dead++
		r, err := s.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		require.Equal(t, solver.Result{Nodes: r.Nodes}, r)
	}
}

func TestSoakSolveAgreesWithTryingEverything(t *testing.T) {
	t.Parallel()
	s := solver.New(solver.Options{})
	for seed := range soak.Scaled(t, 20_000) {
		p := unfinished(27).Example(seed)
		r, err := s.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		assert.Equal(t, oracle{}.score(p), r.Lower)
		assert.True(t, r.Exact())
	}
}
