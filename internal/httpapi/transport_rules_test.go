package httpapi_test

import (
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestABrowserMayCallFromAnyPage(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	origin := header{"Origin", "https://example.com"}
	preflight := w.send(t, http.MethodOptions, "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12/moves", "", origin,
		header{"Access-Control-Request-Method", "POST"}, header{"Access-Control-Request-Headers", "authorization,content-type"})
	assert.Equal(t, http.StatusNoContent, preflight.status)
	assert.Equal(t, "*", preflight.header.Get("Access-Control-Allow-Origin"))
	assert.Contains(t, preflight.header.Get("Access-Control-Allow-Methods"), "POST")
	for _, name := range []string{"Authorization", "Content-Type", "If-None-Match", "X-Request-Id"} {
		assert.Contains(t, preflight.header.Get("Access-Control-Allow-Headers"), name)
	}
	assert.Empty(t, preflight.header.Get("Access-Control-Allow-Credentials"), "no cookies")
	for _, path := range []string{"/v1/service", "/v1/me", "/nowhere"} {
		answered := w.get(t, path, origin)
		assert.Equal(t, "*", answered.header.Get("Access-Control-Allow-Origin"), path)
		for _, name := range []string{"ETag", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Location", "Date", "X-Request-Id"} {
			assert.Contains(t, answered.header.Get("Access-Control-Expose-Headers"), name)
		}
		assert.Empty(t, answered.header.Get("Set-Cookie"))
	}
}

// Browsers send a preflight for each URL that is new to them: none costs a request of its address, or a line in the log.
func TestPreflightsAreCountedApart(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	asks := header{"Access-Control-Request-Method", "POST"}
	for range 200 {
		require.Equal(t, http.StatusNoContent, w.send(t, http.MethodOptions, "/v1/me", "", asks).status)
	}
	refused := w.send(t, http.MethodOptions, "/nowhere", "", asks)
	assert.Equal(t, http.StatusTooManyRequests, refused.status)
	assert.Equal(t, "*", refused.header.Get("Access-Control-Allow-Origin"))
	assert.Equal(t, "rate_limited", refused.problem(t).Code)
	assert.EqualValues(t, 5, *refused.problem(t).RetryAfterMs)
	assert.Contains(t, refused.problem(t).Detail, "preflights_per_second: ")
	assert.Empty(t, w.log.String())
	assert.Equal(t, "19", w.get(t, "/nowhere").header.Get("RateLimit-Remaining"))
	assert.Contains(t, scrape(t, w), `fourinarow_http_requests_total{operation="preflight",status="429"} 1`)
	w.db.Clock.Advance(5 * time.Millisecond)
	assert.Equal(t, http.StatusNoContent, w.send(t, http.MethodOptions, "/v1/me", "", asks).status)
}

// closing is a connection that is closed while a request on it is served.
type closing struct{ http.ResponseWriter }

func (closing) SetWriteDeadline(time.Time) error { return net.ErrClosed }

func TestARequestOnAClosedConnectionIsNobodysFault(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), func(w *world) {
		w.wrap = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { next.ServeHTTP(closing{rw}, r) })
		}
	})
	m := w.match(t, public)
	m.red.get(t, gamePath(m.game)+"?after_version=1&wait=1")
	assert.Contains(t, w.log.String(), `"operation":"getGame","status":499`)
	assert.NotContains(t, w.log.String(), `"level":"ERROR"`)
}

func TestEveryAnswerIsGuardedAgainstMisuse(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	for _, path := range []string{"/v1/service", "/v1/me", "/nowhere", "/docs"} {
		h := w.get(t, path).header
		assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		assert.Equal(t, "DENY", h.Get("X-Frame-Options"))
		assert.Equal(t, "no-referrer", h.Get("Referrer-Policy"))
		assert.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'")
	}
}

