//go:build soak

package main_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// replica is a process of the service, which may be killed and started again.
type replica struct {
	settings []string
	running  atomic.Pointer[process]
}

// generous are limits that no soak test runs into.
var generous = []string{
	"LOG_LEVEL=warn", "METRICS_ADDR=127.0.0.1:0", "RATE_LIMIT=off", "OPEN_TABLES_PER_PROFILE=1000",
	"WAITERS_PER_TOKEN_AND_GAME=1000", "WAITERS_PER_ADDRESS=100000", "WAITERS_PER_PROFILE=100000", "WAITERS_WITH_TOKEN_PER_ADDRESS=100000", "WAITERS_TOTAL=100000", "CONNECTIONS_PER_ADDRESS=100000",
}

// serving runs the service until the test ends.
func serving(t *testing.T, settings ...string) *replica {
	t.Helper()
	r := &replica{settings: slices.Concat(generous, settings)}
	r.start(t)
	t.Cleanup(func() {
		p := r.running.Load()
		r.kill(t)
		if log := p.out.String(); t.Failed() {
			t.Logf("the end of the log of %s:\n%s", p.base, log[max(0, len(log)-4000):])
		}
		assert.NotRegexp(t, `level=ERROR|panic|fatal error`, p.out.String())
	})
	return r
}

// replicas runs two processes of the service on one database.
func replicas(t *testing.T, url string, settings ...string) []*replica {
	t.Helper()
	settings = append([]string{"DATABASE_URL=" + url}, settings...)
	return []*replica{serving(t, settings...), serving(t, settings...)}
}

// onBothDatabases runs a test against the service on SQLite and on PostgreSQL, one after the other.
func onBothDatabases(t *testing.T, test func(t *testing.T, r *replica)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		test(t, serving(t, "DATABASE_URL=sqlite://"+filepath.Join(t.TempDir(), "games.db")))
	})
	t.Run("postgres", func(t *testing.T) {
		test(t, serving(t, "DATABASE_URL="+testkit.Postgres(t).Config.URL.DSN()))
	})
}

// start runs the process, at a new address as behind a balancer.
func (r *replica) start(t *testing.T) {
	t.Helper()
	cmd, out := command(t, r.settings)
	p := start(t, cmd, out)
	r.running.Store(&p)
}

// kill ends the process as a power cut would.
func (r *replica) kill(t *testing.T) {
	t.Helper()
	cmd := r.running.Load().cmd
	_ = cmd.Process.Kill() // at the end of a test it is killed already
	require.Error(t, cmd.Wait(), "it was killed")
}

func (r *replica) base() string { return r.running.Load().base }

// metric is the value of a metric without labels.
func (r *replica) metric(t *testing.T, name string) float64 {
	t.Helper()
	_, metrics := r.running.Load().get(t, "/metrics")
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(metrics)
	require.NotNil(t, found, name)
	value, err := strconv.ParseFloat(found[1], 64)
	require.NoError(t, err)
	return value
}

// guests opens profiles.
func (r *replica) guests(t *testing.T, number int) []guest {
	t.Helper()
	l, opened := newLine(atOnce), make([]guest, number)
	inParallel(t, number, func(i int) (err error) {
		opened[i], err = l.guest(t.Context(), r.base())
		return err
	})
	return opened
}

// pairs opens games between guests of their own.
func (r *replica) pairs(t *testing.T, number int, table string) []pair {
	t.Helper()
	guests := r.guests(t, 2*number)
	l, opened := newLine(atOnce), make([]pair, number)
	inParallel(t, number, func(i int) (err error) {
		opened[i], err = l.pair(t.Context(), r.base(), table, [2]guest{guests[2*i], guests[2*i+1]})
		return err
	})
	return opened
}

// atOnce is how many things are set up at the same time.
const atOnce = 16

// inParallel does something so many times, some of them at once.
func inParallel(t *testing.T, number int, do func(i int) error) {
	t.Helper()
	var (
		workers sync.WaitGroup
		next    atomic.Int64
		fails   = make(chan error, atOnce)
	)
	for range atOnce {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(number); i = next.Add(1) - 1 {
				if err := do(int(i)); err != nil {
					fails <- err
					return
				}
			}
		})
	}
	workers.Wait()
	close(fails)
	for err := range fails {
		require.NoError(t, err)
	}
}

// pause lets time pass.
func pause(t *testing.T, d time.Duration) {
	t.Helper()
	require.NoError(t, rest(t.Context(), d))
}

// rest lets time pass unless ctx is done before.
func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// figures are durations to be told of.
type figures struct {
	mu  sync.Mutex
	all []time.Duration
}

func (f *figures) add(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, d)
}

// at is the figure that a share of all is below; 0 when there are none.
func (f *figures) at(share float64) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.all) == 0 {
		return 0
	}
	slices.Sort(f.all)
	return f.all[min(len(f.all)-1, int(share*float64(len(f.all))))].Round(100 * time.Microsecond)
}

// String is the middle, the last hundredth and the longest.
func (f *figures) String() string {
	return fmt.Sprintf("p50 %v, p99 %v, max %v of %d", f.at(.5), f.at(.99), f.at(1), len(f.all))
}
