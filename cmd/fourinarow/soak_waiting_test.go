//go:build soak

package main_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// The target is 40 kB for each waiting request: heap and stacks in use after a collection, without what is in use
// when nobody waits.
func TestSoakWaitingCosts(t *testing.T) {
	// A tenth more garbage than there is in use is collected, so that looking at the metrics provokes collections.
	r := serving(t, "DATABASE_URL="+testkit.Postgres(t).Config.URL.DSN(), "WAIT_MAX_SECONDS=600", "GOGC=10")
	pairs := r.pairs(t, max(1, soak.Scaled(t, 2500)), public)
	number := 2 * len(pairs)

	idle := r.inUse(t)
	leave := waitFor(t, pairs, 2, func(int) *replica { return r })
	r.awaitWaiting(t, number)
	busy := r.inUse(t)
	require.InDelta(t, number, r.metric(t, "fourinarow_waiting_requests"), 0, "all of them still wait")
	require.Eventually(t, func() bool { return r.metric(t, `go_sql_in_use_connections\{db_name="main"\}`) == 0 },
		time.Minute, time.Millisecond, "who waits holds no connection")
	leave()
	r.awaitWaiting(t, 0)
	after := r.inUse(t)

	const kB = 1000
	t.Logf("%d waiting requests: %.1f kB each (%.1f MB in use when idle, %.1f MB while they wait, %.1f MB after them)",
		number, (busy-idle)/float64(number)/kB, idle/kB/kB, busy/kB/kB, after/kB/kB)
	assert.Less(t, after-idle, (busy-idle)/2, "who is gone costs nothing any more")
}

// inUse is the memory of heap and stacks in use after a collection, in bytes: the least of what is seen during some.
func (r *replica) inUse(t *testing.T) float64 {
	t.Helper()
	least := math.Inf(1)
	for enough := r.metric(t, "go_gc_duration_seconds_count") + 5; r.metric(t, "go_gc_duration_seconds_count") < enough; {
		least = min(least, r.metric(t, "go_memstats_heap_inuse_bytes")+r.metric(t, "go_memstats_stack_inuse_bytes"))
	}
	return least
}

func (r *replica) awaitWaiting(t *testing.T, number int) {
	t.Helper()
	require.Eventually(t, func() bool { return r.metric(t, "fourinarow_waiting_requests") == float64(number) },
		2*time.Minute, 50*time.Millisecond, "%d wait", number)
}

// waitFor has the first owners of each game, one or both, wait for its news, each on a connection of its own. The
// returned function ends it.
func waitFor(t *testing.T, pairs []pair, owners int, at func(game int) *replica) (leave func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l := newLine(owners * len(pairs))
	l.http.Timeout = 0
	var waiting sync.WaitGroup
	fails := make(chan error, owners*len(pairs))
	inParallel(t, len(pairs), func(i int) error { // not all at once: they come as fast as they get their first answer
		for _, owner := range pairs[i].owners[:owners] {
			var begun gameSeen
			game := at(i).base() + "/v1/games/" + pairs[i].game
			if err := l.want(ctx, http.StatusOK, owner.token, http.MethodGet, game, "", &begun); err != nil {
				return err
			}
			waiting.Go(func() { fails <- l.waitOn(ctx, game, owner, begun.Version) })
		}
		return nil
	})
	return func() {
		stop()
		waiting.Wait()
		close(fails)
		for err := range fails {
			require.ErrorIs(t, err, context.Canceled)
		}
	}
}

// waitOn waits for one piece of news after another.
func (l line) waitOn(ctx context.Context, game string, owner guest, version int64) error {
	for {
		var seen gameSeen
		url := fmt.Sprintf("%s?after_version=%d&wait=600", game, version)
		if err := l.want(ctx, http.StatusOK, owner.token, http.MethodGet, url, "", &seen); err != nil {
			return err
		}
		version = seen.Version
	}
}
