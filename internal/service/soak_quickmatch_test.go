//go:build soak

package service_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// ticking moves a clock on as real time goes by, until the test ends.
func ticking(t *testing.T, clock *testkit.Clock) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		last := time.Now()
		for tick := time.NewTicker(10 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case now := <-tick.C:
				clock.Advance(now.Sub(last))
				last = now
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

// Five hundred ask within two seconds, on two replicas, and each asks once more.
func TestSoakEverybodyIsSeatedWithSomebody(t *testing.T) {
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		replicas := []*world{newWorld(t, db), newWorld(t, db)}
		callers := make([]service.Caller, soak.Scaled(t, 500))
		for i := range callers {
			callers[i] = replicas[0].guest(t, "Ola")
		}
		ticking(t, db.Clock)
		began := time.Now()
		var all sync.WaitGroup
		for _, c := range callers {
			for range 2 {
				w, after := replicas[rand.N(2)], rand.N(2*time.Second)
				all.Go(func() {
					<-time.After(after)
					_, err := w.Matches.QuickMatch(t.Context(), c, service.QuickRequest{})
					assert.NoError(t, err)
				})
			}
		}
		all.Wait()
		t.Logf("%d callers were answered twice in %s", len(callers), time.Since(began))
		waiting, seats := 0, map[table.ID]int{}
		for _, c := range callers {
			open, err := db.Store.TablesOf(t.Context(), c.Profile)
			require.NoError(t, err)
			require.Len(t, open, 1, "nobody sits at two tables, or at none")
			seats[open[0].ID]++
			if open[0].Status == table.Waiting {
				waiting++
			}
		}
		assert.Equal(t, len(callers)%2, waiting, "at most one waits")
		for id, taken := range seats {
			stored, err := db.Store.Table(t.Context(), id)
			require.NoError(t, err)
			assert.Equal(t, map[bool]int{true: 1, false: 2}[stored.Status == table.Waiting], taken)
		}
	})
}
