package service

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// hard takes a whole turn a step and is finished after so many; what is known is how many there were.
func hard(steps int) step[int] {
	return func(ctx context.Context, _ *solver.Solver, known int) (int, bool, error) {
		<-ctx.Done()
		return known + 1, known+1 == steps, nil
	}
}

func from(address, who string) Caller {
	return Caller{Profile: profile.ID(who), Address: address}
}

// Twelve players of one address ask for more than there is time for, as fast as they are answered.
func TestOneAddressKeepsNoOtherFromTheSolver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		readers := solver.NewPool(1, solver.Options{})
		ctx, stop := context.WithCancel(t.Context())
		var attack sync.WaitGroup
		for i := range 12 {
			attack.Go(func() {
				for ctx.Err() == nil {
					_, _ = think(ctx, readers, from("192.0.2.1", string(rune('a'+i))), newDraft(hard(1000)))
				}
			})
		}
		for range 7 {
			synctest.Wait()
			began := time.Now()
			known, err := think(ctx, readers, from("192.0.2.2", "honest"), newDraft(hard(3)))
			require.NoError(t, err)
			assert.Equal(t, 3, known, "all there is to know")
			assert.LessOrEqual(t, time.Since(began)/turnTakes, time.Duration(2*3), "one turn of the others before each")
		}
		stop()
		attack.Wait()
	})
}

func TestWhoAsksTheSameSharesASearchThatGoesOnUntilTheLastIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		readers, shared := solver.NewPool(1, solver.Options{}), newDraft(hard(8))
		var all sync.WaitGroup
		for i, stays := range []int{3, 1, 2, 5} { // in halves of a turn
			all.Go(func() {
				ctx, leave := context.WithTimeout(t.Context(), time.Duration(stays)*turnTakes/2+time.Millisecond)
				defer leave()
				known, err := think(ctx, readers, from("192.0.2.1", string(rune('a'+i))), shared)
				assert.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Less(t, known, 8)
			})
		}
		var known [2]int
		for i := range known {
			all.Go(func() {
				var err error
				known[i], err = think(t.Context(), readers, from("192.0.2.2", string(rune('a'+i))), shared)
				assert.NoError(t, err)
			})
		}
		all.Wait()
		assert.Equal(t, [2]int{8, 8}, known)
		_, turns := shared.read()
		assert.Equal(t, 8, turns, "as many as for one")
	})
}

func TestWhatIsKnownWaitsForNoSolver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		readers := solver.NewPool(1, solver.Options{})
		finished, begun, unknown := newDraft(hard(1)), newDraft(hard(100)), newDraft(hard(1))
		who := from("192.0.2.1", "a")
		for _, d := range []*draft[int]{finished, begun} {
			_, err := think(t.Context(), readers, who, d)
			require.NoError(t, err)
		}
		require.NoError(t, readers.Do(t.Context(), func(*solver.Solver) error {
			began := time.Now()
			known, err := think(t.Context(), readers, who, finished)
			require.NoError(t, err)
			assert.Equal(t, 1, known)
			assert.Equal(t, began, time.Now(), "it was told at once")
			known, err = think(t.Context(), readers, who, begun)
			require.NoError(t, err)
			assert.Equal(t, turnsAtMost, known, "what there was time for before")
			_, err = think(t.Context(), readers, who, unknown)
			assert.True(t, fault.Is(err, fault.Away))
			return nil
		}))
	})
}
