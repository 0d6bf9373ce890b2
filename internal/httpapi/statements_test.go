package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/connections"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// passing are games behind a database that is away now and then.
type passing struct {
	service.GameStore
	away *atomic.Bool
}

// Game reads a game, or says that the database is away.
func (p *passing) Game(ctx context.Context, id game.ID) (game.Game, error) {
	if p.away.Load() {
		return game.Game{}, fault.New(fault.Away, "the database does not answer now; send the same request again")
	}
	return p.GameStore.Game(ctx, id)
}

// KnownGame knows none while the database is away.
func (p *passing) KnownGame(id game.ID) (game.Game, bool) {
	if p.away.Load() {
		return game.Game{}, false
	}
	return p.GameStore.KnownGame(id)
}

// versionChecks is how many statements an unchanged game takes: none where one process serves a file.
func (w *world) versionChecks() int {
	if w.db.Config.URL.Dialect() == config.SQLite {
		return 0
	}
	return 1
}

// The clock stands still, so the tokens are known from the request before and not looked up again.
func TestAMoveIsOneStatementAndAnUnchangedPollAVersionCheck(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.red.get(t, "/v1/me")
		m.yellow.get(t, "/v1/me")
		for i, move := range []struct {
			by     player
			column int
		}{{m.red, 4}, {m.yellow, 4}, {m.red, 3}, {m.yellow, 5}} {
			w.db.Statements.Reset()
			move.by.plays(t, m.game, move.column, i+1)
			assert.Equal(t, testkit.Counts{Writes: 1}, w.db.Statements.Reset()) //nolint:exhaustruct // nothing else
		}
		for _, poll := range []func() answer{
			func() answer { return m.red.get(t, gamePath(m.game)+"?after_version=5") },
			func() answer { return m.red.get(t, gamePath(m.game), ifNoneMatch(`W/"5-r"`)...) },
			func() answer { return w.get(t, gamePath(m.game), ifNoneMatch(`W/"5"`)...) },
			func() answer { return m.red.move(t, m.game, 4, 1) }, // sent again
		} {
			w.db.Statements.Watch("SELECT version, stamp FROM games")
			w.db.Statements.Reset()
			require.Less(t, poll().status, 400)
			assert.Equal(t, testkit.Counts{Reads: w.versionChecks()}, w.db.Statements.Reset()) //nolint:exhaustruct // nothing else
			assert.Equal(t, w.versionChecks(), w.db.Statements.Watched())
		}
		for _, poll := range []func() answer{
			func() answer { return m.red.get(t, tablePath(m.table.ID), ifNoneMatch(`W/"2.5-1"`)...) },
		} {
			w.db.Statements.Reset()
			require.Less(t, poll().status, 400)
			counts := w.db.Statements.Reset()
			assert.Zero(t, counts.Writes)
			assert.LessOrEqual(t, counts.Reads, 1)
			assert.Zero(t, counts.Begins)
		}
	}, standingStill)
}

// A move after which the CPU is next sets its timer too; nothing that only shows presence is written at once.
func TestAMoveBeforeTheCPUSetsItsTimerAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		want := testkit.Counts{Reads: 0, Writes: 1, Begins: 0, Commits: 0, Rollbacks: 0}
		if w.db.Config.URL.Dialect() == config.SQLite {
			want = testkit.Counts{Reads: 0, Writes: 2, Begins: 1, Commits: 1, Rollbacks: 0}
		}
		m := w.match(t, public)
		versus := m.yellow.opens(t, versusCPU)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.get(t, "/v1/me")
		for _, move := range []func(){
			func() { m.red.plays(t, m.game, 4, 1) },
			func() { m.yellow.plays(t, *versus.CurrentGameID, 4, 1) },
		} {
			w.db.Statements.Reset()
			move()
			counts := w.db.Statements.Reset()
			want.Reads = counts.Reads
			assert.Equal(t, want, counts)
			assert.LessOrEqual(t, counts.Reads, 1)
		}
		for range 10 {
			m.red.reads(t, m.game)
			m.red.looks(t, m.table.ID)
			m.red.mine(t, "")
		}
		assert.Zero(t, w.db.Statements.Reset().Writes, "presence is written in batches")
		require.NoError(t, w.Presence.Write(t.Context()))
		assert.Equal(t, 2, w.db.Statements.Reset().Writes, "who is here, and that tables of hosts who come are listed")
		w.db.Clock.Advance(6 * time.Second)
		m.red.reads(t, m.game)
		w.db.Statements.Reset()
		require.NoError(t, w.Presence.Write(t.Context()))
		assert.Equal(t, 1, w.db.Statements.Reset().Writes, "who stays")
	}, standingStill)
}

func TestMetricsCountWhatHappens(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	m := w.match(t, public)
	waiting := later(t, w, func() answer { return m.yellow.get(t, gamePath(m.game)+"?after_version=1&wait=25") })
	assert.Contains(t, scrape(t, w), "fourinarow_waiting_requests 1\n")
	m.play(t, "1213141")
	within(t, waiting)
	m.red.move(t, m.game, 1, 9)
	w.get(t, "/nowhere")
	text := scrape(t, w)
	for _, line := range []string{
		`fourinarow_http_requests_total{operation="playMove",status="200"} 7`,
		`fourinarow_http_requests_total{operation="playMove",status="409"} 1`,
		`fourinarow_http_requests_total{operation="openProfile",status="201"} 2`,
		`fourinarow_http_requests_total{operation="none",status="404"} 1`,
		`fourinarow_moves_total{made_by="player",outcome="goes_on"} 6`,
		`fourinarow_moves_total{made_by="player",outcome="win"} 1`,
		`fourinarow_http_request_duration_seconds_count{operation="playMove"} 8`,
		`fourinarow_waiting_requests 0`,
	} {
		assert.Contains(t, text, line+"\n")
	}
	assert.NotContains(t, text, `fourinarow_http_request_duration_seconds_count{operation="getGame"}`, "waits don't spoil the times")
	for _, name := range []string{`go_sql_open_connections{db_name="`, "go_goroutines", "process_resident_memory_bytes"} {
		assert.Contains(t, text, name)
	}
}

func TestMetricsTellWhatBecomesOfConnections(t *testing.T) {
	t.Parallel()
	m := httpapi.NewMetrics(func() int { return 0 }, nil, func() (int64, int64) { return 0, 0 })
	m.WatchConnections(func() connections.Counts {
		return connections.Counts{Open: 7, Total: connections.Outcomes{Replaced: 1, Refused: 2}, PerAddress: connections.Outcomes{Replaced: 3, Refused: 4}}
	})
	text := scrape(t, &world{metrics: m})
	for _, line := range []string{
		`fourinarow_connections 7`,
		`fourinarow_connections_replaced_total{limit="connections_total"} 1`,
		`fourinarow_connections_refused_total{limit="connections_total"} 2`,
		`fourinarow_connections_replaced_total{limit="connections_per_address"} 3`,
		`fourinarow_connections_refused_total{limit="connections_per_address"} 4`,
	} {
		assert.Contains(t, text, line+"\n")
	}
}

func scrape(t *testing.T, w *world) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	w.metrics.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	require.Equal(t, http.StatusOK, recorder.Code)
	return recorder.Body.String()
}
