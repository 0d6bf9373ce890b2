package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// unkept is a store that keeps no more moves once it is told: the same move may be made again and again.
type unkept struct {
	service.GameStore
	told bool
}

// SaveGame returns the game as it would be.
func (u *unkept) SaveGame(ctx context.Context, before, after game.Game, look time.Time) (game.Game, error) {
	if u.told {
		return after, nil
	}
	return u.GameStore.SaveGame(ctx, before, after, look)
}

// bench is a service without a network, and a game in it.
type bench struct {
	handler     http.Handler
	red, yellow string // their tokens
	game        string
	tag         string
}

// newBench makes a service on SQLite, without limits and logs, and a game of some plies.
func newBench(tb testing.TB, plies string) *bench {
	tb.Helper()
	db := testkit.SQLite(tb)
	var games *unkept
	w := &world{db: db, log: &lines{}, level: slog.LevelWarn}
	w.wired(func(o *service.Outside) {
		games = &unkept{GameStore: o.Games}
		o.Games = games
	})
	configured("RATE_LIMIT=off")(w)
	hub := live.NewHub(w.config.Limits.WaitersTotal, w.waiterLimits(), db.Clock.Now)
	w.metrics = httpapi.NewMetrics(hub.Waiting, db.Store.Pools(), db.Store.Commits)
	made := &bench{handler: w.handler(tb, hub), red: "", yellow: "", game: "", tag: ""}
	for _, token := range []*string{&made.red, &made.yellow} {
		*token = field(made.posts(tb, "/v1/profiles", "", `{}`), "token")
	}
	table := made.posts(tb, "/v1/tables", made.red, public)
	seated := made.posts(tb, "/v1/tables/"+field(table, "id")+"/seats", made.yellow, `{}`)
	made.game = field(seated, "current_game_id")
	for i, digit := range plies {
		made.plays(tb, i+1, digit)
	}
	games.told = true
	made.tag = fmt.Sprintf(`W/"%d-r"`, len(plies)+1)
	return made
}

// field reads a text of an answer.
func field(answer, name string) string {
	_, rest, _ := strings.Cut(answer, `"`+name+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func (m *bench) request(method, path, token, body string) *http.Request {
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(context.Background(), method, path, sent)
	r.RemoteAddr = "192.0.2.1:1234"
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (m *bench) posts(tb testing.TB, path, token, body string) string {
	tb.Helper()
	answer := httptest.NewRecorder()
	m.handler.ServeHTTP(answer, m.request(http.MethodPost, path, token, body))
	require.Less(tb, answer.Code, http.StatusBadRequest, "%s: %s", path, answer.Body)
	return answer.Body.String()
}

func (m *bench) plays(tb testing.TB, ply int, column rune) {
	tb.Helper()
	mover := m.red
	if ply%2 == 0 {
		mover = m.yellow
	}
	m.posts(tb, "/v1/games/"+m.game+"/moves", mover, fmt.Sprintf(`{"ply":%d,"column":%c}`, ply, column))
}

// sink takes an answer and keeps its status.
type sink struct {
	header http.Header
	status int
	said   []byte
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { s.said = append(s.said[:0], p...); return len(p), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }

// repeat sends a request again and again.
func (m *bench) repeat(b *testing.B, want int, next func() *http.Request) {
	b.Helper()
	b.ReportAllocs()
	said := make([]byte, 0, 4096)
	for b.Loop() {
		answer := sink{header: http.Header{}, status: 0, said: said}
		m.handler.ServeHTTP(&answer, next())
		if answer.status != want {
			b.Fatalf("answered %d: %s", answer.status, answer.said)
		}
	}
}

// What an unchanged poll costs on SQLite, without a network.
func BenchmarkAnUnchangedPoll(b *testing.B) {
	const plies = "4444556"
	unchanged := func(m *bench) *http.Request {
		r := m.request(http.MethodGet, "/v1/games/"+m.game, m.red, "")
		r.Header.Set("If-None-Match", m.tag)
		return r
	}
	b.Run("nothing", func(b *testing.B) { // what a request itself costs here
		m := &bench{handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) })}
		m.repeat(b, http.StatusNotModified, func() *http.Request { return unchanged(m) })
	})
	b.Run("304", func(b *testing.B) {
		m := newBench(b, plies)
		m.repeat(b, http.StatusNotModified, func() *http.Request { return unchanged(m) })
	})
	b.Run("200", func(b *testing.B) {
		m := newBench(b, plies)
		m.repeat(b, http.StatusOK, func() *http.Request {
			return m.request(http.MethodGet, fmt.Sprintf("/v1/games/%s?after_version=%d", m.game, len(plies)+1), m.red, "")
		})
	})
}

// What a move costs beside writing it.
func BenchmarkAMove(b *testing.B) {
	m := newBench(b, "4444556")
	m.repeat(b, http.StatusOK, func() *http.Request {
		return m.request(http.MethodPost, "/v1/games/"+m.game+"/moves", m.yellow, `{"ply":8,"column":5}`)
	})
}
