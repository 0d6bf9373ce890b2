//go:build soak

package main_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

const (
	honestMoves = 300                    // of a pair, for each attack
	honestPace  = 110 * time.Millisecond // from one move to the next: a token may make five a second

	slowestMove = 500 * time.Millisecond
	// allowedP95 is what 95 of 100 moves may take however fast they are beside attackers who aim elsewhere.
	allowedP95 = 30 * time.Millisecond
	// allowedMemory is what the process may take, in bytes.
	allowedMemory = 256e6
)

// stalls are the ways to stall the service that internal/testkit/attacker knows, with the settings that make them possible.
var stalls = []struct {
	name     string
	tokens   int
	settings []string
}{
	{"parameters", 0, nil},
	{"fields", 0, nil},
	{"codes", 0, nil},
	{"secrets", 0, nil},
	{"documents", 0, nil},
	{"paths", 0, nil},
	{"preflights", 0, nil},
	{"connections", 0, nil},
	{"pipelines", 0, nil},
	{"waits", 1, nil},
	{"hints", 12, nil},
	{"exports", 1, nil},
	{"profiles", 0, []string{"TRUSTED_PROXIES=127.0.0.1/32"}},
}

// exportedGames is how many games the guest has who asks for exports.
const exportedGames = 4900

// The limits are those of a service that nobody has set up. Attackers and the honest come from different addresses.
func TestSoakNobodyStallsIt(t *testing.T) {
	attacker := filepath.Join(t.TempDir(), "attacker")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", attacker, "../../internal/testkit/attacker").CombinedOutput()
	require.NoError(t, err, "%s", out)
	idle, said := exec.CommandContext(t.Context(), attacker, "-idle"), &output{}
	idle.Stdout = said
	elsewhere := start(t, idle, said).base
	for _, database := range []string{"sqlite", "postgres"} {
		for _, s := range stalls {
			t.Run(database+" "+s.name, func(t *testing.T) {
				url := "sqlite://" + filepath.Join(t.TempDir(), "games.db")
				if database == "postgres" {
					url = testkit.Postgres(t).Config.URL.DSN()
				}
				settings := append([]string{"LOG_LEVEL=warn", "METRICS_ADDR=127.0.0.1:0", "DATABASE_URL=" + url}, s.settings...)
				seen := siege{attacker: attacker, attack: s.name, tokens: nil, target: ""}
				if s.name == "exports" {
					seen.tokens = []string{manyGames(t, settings, soak.Scaled(t, exportedGames))}
				}
				cmd, out := command(t, settings)
				r := &replica{settings: settings}
				p := start(t, cmd, out)
				r.running.Store(&p)
				for range s.tokens - len(seen.tokens) {
					g, err := newLine(1).guest(t.Context(), p.base)
					require.NoError(t, err)
					seen.tokens = append(seen.tokens, g.token)
				}
				h := newHonest(t, r)
				seen.target = elsewhere
				before := seen.moves(t, h)
				seen.target = p.base
				during := seen.moves(t, h)
				stopped(t, p)
				assert.NotRegexp(t, `level=ERROR|panic|fatal error`, out.String())
				before.compare(t, during)
			})
		}
	}
	stopped(t, process{cmd: idle, out: said, base: elsewhere})
}

// manyGames has a guest play many games, on a service without limits that is stopped then. It returns its token.
func manyGames(t *testing.T, settings []string, number int) string {
	t.Helper()
	cmd, out := command(t, append([]string{"RATE_LIMIT=off", "OPEN_TABLES_PER_PROFILE=1000"}, settings...))
	p := start(t, cmd, out)
	l := newLine(atOnce)
	g, err := l.guest(t.Context(), p.base)
	require.NoError(t, err)
	inParallel(t, number, func(int) error {
		var opened tableSeen
		if err := l.want(t.Context(), http.StatusCreated, g.token, http.MethodPost, p.base+"/v1/tables", `{"opponent":"cpu"}`, &opened); err != nil {
			return err
		}
		var over gameSeen
		err := l.want(t.Context(), http.StatusOK, g.token, http.MethodPost, p.base+"/v1/games/"+opened.GameID+"/resignation", "", &over)
		if err != nil {
			return err
		}
		left, err := l.ask(t.Context(), g.token, http.MethodDelete, p.base+"/v1/tables/"+opened.ID+"/seats/me", "")
		if err == nil && left.status != http.StatusNoContent {
			err = fmt.Errorf("leave: %d: %s", left.status, left.body)
		}
		return err
	})
	stopped(t, p)
	return g.token
}

