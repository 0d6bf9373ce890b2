//go:build soak

package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// luck is where random numbers come from. Each goroutine has a source of its own.
type luck struct{ seed uint64 }

// drawn returns the luck of SOAK_SEED, or new luck, and says which.
func drawn(tb testing.TB) luck {
	tb.Helper()
	l := luck{seed: rand.Uint64()}
	if text := os.Getenv("SOAK_SEED"); text != "" {
		var err error
		l.seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(tb, err, "SOAK_SEED")
	}
	tb.Logf("SOAK_SEED=%d", l.seed)
	return l
}

func (l luck) source(n int) *rand.Rand { return rand.New(rand.NewPCG(l.seed, uint64(n))) }

// replica is a process of the service, which may be killed and started again.
type replica struct {
	settings []string
	running  atomic.Pointer[process]
}

// generous are limits that no soak test runs into.
var generous = []string{
	"LOG_LEVEL=warn", "METRICS_ADDR=127.0.0.1:0", "RATE_LIMIT=off", "OPEN_TABLES_PER_PROFILE=1000",
	"WAITERS_PER_TOKEN_AND_GAME=1000", "WAITERS_PER_ADDRESS=100000", "WAITERS_TOTAL=100000",
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

// answer is what the service said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// line is the connections of one device.
type line struct{ http *http.Client }

// newLine returns a line that keeps so many connections.
func newLine(connections int) line {
	return line{http: &http.Client{
		Timeout:   3 * time.Minute,
		Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true},
	}}
}

// ask sends a request. An error means that nobody knows what became of it.
func (l line) ask(ctx context.Context, token, method, url, body string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body == "" {
		request.Body = http.NoBody
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := l.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, err
	}
	return answer{status: response.StatusCode, header: response.Header, body: text}, nil
}

// want sends a request that must be answered with a status, and reads the answer into a value.
func (l line) want(ctx context.Context, status int, token, method, url, body string, into any) error {
	a, err := l.ask(ctx, token, method, url, body)
	switch {
	case err != nil:
		return err
	case a.status != status:
		return fmt.Errorf("%s %s: %d, not %d: %s", method, url, a.status, status, a.body)
	default:
		return json.Unmarshal(a.body, into)
	}
}

// gameSeen is a game as the service shows it.
type gameSeen struct {
	ID           string `json:"id"`
	Version      int64  `json:"version"`
	Status       string `json:"status"`
	Moves        string `json:"moves"`
	Movers       string `json:"movers"`
	Ply          int    `json:"ply"`
	Turn         string `json:"turn"`
	LegalColumns []int  `json:"legal_columns"`
	CanMove      bool   `json:"can_move"`
	RemainingMs  int64  `json:"remaining_ms"`
	Result       struct {
		EndedBy string `json:"ended_by"`
	} `json:"result"`
}

func (g gameSeen) over() bool { return g.Status == "finished" }

// problem is why a request was refused, with the game where it is about one.
type problem struct {
	Code string   `json:"code"`
	Game gameSeen `json:"game"`
}

// read is the answer as a game, or as a problem.
func (a answer) read() (gameSeen, problem, error) {
	var g gameSeen
	var p problem
	if a.status == http.StatusOK {
		return g, p, json.Unmarshal(a.body, &g)
	}
	err := json.Unmarshal(a.body, &p)
	return p.Game, p, err
}

// guest is a player.
type guest struct{ id, token string }

// tableSeen is a table as the service shows it.
type tableSeen struct {
	ID     string `json:"id"`
	GameID string `json:"current_game_id"`
	Seats  []struct {
		ProfileID string `json:"profile_id"`
	} `json:"seats"`
}

// guest opens a profile.
func (l line) guest(ctx context.Context, base string) (guest, error) {
	var opened struct {
		Profile struct {
			ID string `json:"id"`
		} `json:"profile"`
		Token string `json:"token"`
	}
	err := l.want(ctx, http.StatusCreated, "", http.MethodPost, base+"/v1/profiles", `{}`, &opened)
	return guest{id: opened.Profile.ID, token: opened.Token}, err
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

// pair is a game of two guests. The first one has seat 1 and is red.
type pair struct {
	table, game string
	owners      [2]guest
}

// public is the body that opens a public table without settings.
const public = `{"visibility":"public"}`

// pair opens a table for the first of two guests and seats the second.
func (l line) pair(ctx context.Context, base, table string, owners [2]guest) (pair, error) {
	var opened, taken tableSeen
	if err := l.want(ctx, http.StatusCreated, owners[0].token, http.MethodPost, base+"/v1/tables", table, &opened); err != nil {
		return pair{}, err
	}
	err := l.want(ctx, http.StatusOK, owners[1].token, http.MethodPost, base+"/v1/tables/"+opened.ID+"/seats", `{}`, &taken)
	return pair{table: opened.ID, game: taken.GameID, owners: owners}, err
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

func moves(base, game string) string { return base + "/v1/games/" + game + "/moves" }

func move(ply, column int) string { return fmt.Sprintf(`{"column":%d,"ply":%d}`, column, ply) }

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