func TestHeadIsAnsweredAsGet(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for _, path := range []string{gamePath(m.game), tablePath(m.table.ID), "/v1/me", "/v1/tables", "/healthz", "/docs", "/openapi.yaml", "/openapi.json"} {
			plain := []header{{"Accept-Encoding", "identity"}} // or the client would ask for others in one of the two
			got, head := m.red.get(t, path, plain...), m.red.send(t, http.MethodHead, path, "", plain...)
			assert.Equal(t, got.status, head.status, path)
			assert.Empty(t, head.body, path)
			for _, name := range []string{"ETag", "Content-Type", "Cache-Control", "Content-Length"} {
				assert.Equal(t, got.header.Get(name), head.header.Get(name), "%s of %s", name, path)
			}
		}
		assert.Equal(t, http.StatusNotModified, m.red.send(t, http.MethodHead, gamePath(m.game), "", ifNoneMatch(`"1-r"`)...).status)
		assert.Equal(t, http.StatusUnauthorized, w.send(t, http.MethodHead, "/v1/me", "").status)
	})
}

func TestAnotherMethodIsRefusedWithThoseThatAreTaken(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	for _, row := range []struct{ method, path, allow string }{
		{"PUT", "/v1/me", "OPTIONS, DELETE, GET, HEAD, PATCH"},
		{"GET", "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12/resignation", "OPTIONS, POST"},
		{"HEAD", "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12/resignation", "OPTIONS, POST"},
		{"PUT", "/v1/tables", "OPTIONS, GET, HEAD, POST"},
		{"POST", "/healthz", "OPTIONS, GET, HEAD"},
		{"BREW", "/docs", "OPTIONS, GET, HEAD"},
	} {
		refused := w.send(t, row.method, row.path, "")
		assert.Equal(t, http.StatusMethodNotAllowed, refused.status, row.path)
		assert.Equal(t, row.allow, refused.header.Get("Allow"), row.path)
		if row.method != http.MethodHead {
			assert.Equal(t, "method_not_allowed", refused.problem(t).Code)
			assert.Equal(t, strings.ReplaceAll(row.path, "01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12", "{game_id}"), refused.problem(t).Instance)
		}
		asked := w.send(t, http.MethodOptions, row.path, "")
		assert.Equal(t, http.StatusNoContent, asked.status)
		assert.Equal(t, row.allow, asked.header.Get("Allow"))
	}
}

func TestAPathNobodyKnowsIsAProblemToo(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	for _, path := range []string{"/", "/v1", "/v1/", "/v2/me", "/v1/me/", "/v1/games/", "/v1/games//moves", "/v1/tables/x/seats/you", "/" + secretInput, "/metrics", "/V1/me"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
			refused := w.send(t, method, path, "")
			if refused.status == http.StatusMethodNotAllowed || refused.status == http.StatusNoContent {
				continue // the path is an operation's, with something missing
			}
			assert.Equal(t, http.StatusNotFound, refused.status, "%s %s", method, path)
			assert.Equal(t, "not_found", refused.problem(t).Code)
			assert.NotContains(t, string(refused.body), secretInput)
		}
	}
}

func TestARequestHasAnID(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	drawn := regexp.MustCompile(`^[0-9a-f]{16}$`)
	for _, given := range []string{"0b9f6a52-D1C8.4e77:1", "x", strings.Repeat("a", 128)} {
		answered := w.get(t, "/v1/me", header{"X-Request-Id", given})
		assert.Equal(t, given, answered.header.Get("X-Request-Id"))
		assert.Equal(t, given, answered.problem(t).RequestID)
		assert.Contains(t, w.log.String(), `"request_id":"`+given+`"`)
	}
	for _, given := range []string{"", "with space", "fir_q7Yb2mVx0cN4tR8sLw1ZpK5uJ9eHdGfA3iOo6XyTnQk", "<b>", strings.Repeat("a", 129), "ünï"} {
		answered := w.get(t, "/v1/service", header{"X-Request-Id", given})
		assert.Regexp(t, drawn, answered.header.Get("X-Request-Id"), given)
	}
	twice := w.get(t, "/v1/service", header{"X-Request-Id", "a"}, header{"X-Request-Id", "b"})
	assert.Regexp(t, drawn, twice.header.Get("X-Request-Id"))
	require.NotEqual(t, w.get(t, "/healthz").header.Get("X-Request-Id"), w.get(t, "/healthz").header.Get("X-Request-Id"))
}
