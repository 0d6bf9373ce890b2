//go:build soak

package main_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/postgres"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// gather starts matches: half of them of two people, a quarter with one of them away, a quarter against the CPU. The
// returned function lets them stop and looks at what they have played.
func gather(t *testing.T, l soak.Luck, at []*replica, matches int) (*crowd, func()) {
	t.Helper()
	c := &crowd{replicas: at, lines: newLine(4 * matches)}
	guests := at[0].guests(t, 2*matches)
	kinds := []who{twoPeople, covered, twoPeople, versusCPU}
	fails := make(chan error, matches)
	var players sync.WaitGroup
	for i := range matches {
		players.Go(func() {
			owners := [2]guest{guests[2*i], guests[2*i+1]}
			if err := c.playMatch(t.Context(), kinds[i%len(kinds)], owners, l.Source(i)); err != nil {
				fails <- err
			}
		})
	}
	return c, func() {
		c.stop.Store(true)
		players.Wait()
		close(fails)
		for err := range fails {
			assert.NoError(t, err)
		}
		c.verify(t)
	}
}

// awaitMoves waits until so many more moves have been acknowledged.
func (c *crowd) awaitMoves(t *testing.T, number int) {
	t.Helper()
	before := c.acked.Load()
	require.Eventually(t, func() bool { return c.acked.Load() >= before+int64(number) }, 2*time.Minute, 20*time.Millisecond, "nobody moves any more")
}

// A replica is killed again and again in the middle of everybody's games.
func TestSoakKills(t *testing.T) {
	l := soak.Drawn(t)
	at := replicas(t, testkit.Postgres(t).Config.URL.DSN())
	matches := max(8, soak.Scaled(t, 200))
	c, verify := gather(t, l, at, matches)
	for i := range max(2, soak.Scaled(t, 20)) {
		c.awaitMoves(t, matches)
		victim := at[i%len(at)]
		victim.kill(t)
		c.awaitMoves(t, matches/2) // by the other one
		victim.start(t)
	}
	c.awaitMoves(t, 2*matches)
	verify()
}

// The database is killed in the middle of everybody's games, for longer than the clocks of some turns still had.
func TestSoakDatabaseKilled(t *testing.T) {
	l := soak.Drawn(t)
	programs, err := postgres.Find()
	require.NoError(t, err)
	database, err := postgres.Start(t.Context(), programs, postgres.Durable)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, database.Stop()) })
	at := replicas(t, database.URL())
	matches := max(8, soak.Scaled(t, 40))
	c, verify := gather(t, l, at, matches)
	waiting := sitStill(t, c, l)

	pause(t, 22*time.Second) // of the 30 of their clocks
	before, measured := waiting.remaining(t), time.Now()
	require.NoError(t, database.Kill())
	killed := time.Now()
	require.Eventually(t, func() bool { return statusOf(t, at[1], "/readyz") == http.StatusServiceUnavailable },
		10*time.Second, 100*time.Millisecond, "it notices after five seconds")
	for range 10 {
		waiting.assertUnavailable(t)
		pause(t, time.Second)
	}
	down := time.Since(killed)
	require.NoError(t, database.Restart(t.Context()))
	require.Eventually(t, func() bool {
		return statusOf(t, at[0], "/readyz") == http.StatusOK && statusOf(t, at[1], "/readyz") == http.StatusOK
	},
		time.Minute, 20*time.Millisecond, "it resumes by itself")
	c.awaitMoves(t, 2*matches)
	after := waiting.remaining(t)
	assert.GreaterOrEqual(t, after, before-(time.Since(measured)-down)-50*time.Millisecond, "the time in which it was down is given back")
	waiting.playOn(t)
	t.Logf("the database was down for %v; a clock that had %v left before has %v now", down.Round(time.Millisecond), before, after)
	verify()
}

func statusOf(t *testing.T, r *replica, path string) int {
	t.Helper()
	status, _ := r.running.Load().get(t, path)
	return status
}