// siege is attackers at work, at the least priority that there is.
type siege struct {
	attacker, attack string
	tokens           []string
	target           string
}

// moves lets the honest move while attackers aim at the target.
func (s siege) moves(t *testing.T, h *honest) figuresOfMoves {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	said := &output{}
	cmd := exec.CommandContext(ctx, "nice", "-n", "19", s.attacker, "-attack", s.attack, "-base", s.target,
		"-game", h.game, "-tokens", strings.Join(s.tokens, ","))
	cmd.Stdout, cmd.Stderr = said, said
	require.NoError(t, cmd.Start())
	seen := h.plays(t, soak.Scaled(t, honestMoves))
	stop()
	require.Error(t, cmd.Wait(), "it was killed")
	assert.Empty(t, said.String(), "attackers attack to the end")
	return seen
}

// honest is a pair that plays one game after another.
type honest struct {
	pair

	replica *replica
	line    line
	played  int
}

// drawn is a game of 42 moves without a line.
const drawn = "643426421252361677317153414534371522655677"

func newHonest(t *testing.T, r *replica) *honest {
	t.Helper()
	l := newLine(2)
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	l.http.Transport = &http.Transport{MaxIdleConnsPerHost: 2, DialContext: from.DialContext}
	h := &honest{replica: r, line: l}
	for i := range h.owners {
		var err error
		h.owners[i], err = l.guest(t.Context(), r.base())
		require.NoError(t, err)
	}
	h.sitDown(t)
	return h
}

func (h *honest) sitDown(t *testing.T) {
	t.Helper()
	var err error
	h.pair, err = h.line.pair(t.Context(), h.replica.base(), public, h.owners)
	require.NoError(t, err)
	h.played = 0
}

// plays makes so many moves, and asks for a hint now and then.
func (h *honest) plays(t *testing.T, number int) figuresOfMoves {
	t.Helper()
	var seen figuresOfMoves
	pace := time.NewTicker(honestPace)
	defer pace.Stop()
	for nth := range number {
		<-pace.C
		owner := h.owners[h.played%2]
		column, err := strconv.Atoi(drawn[h.played : h.played+1])
		require.NoError(t, err)
		began := time.Now()
		a, err := h.line.ask(t.Context(), owner.token, http.MethodPost, moves(h.replica.base(), h.game), move(h.played+1, column))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
		seen.took = append(seen.took, time.Since(began))
		h.played++
		if nth%10 == 9 {
			h.studies(t, owner)
			seen.memory = max(seen.memory, h.replica.metric(t, "process_resident_memory_bytes"))
		}
		g, _, err := a.read()
		require.NoError(t, err)
		if g.over() { // a game without a line ends before its last moves
			h.sitDown(t)
		}
	}
	return seen
}

// studies asks for what perfect play knows.
func (h *honest) studies(t *testing.T, owner guest) {
	t.Helper()
	a, err := h.line.ask(t.Context(), owner.token, http.MethodGet, h.replica.base()+"/v1/positions/"+drawn[:h.played], "")
	if assert.NoError(t, err) {
		assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
	}
}

// figuresOfMoves is what moves took, and the most memory that the process was seen to have.
type figuresOfMoves struct {
	took   []time.Duration
	memory float64
}

func (f figuresOfMoves) p95() time.Duration { return f.took[len(f.took)*95/100] }

// compare holds moves beside attackers to those beside attackers who aimed elsewhere. Of a few moves only what can be counted
// is held to anything.
func (f figuresOfMoves) compare(t *testing.T, attacked figuresOfMoves) {
	t.Helper()
	slices.Sort(f.took)
	slices.Sort(attacked.took)
	slowest := attacked.took[len(attacked.took)-1]
	t.Logf("%d moves: p95 %v, at most %v; while the attackers aimed elsewhere p95 %v; %.0f MB",
		len(attacked.took), attacked.p95(), slowest, f.p95(), attacked.memory/1e6)
	assert.Less(t, attacked.memory, allowedMemory)
	if len(attacked.took) < honestMoves {
		return
	}
	assert.LessOrEqual(t, attacked.p95(), max(3*f.p95(), allowedP95))
	assert.LessOrEqual(t, slowest, slowestMove, fmt.Sprint(attacked.took[len(attacked.took)-5:]))
}
