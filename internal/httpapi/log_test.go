package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// logged reads the lines of a log.
func logged(t *testing.T, w *world) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(w.log.String()) {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		all = append(all, entry)
	}
	return all
}

func TestALineARequestAndNoSecretInIt(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, private)
		m.play(t, "44")
		m.red.get(t, gamePath(m.game)+"?after_version=1&lang=xx-"+secretInput)
		m.red.get(t, "/v1/invites/"+*m.table.InviteCode)
		w.get(t, "/v1/me", bearer(secretInput))
		m.red.send(t, http.MethodPatch, "/v1/me", nameBody(t, "\u202e"+secretInput))
		m.red.post(t, "/v1/tables", secretInput)
		w.get(t, "/"+secretInput)
		w.send(t, strings.ToUpper(secretInput), "/v1/me", "")
		w.get(t, "/healthz") // leaves no line
		w.get(t, "/readyz")
		text := w.log.String()
		for what, secret := range map[string]string{
			"a token": m.red.token, "another": m.yellow.token, "a code": *m.table.InviteCode, "a game's id": m.game.String(),
			"a body": "Иван", "a query": "after_version", "what was made up": secretInput, "a method": strings.ToUpper(secretInput),
		} {
			assert.NotContains(t, text, secret, what)
		}
		lines := logged(t, w)
		for _, line := range lines {
			assert.ElementsMatch(t,
				[]string{"time", "level", "msg", "method", "route", "operation", "status", "duration_ms", "request_id"},
				slices.Collect(maps.Keys(line)))
			assert.Equal(t, "INFO", line["level"])
		}
		first := lines[0]
		assert.Equal(t, "request", first["msg"])
		assert.Equal(t, "POST", first["method"])
		assert.Equal(t, "/v1/profiles", first["route"])
		assert.Equal(t, "openProfile", first["operation"])
		assert.EqualValues(t, 201, first["status"])
		assert.Len(t, lines, 4+2+7)
	})
}

// brokenGames are games that cannot be read.
type brokenGames struct {
	service.GameStore
	fail func() error
}

// Game fails.
func (b *brokenGames) Game(context.Context, game.ID) (game.Game, error) { return game.Game{}, b.fail() }

// brittleError can't be looked at.
type brittleError struct{}

func (brittleError) Error() string { return "it broke" }

// As panics.
func (brittleError) As(any) bool { panic(`duplicate key violates "games_secret_key"`) }

func failing(fail func() error) option {
	return func(w *world) {
		w.wired(func(d *service.Outside) { d.Games = &brokenGames{GameStore: d.Games, fail: fail} })
	}
}

func TestAFaultOfOursIsLoggedOnceAndToldToNobody(t *testing.T) {
	t.Parallel()
	for what, fail := range map[string]func() error{
		"an error":              func() error { return errors.New(`duplicate key violates "games_secret_key"`) },
		"a panic":               func() error { panic(`duplicate key violates "games_secret_key"`) },
		"a panic over an error": func() error { return brittleError{} },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := serve(t, testkit.SQLite(t), failing(fail))
			broken := w.get(t, "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12")
			assert.Equal(t, http.StatusInternalServerError, broken.status)
			p := broken.problem(t)
			assert.Equal(t, "internal", p.Code)
			assert.NotContains(t, string(broken.body), "games_secret_key")
			assert.Equal(t, 1, strings.Count(w.log.String(), "games_secret_key"), "once")
			entry := logged(t, w)[0]
			assert.Equal(t, "ERROR", entry["level"])
			assert.Equal(t, p.RequestID, entry["request_id"])
			assert.Equal(t, "getGame", entry["operation"])
			assert.Equal(t, what != "an error", strings.Contains(w.log.String(), "goroutine"), "a panic comes with its stack")
			assert.Equal(t, http.StatusOK, w.get(t, "/v1/service").status, "the service goes on")
		})
	}
}

func TestTheServiceIsReadyWhileItCanWork(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		assert.JSONEq(t, `{"status":"ok"}`, string(w.get(t, "/healthz").body))
		assert.JSONEq(t, `{"status":"ready"}`, string(w.get(t, "/readyz").body))
		w.stopping.Store(true)
		away := w.get(t, "/readyz")
		assert.Equal(t, http.StatusServiceUnavailable, away.status)
		assert.Equal(t, "unavailable", away.problem(t).Code)
		assert.NotContains(t, string(away.body), "stopping.", "why is for the log")
		assert.Equal(t, http.StatusOK, w.get(t, "/healthz").status)
		w.stopping.Store(false)
		assert.Equal(t, http.StatusOK, w.get(t, "/readyz").status)
	})
}

func TestADatabaseThatIsAwayIsTheServicesFault(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	w := serve(t, testkit.SQLite(t), func(w *world) {
		w.wired(func(d *service.Outside) {
			games := d.Games
			d.Games = &passing{GameStore: games, away: &away}
		})
	})
	m := w.match(t, public)
	away.Store(true)
	for _, a := range []answer{
		m.red.get(t, gamePath(m.game)), m.red.move(t, m.game, 4, 1), m.red.post(t, gamePath(m.game)+"/resignation", ""),
	} {
		assert.Equal(t, http.StatusServiceUnavailable, a.status)
		assert.Equal(t, "1", a.header.Get("Retry-After"))
		assert.EqualValues(t, 1000, *a.problem(t).RetryAfterMs)
		assert.Equal(t, "unavailable", a.problem(t).Code)
	}
	away.Store(false)
	assert.EqualValues(t, 1, m.red.plays(t, m.game, 4, 1).Ply, "it resumes by itself")
	assert.Equal(t, 3, strings.Count(w.log.String(), "a request could not be served"), "the operator is told why")
}
