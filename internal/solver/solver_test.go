package solver_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// small keeps the tables of the many solvers in tests small.
var small = solver.Options{EarlyTableBits: 16}

func TestEveryScoreOfTheBenchmarkIsRight(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]int{
		"Test_L3_R1": 500, "Test_L2_R1": 500, "Test_L2_R2": 100, "Test_L1_R1": 50, "Test_L1_R2": 2,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := solver.New(small)
			for _, line := range readSet(t, name)[:lines] {
				r, err := s.Solve(context.Background(), position(t, line.moves), -22, 22)
				require.NoError(t, err)
				require.True(t, r.Exact())
				require.Equal(t, line.score, r.Lower, line.moves)
			}
		})
	}
}

func TestSolveAgreesWithTryingEverything(t *testing.T) {
	t.Parallel()
	s := solver.New(small)
	rapid.Check(t, func(t *rapid.T) {
		p := unfinished(29).Draw(t, "position")
		r, err := s.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		require.Equal(t, solver.Result{Lower: oracle{}.score(p), Upper: r.Lower, Nodes: r.Nodes}, r)
	})
}

func TestAWindowTellsOnWhichSideOfItTheScoreLies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := unfinished(29).Draw(t, "position")
		lo := rapid.IntRange(-22, 21).Draw(t, "lo")
		hi := rapid.IntRange(lo+1, 22).Draw(t, "hi")
		score := oracle{}.score(p)
		r, err := solver.New(small).Solve(context.Background(), p, lo, hi)
		require.NoError(t, err)
		require.LessOrEqual(t, r.Lower, score)
		require.GreaterOrEqual(t, r.Upper, score)
		switch {
		case score <= lo:
			require.LessOrEqual(t, r.Upper, lo)
		case score >= hi:
			require.GreaterOrEqual(t, r.Lower, hi)
		default:
			require.True(t, r.Exact())
		}
	})
}

func TestAnalyzeScoresEveryColumnAndBestNamesTheBest(t *testing.T) {
	t.Parallel()
	s := solver.New(small)
	rapid.Check(t, func(t *rapid.T) {
		p := unfinished(29).Draw(t, "position")
		o := oracle{}
		want := map[board.Column]int{}
		var best []board.Column
		for _, c := range p.LegalColumns() {
			next, err := p.Play(c)
			require.NoError(t, err)
			want[c] = -o.score(next)
			if want[c] == o.score(p) {
				best = append(best, c)
			}
		}
		scores, err := s.Analyze(context.Background(), p)
		require.NoError(t, err)
		got := map[board.Column]int{}
		for _, c := range scores {
			require.True(t, c.Exact())
			got[c.Column] = c.Lower
		}
		require.Equal(t, want, got)
		choice, err := s.Best(context.Background(), p)
		require.NoError(t, err)
		require.Equal(t, best, choice.Columns)
		require.Equal(t, o.score(p), choice.Lower)
	})
}

func TestADeadPositionIsADrawForBothSides(t *testing.T) {
	t.Parallel()
	s := solver.New(small)
	rapid.Check(t, func(t *rapid.T) {
		p := unfinished(30).Draw(t, "position")
		if !p.Dead() {
			return
		}
		r, err := s.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		require.Equal(t, solver.Result{Nodes: r.Nodes}, r)
	})
}

func TestAFinishedGameHasNoScore(t *testing.T) {
	t.Parallel()
	s := solver.New(small)
	for _, p := range []board.Position{position(t, "1212121")} {
		_, err := s.Solve(context.Background(), p, -22, 22)
		require.ErrorIs(t, err, solver.ErrGameOver)
		_, err = s.Analyze(context.Background(), p)
		require.ErrorIs(t, err, solver.ErrGameOver)
		_, err = s.Best(context.Background(), p)
		require.ErrorIs(t, err, solver.ErrGameOver)
	}
}

func TestASearchOutOfBudgetSaysSoAndClaimsNoScoreItDoesNotHave(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, ctx := range map[string]context.Context{
		"nodes": solver.WithNodeLimit(context.Background(), 20_000),
		"time":  cancelled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := solver.New(small)
			r, err := s.Solve(ctx, board.Position{}, -22, 22)
			require.ErrorIs(t, err, solver.ErrCutShort)
			assert.False(t, r.Exact())
			assert.LessOrEqual(t, r.Lower, 1)
			assert.GreaterOrEqual(t, r.Upper, 1)
			assert.Less(t, r.Nodes, uint64(25_000))

			scores, err := s.Analyze(ctx, board.Position{})
			require.ErrorIs(t, err, solver.ErrCutShort)
			for i, want := range []int{-2, -1, 0, 1, 0, -1, -2} {
				assert.LessOrEqual(t, scores[i].Lower, want)
				assert.GreaterOrEqual(t, scores[i].Upper, want)
			}

			choice, err := s.Best(ctx, board.Position{})
			require.ErrorIs(t, err, solver.ErrCutShort)
			assert.Empty(t, choice.Columns)

			r, err = s.Solve(context.Background(), position(t, "7422341735647741166133573473242566"), -22, 22)
			require.NoError(t, err, "the next search has a budget of its own")
			assert.Equal(t, 1, r.Lower)
		})
	}
}

func TestAnAnalysisGoesOnWhereItWasCutShort(t *testing.T) {
	t.Parallel()
	s := solver.New(small)
	p := position(t, "121276567234")
	want, err := solver.New(small).Analyze(context.Background(), p)
	require.NoError(t, err)
	var known []solver.ColumnScore
	tries := 0
	for err = solver.ErrCutShort; err != nil; tries++ {
		require.Less(t, tries, 1000)
		known, err = s.Refine(solver.WithNodeLimit(context.Background(), 20_000), p, known)
		for i, c := range known {
			require.LessOrEqual(t, c.Lower, want[i].Lower)
			require.GreaterOrEqual(t, c.Upper, want[i].Upper)
		}
	}
	assert.Greater(t, tries, 1)
	for i, c := range known {
		assert.True(t, c.Exact())
		assert.Equal(t, want[i].Lower, c.Lower)
	}
	again, err := s.Refine(context.Background(), p, known)
	require.NoError(t, err)
	for _, c := range again {
		assert.Zero(t, c.Nodes, "what is known costs nothing")
	}
}

func TestBestCutShortNamesOnlyColumnsThatAreBest(t *testing.T) {
	t.Parallel()
	p := position(t, "6314673476441")
	all, err := solver.New(small).Best(context.Background(), p)
	require.NoError(t, err)
	some := 0
	for nodes := uint64(4096); ; nodes += 8192 {
		choice, err := solver.New(small).Best(solver.WithNodeLimit(context.Background(), nodes), p)
		if err == nil {
			break
		}
		require.ErrorIs(t, err, solver.ErrCutShort)
		require.Subset(t, all.Columns, choice.Columns, "after %d nodes", nodes)
		require.True(t, len(choice.Columns) == 0 || choice.Exact(), "a column is best by the score of the position")
		some += len(choice.Columns)
	}
	assert.Positive(t, some, "it says what it has")
}
