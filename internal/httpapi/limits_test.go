package httpapi_test

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestATokenMaySendOnlySoManyRequests(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	p, other := w.guest(t, "Ola"), w.guest(t, "Иван")
	first := p.get(t, "/v1/me")
	assert.Equal(t, "60", first.header.Get("RateLimit-Limit"))
	assert.Equal(t, "59", first.header.Get("RateLimit-Remaining"))
	assert.Equal(t, "1", first.header.Get("RateLimit-Reset"))
	for range 59 {
		require.Equal(t, http.StatusOK, p.get(t, "/v1/me").status)
	}
	refused := p.get(t, "/v1/me")
	assert.Equal(t, http.StatusTooManyRequests, refused.status)
	assert.Equal(t, "0", refused.header.Get("RateLimit-Remaining"))
	assert.Equal(t, "3", refused.header.Get("RateLimit-Reset"))
	assert.Equal(t, "1", refused.header.Get("Retry-After"))
	limited := refused.problem(t)
	assert.Equal(t, "rate_limited", limited.Code)
	assert.EqualValues(t, 50, *limited.RetryAfterMs)
	assert.Equal(t, http.StatusOK, other.get(t, "/v1/me").status, "another token has its own limit")

	w.db.Clock.Advance(time.Duration(*limited.RetryAfterMs) * time.Millisecond)
	assert.Equal(t, http.StatusOK, p.get(t, "/v1/me").status)
	assert.Equal(t, http.StatusTooManyRequests, p.get(t, "/v1/me").status)
}

func TestATokenMayPlayOnlySoFast(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	m := w.match(t, public)
	for range 5 {
		require.Equal(t, http.StatusConflict, m.red.move(t, m.game, 4, 9).status, "a refused move counts too")
	}
	refused := m.red.move(t, m.game, 4, 1)
	assert.Equal(t, "rate_limited", refused.problem(t).Code)
	assert.EqualValues(t, 200, *refused.problem(t).RetryAfterMs)
	assert.EqualValues(t, 0, m.now(t).Ply)
	assert.Equal(t, http.StatusConflict, m.yellow.move(t, m.game, 4, 1).status, "the opponent has a limit of its own")
	w.db.Clock.Advance(200 * time.Millisecond)
	assert.EqualValues(t, 1, m.red.plays(t, m.game, 4, 1).Ply)
}

func TestAnAddressMayOpenOnlySoManyProfiles(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t)) // the clock moves on: the limit on anonymous requests is another one
	for range 30 {
		require.Equal(t, http.StatusBadRequest, w.send(t, http.MethodPost, "/v1/profiles", "{").status, "what opens no profile costs none")
	}
	for range 20 {
		w.guest(t, "Ola")
	}
	refused := w.send(t, http.MethodPost, "/v1/profiles", "")
	assert.Equal(t, "rate_limited", refused.problem(t).Code)
	assert.Equal(t, "20", refused.header.Get("RateLimit-Limit"))
	w.db.Clock.Advance(3 * time.Minute)
	w.guest(t, "Ola")
}

func TestAnAddressMayReadOnlySoMuchWithoutAToken(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	p := w.guest(t, "Ola")
	for range 19 {
		require.Equal(t, http.StatusOK, w.get(t, "/v1/service").status)
	}
	assert.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/service").status)
	assert.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/me").status, "also where it is refused anyway")
	assert.Equal(t, http.StatusOK, p.get(t, "/v1/service").status, "who has a token is not counted with them")
	w.db.Clock.Advance(50 * time.Millisecond)
	assert.Equal(t, http.StatusOK, w.get(t, "/v1/service").status)
}

// Whatever brings no token is counted, but for looks at the health that bring nothing at all.
func TestEveryRequestWithoutATokenIsCountedAgainstItsAddress(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	p := w.guest(t, "Ola")
	w.db.Clock.Advance(time.Second)
	counted := []struct{ method, path, body string }{
		{"GET", "/docs", ""},
		{"GET", "/openapi.yaml", ""},
		{"GET", "/openapi.json", ""},
		{"GET", "/nowhere", ""},
		{"PUT", "/v1/me", ""},
		{"HEAD", "/docs", ""},
		{"OPTIONS", "/v1/me", ""},
		{"OPTIONS", "/nowhere", ""},
		{"GET", "/v1/games//moves", ""},
		{"GET", "/v1/me", ""},
		{"GET", "/healthz?deep=true", ""},
		{"GET", "/readyz?deep=true", ""},
		{"GET", "/healthz", "{}"},
		{"BREW", "/readyz", ""},
		{"POST", "/v1/profiles", "{"},
		{"POST", "/v1/device-tokens", "{}"},
	}
	for i, r := range counted {
		answered := w.send(t, r.method, r.path, r.body)
		require.NotEqual(t, http.StatusTooManyRequests, answered.status, "%s %s", r.method, r.path)
		assert.Equal(t, strconv.Itoa(19-i), answered.header.Get("RateLimit-Remaining"), "%s %s", r.method, r.path)
	}
	for range 20 - len(counted) {
		w.get(t, "/nowhere")
	}
	for _, r := range counted[:len(counted)-1] {
		refused := w.send(t, r.method, r.path, r.body)
		require.Equal(t, http.StatusTooManyRequests, refused.status, "%s %s", r.method, r.path)
		if r.method != http.MethodHead {
			assert.EqualValues(t, 50, *refused.problem(t).RetryAfterMs)
			assert.Contains(t, refused.problem(t).Detail, "anonymous_reads_per_second: ")
		}
	}
	assert.Equal(t, http.StatusTooManyRequests, p.get(t, "/nowhere").status, "a token isn't looked at for a path that there isn't")
	assert.Equal(t, http.StatusOK, p.get(t, "/v1/me").status)
	for _, path := range []string{"/healthz", "/readyz"} {
		answered := w.get(t, path)
		require.Equal(t, http.StatusOK, answered.status)
		require.Empty(t, answered.header.Get("RateLimit-Limit"), "not counted")
	}
}

