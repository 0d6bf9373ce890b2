package solver_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

func TestAPoolIsAsLargeAsTheMachineUnlessTold(t *testing.T) {
	t.Parallel()
	assert.Equal(t, runtime.GOMAXPROCS(0), solver.NewPool(0, small).Size())
	assert.Equal(t, 3, solver.NewPool(3, small).Size())
}

func TestAPoolServesManyCallersAtOnce(t *testing.T) {
	t.Parallel()
	pool := solver.NewPool(2, small)
	lines := readSet(t, "Test_L3_R1")[:40]
	var callers sync.WaitGroup
	for _, line := range lines {
		p := position(t, line.moves)
		callers.Go(func() {
			r, err := pool.Solve(context.Background(), p, -22, 22)
			assert.NoError(t, err)
			assert.Equal(t, line.score, r.Lower)
			best, err := pool.Best(context.Background(), p)
			assert.NoError(t, err)
			assert.Equal(t, line.score, best.Lower)
			scores, err := pool.Analyze(context.Background(), p)
			assert.NoError(t, err)
			assert.Len(t, scores, len(p.LegalColumns()))
		})
	}
	callers.Wait()
}

func TestACallerWhoseContextEndsDoesNotWaitForASolver(t *testing.T) {
	t.Parallel()
	pool := solver.NewPool(1, small)
	err := pool.Do(context.Background(), func(*solver.Solver) error {
		ctx, cancel := context.WithCancel(context.Background())
		waiting := make(chan error)
		go func() {
			_, err := pool.Solve(ctx, position(t, "44"), -22, 22)
			waiting <- err
		}()
		cancel()
		return <-waiting
	})
	require.ErrorIs(t, err, context.Canceled)

	failed := errors.New("failed")
	require.ErrorIs(t, pool.Do(context.Background(), func(*solver.Solver) error { return failed }), failed)
	r, err := pool.Solve(context.Background(), position(t, "7422341735647741166133573473242566"), -22, 22)
	require.NoError(t, err, "the solver is back")
	assert.Equal(t, 1, r.Lower)
}

func TestASearchBehindAnotherPoolWaitsForItsSearches(t *testing.T) {
	t.Parallel()
	first := solver.NewPool(2, small)
	behind := solver.NewPool(1, solver.Options{EarlyTableBits: small.EarlyTableBits, Behind: first})
	late := position(t, "7422341735647741166133573473242566")
	err := first.Do(context.Background(), func(*solver.Solver) error {
		short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		_, err := behind.Solve(short, board.Position{}, -22, 22)
		require.ErrorIs(t, err, solver.ErrCutShort, "it spends its time waiting")

		waiting := make(chan error, 1)
		go func() {
			ctx := solver.WithNodeLimit(context.Background(), 10_000)
			r, err := behind.Solve(ctx, board.Position{}, -22, 22)
			assert.Greater(t, r.Nodes, uint64(9_000))
			waiting <- err
		}()
		select {
		case err := <-waiting:
			t.Error("it did not wait", err)
		case <-time.After(20 * time.Millisecond):
		}
		go func() { assert.ErrorIs(t, <-waiting, solver.ErrCutShort) }()
		return nil
	})
	require.NoError(t, err)
	r, err := behind.Solve(context.Background(), late, -22, 22)
	require.NoError(t, err, "nobody is in front any more")
	assert.Equal(t, 1, r.Lower)
}
