//go:build soak

package solver_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// All 3,000 lines, from the embedded book if there is one; without it this takes many minutes.
func TestSoakEveryLineOfTheBenchmarkIsRight(t *testing.T) {
	t.Parallel()
	book, err := solver.EmbeddedBook()
	require.NoError(t, err)
	for _, name := range []string{
		"Test_L3_R1", "Test_L2_R1", "Test_L2_R2", "Test_L1_R1", "Test_L1_R2", "Test_L1_R3",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := solver.New(solver.Options{Book: book})
			for _, line := range readSet(t, name) {
				r, err := s.Solve(context.Background(), position(t, line.moves), -22, 22)
				require.NoError(t, err)
				require.Equal(t, line.score, r.Lower, line.moves)
				require.Equal(t, line.score, r.Upper, line.moves)
			}
		})
	}
}

// The embedded book, backed up to every position of plies 0 to 8, gives the published scores. Without a
// book only plies 7 and 8 are searched, a sample of them.
func TestSoakThePublishedScoresOfPlies0To8ComeOut(t *testing.T) {
	t.Parallel()
	book, err := solver.EmbeddedBook()
	require.NoError(t, err)
	if book == nil {
		return // TestSoakASampleOfPly8IsRightWithoutABook searches them
	}
	s := solver.New(solver.Options{Book: book})
	for ply := range 9 {
		keys, scores := readReference(t, ply)
		for i, key := range keys {
			r, err := s.SolveKey(context.Background(), key)
			require.NoError(t, err)
			require.Equal(t, scores[i], r.Lower, "ply %d, position %013x", ply, uint64(key))
		}
	}
}

func TestSoakASampleOfPly8IsRightWithoutABook(t *testing.T) {
	t.Parallel()
	keys, scores := readReference(t, 8)
	random := rand.New(rand.NewPCG(8, 500))
	s := solver.New(solver.Options{})
	for range 500 {
		i := random.IntN(len(keys))
		r, err := s.SolveKey(context.Background(), keys[i])
		require.NoError(t, err)
		require.Equal(t, scores[i], r.Lower, "position %013x", uint64(keys[i]))
	}
}

func TestSoakASampleOfTheBookIsRightWithoutIt(t *testing.T) {
	t.Parallel()
	book, err := solver.EmbeddedBook()
	require.NoError(t, err)
	if book == nil {
		return // nothing to sample
	}
	keys := solver.Keys(book.Ply())
	random := rand.New(rand.NewPCG(10, 500))
	s := solver.New(solver.Options{})
	for range 500 {
		key := keys[random.IntN(len(keys))]
		r, err := s.SolveKey(context.Background(), key)
		require.NoError(t, err)
		score, ok := book.ScoreKey(key)
		require.True(t, ok)
		require.Equal(t, score, r.Lower, "position %013x", uint64(key))
	}
}

func TestSoakDeadPositionsAreDraws(t *testing.T) {
	t.Parallel()
	s := solver.New(solver.Options{})
	dead := 0
	for seed := 0; dead < 10_000; seed++ {
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
	for seed := range 20_000 {
		p := unfinished(27).Example(seed)
		r, err := s.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		assert.Equal(t, oracle{}.score(p), r.Lower)
		assert.True(t, r.Exact())
	}
}
