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

func TestASearchInAPoolEndsWithItsContext(t *testing.T) {
	t.Parallel()
	pool := solver.NewPool(1, small)
	for name, search := range map[string]func(context.Context) error{
		"solve": func(ctx context.Context) error {
			r, err := pool.Solve(ctx, board.Position{}, -22, 22)
			assert.False(t, r.Exact())
			return err
		},
		"analyze": func(ctx context.Context) error {
			_, err := pool.Analyze(ctx, board.Position{})
			return err
		},
		"best": func(ctx context.Context) error {
			best, err := pool.Best(ctx, board.Position{})
			assert.Empty(t, best.Columns)
			return err
		},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		searching, waiting := make(chan error, 1), make(chan error, 1)
		go func() { searching <- search(ctx) }()
		<-ctx.Done()
		go func() {
			_, err := pool.Solve(context.Background(), position(t, "7422341735647741166133573473242566"), -22, 22)
			waiting <- err
		}()
		for what, ended := range map[string]chan error{"the search": searching, "the next one": waiting} {
			select {
			case err := <-ended:
				assert.Equal(t, ended == searching, errors.Is(err, solver.ErrCutShort), "%s, %s: %v", name, what, err)
			case <-time.After(10 * time.Second):
				t.Fatal(name, what, "goes on though nobody waits for it")
			}
		}
		cancel()
	}
}

// What a search that was cut short leaves in the tables is true.
func TestCutShortSearchesSpoilNoScore(t *testing.T) {
	t.Parallel()
	pool := solver.NewPool(1, small)
	for i, line := range readSet(t, "Test_L2_R1")[:60] {
		p := position(t, line.moves)
		for cuts := range 4 {
			_, err := pool.Solve(solver.WithNodeLimit(context.Background(), uint64(37*i+cuts)), p, -22, 22)
			if err != nil {
				require.ErrorIs(t, err, solver.ErrCutShort)
			}
		}
		r, err := pool.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		require.Equal(t, solver.Result{Lower: line.score, Upper: line.score, Nodes: r.Nodes}, r, line.moves)
	}
}

func TestASolverIsBackAfterAPanic(t *testing.T) {
	t.Parallel()
	pool := solver.NewPool(1, small)
	assert.Panics(t, func() {
		_ = pool.Do(context.Background(), func(*solver.Solver) error { panic("broken") })
	})
	r, err := pool.Solve(context.Background(), position(t, "7422341735647741166133573473242566"), -22, 22)
	require.NoError(t, err)
	assert.Equal(t, 1, r.Lower)
}