// What is too long to bring a code is refused unread.
func TestARightCodeIsTakenHoweverManyRequestsItsAddressSends(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	p := w.guest(t, "Ola")
	code := decode[api.DeviceCode](t, p.post(t, "/v1/me/device-codes", ""), http.StatusCreated).Code
	for range 20 {
		w.get(t, "/nowhere")
	}
	long := w.send(t, http.MethodPost, "/v1/device-tokens", `{"code":"`+code+`"`+strings.Repeat(" ", 1024)+"}")
	assert.Equal(t, http.StatusTooManyRequests, long.status)
	assert.Equal(t, http.StatusBadRequest, w.send(t, http.MethodPost, "/v1/device-tokens", "{}").status)
	assert.Equal(t, http.StatusCreated, w.send(t, http.MethodPost, "/v1/device-tokens", `{"code":"`+code+`"}`).status)
}

func TestARightTokenIsNotRefusedForTheFailuresOfOthers(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	p := w.guest(t, "Ola")
	for range 60 {
		nobodys, err := profile.NewToken(rand.Reader)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, w.get(t, "/v1/me", bearer(string(nobodys))).status)
	}
	refused := w.get(t, "/v1/me", bearer("fir_guess"))
	assert.Equal(t, http.StatusTooManyRequests, refused.status)
	assert.EqualValues(t, 1000, *refused.problem(t).RetryAfterMs)
	assert.Equal(t, http.StatusOK, p.get(t, "/v1/me").status)
	w.db.Clock.Advance(time.Second)
	assert.Equal(t, http.StatusUnauthorized, w.get(t, "/v1/me", bearer("fir_guess")).status)
}

func TestARightCodeIsNotRefusedForTheFailuresOfOthers(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	host, guest, guesser := w.guest(t, "Ola"), w.guest(t, "Иван"), w.guest(t, "Zofia")
	table := host.opens(t, private)
	seats := tablePath(table.ID) + "/seats"
	for range 30 {
		require.Equal(t, http.StatusNotFound, guesser.get(t, "/v1/invites/0000000000").status)
		require.Equal(t, http.StatusNotFound, guesser.post(t, seats, `{"invite_code":"0000000000"}`).status)
	}
	w.db.Clock.Advance(900 * time.Millisecond) // 18 requests for the guesser, and not yet a guess
	assert.Equal(t, http.StatusTooManyRequests, guesser.get(t, "/v1/invites/0000000000").status)
	assert.Equal(t, http.StatusTooManyRequests, guesser.post(t, seats, `{"invite_code":"0000000000"}`).status)
	assert.Equal(t, http.StatusNotFound, guesser.post(t, seats, "").status, "without a code nothing is guessed")
	assert.Equal(t, http.StatusOK, guest.get(t, "/v1/invites/"+*table.InviteCode).status)
	assert.EqualValues(t, 2, *guest.joins(t, table).MySeat)
}

func TestTheLimitsCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill, configured("RATE_LIMIT=off"))
	for range 100 {
		answered := w.get(t, "/v1/service")
		require.Equal(t, http.StatusOK, answered.status)
		require.Empty(t, answered.header.Get("RateLimit-Limit"))
	}
	limits := decode[api.ServiceInfo](t, w.get(t, "/v1/service"), http.StatusOK).Limits
	assert.Zero(t, limits.RequestsPerSecond, "0 says that a limit is off")
	assert.Zero(t, limits.FailedSecretsPerMinute)
	assert.EqualValues(t, 30, limits.WaitSeconds)
}

// forwarded is what a proxy adds.
func forwarded(addresses ...string) header {
	return header{"X-Forwarded-For", strings.Join(addresses, ", ")}
}

func TestTwoClientsBehindOneTrustedProxyHaveTwoLimits(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill, configured("TRUSTED_PROXIES=127.0.0.0/8,10.0.0.0/8"))
	spend := func(by header) {
		for range 20 {
			require.Equal(t, http.StatusOK, w.get(t, "/v1/service", by).status)
		}
		require.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/service", by).status)
	}
	spend(forwarded("192.0.2.1"))
	spend(forwarded("192.0.2.2"))
	spend(forwarded("192.0.2.3", "10.1.2.3"))
	assert.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/service", forwarded("198.51.100.7", "192.0.2.1")).status,
		"what the client says of itself doesn't count")
	spend(forwarded("2001:db8:1:2::1"))
	assert.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/service", forwarded("2001:db8:1:2:ffff::9")).status,
		"a /64 is one client")
	spend(forwarded("2001:db8:1:3::1"))
	assert.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/service", forwarded("::ffff:192.0.2.1")).status)
	for _, withPort := range []string{"192.0.2.1:4711", "[2001:db8:1:2::1]:4711"} {
		assert.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/service", forwarded(withPort)).status, "a port is no other client")
	}
	spend(forwarded("192.0.2.4:4711"))
}

func TestWithoutTrustedProxiesNobodyIsBelieved(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	for i := range 20 {
		require.Equal(t, http.StatusOK, w.get(t, "/v1/service", forwarded("192.0.2."+string(rune('1'+i%9)))).status)
	}
	assert.Equal(t, http.StatusTooManyRequests, w.get(t, "/v1/service", forwarded("192.0.2.77")).status)
}
