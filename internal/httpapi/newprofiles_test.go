package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// opensFrom opens a profile from an address.
func (w *world) opensFrom(t *testing.T, address string, a ...any) answer {
	t.Helper()
	return w.send(t, http.MethodPost, "/v1/profiles", "", forwarded(fmt.Sprintf(address, a...)))
}

// behindProxy lets tests say where their requests come from.
func behindProxy(settings ...string) option {
	return configured(append(settings, "TRUSTED_PROXIES=127.0.0.0/8")...)
}

func TestAnIPv6NetworkMayOpenOnlySoManyProfiles(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), behindProxy("RATE_PROFILES_PER_NETWORK_PER_HOUR=10"))
	for range 15 {
		require.Equal(t, http.StatusBadRequest, w.send(t, http.MethodPost, "/v1/profiles", "{", forwarded("2001:db8:1:ffff::1")).status,
			"what opens none costs none")
	}
	for i := range 10 {
		require.Equal(t, http.StatusCreated, w.opensFrom(t, "2001:db8:1:%x::1", i).status)
	}
	refused := w.opensFrom(t, "2001:db8:1:b::1")
	require.Equal(t, http.StatusTooManyRequests, refused.status, "another /64 of the same /48")
	assert.Equal(t, "profiles_per_network_per_hour: 10 profiles an hour may be opened from this network", refused.problem(t).Detail)
	assert.Positive(t, *refused.problem(t).RetryAfterMs)
	assert.Equal(t, http.StatusCreated, w.opensFrom(t, "2001:db8:2:b::1").status, "another /48")
	w.db.Clock.Advance(6 * time.Minute)
	assert.Equal(t, http.StatusCreated, w.opensFrom(t, "2001:db8:1:b::1").status)
	assert.Equal(t, http.StatusTooManyRequests, w.opensFrom(t, "2001:db8:1:c::1").status)
}

func TestHalfOfTheNewProfilesIsKeptForNewNetworks(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), behindProxy("RATE_PROFILES_PER_SECOND=10"), standingStill)
	for i := range 4 {
		require.Equal(t, http.StatusCreated, w.opensFrom(t, "192.0.2.%d", i).status)
	}
	w.db.Clock.Advance(time.Second)
	opened := 0
	for i := range 20 { // four networks that were here before
		if w.opensFrom(t, "192.0.2.%d", i%4).status == http.StatusCreated {
			opened++
		}
	}
	assert.Equal(t, 5, opened, "they have one half")
	refused := w.opensFrom(t, "192.0.2.1")
	assert.Equal(t, "profiles_per_second: 10 profiles a second may be opened by all together", refused.problem(t).Detail)
	assert.EqualValues(t, 1000, *refused.problem(t).RetryAfterMs)
	require.Equal(t, http.StatusBadRequest, w.send(t, http.MethodPost, "/v1/profiles", "{", forwarded("198.51.100.1")).status)
	for i := range 5 {
		assert.Equal(t, http.StatusCreated, w.opensFrom(t, "198.51.100.%d", i).status, "a network that has opened none")
	}
	assert.Equal(t, http.StatusTooManyRequests, w.opensFrom(t, "198.51.100.77").status)

	w.db.Clock.Advance(time.Hour)
	opened = 0
	for i := range 20 {
		if w.opensFrom(t, "192.0.2.%d", i%4).status == http.StatusCreated {
			opened++
		}
	}
	assert.Equal(t, 4+5, opened, "after an hour each is new once, and then they share")
}

func TestAProfileMayBeginOnlySoManyGames(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_GAMES_PER_HOUR=4"))
	host, guest := w.guest(t, "Ola"), w.guest(t, "Иван")
	table := host.opens(t, public)
	guest.joins(t, table)
	require.Equal(t, http.StatusNotFound, guest.post(t, tablePath(guest.id)+"/seats", "").status, "what is refused costs none")
	guest.opens(t, `{"opponent":"cpu"}`)
	guest.another(t).opens(t, public)
	require.Equal(t, http.StatusOK, guest.post(t, "/v1/quick-match", "").status)
	for _, refused := range []answer{
		guest.triesToOpen(t), guest.post(t, "/v1/quick-match", ""), guest.another(t).triesToOpen(t),
	} {
		require.Equal(t, http.StatusTooManyRequests, refused.status)
		assert.Equal(t, "games_per_hour: this profile may open tables and begin games 4 times an hour", refused.problem(t).Detail)
		assert.Equal(t, "4", refused.header.Get("RateLimit-Limit"))
	}
	host.plays(t, *host.looks(t, table.ID).CurrentGameID, 4, 1)
	host.opens(t, public)
	w.db.Clock.Advance(15 * time.Minute)
	guest.opens(t, public)
}

func TestARequestThatBeginsNothingCostsNoGame(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_GAMES_PER_HOUR=4"))
	host, guest := w.guest(t, "Ola"), w.guest(t, "Иван")
	named := `{"visibility":"public","client_ref":"01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12"}`
	table := host.opens(t, named)
	for range 10 {
		assert.Equal(t, table.ID, host.opens(t, named).ID, "sent again")
	}
	guest.joins(t, table)
	for range 10 {
		host.sits(t, table.ID)
		guest.sits(t, table.ID)
	}
	m := match{red: host, yellow: guest, table: host.looks(t, table.ID)}
	m.game = *m.table.CurrentGameID
	m.play(t, redWins)
	for range 10 {
		host.agrees(t, table.ID, m.game)
	}
	next := *guest.agrees(t, table.ID, m.game).CurrentGameID
	for range 10 {
		assert.Equal(t, next, *host.agrees(t, table.ID, m.game).CurrentGameID, "late")
	}
	for range 10 {
		guest.meets(t, "")
	}
	guest.opens(t, public)
	require.Equal(t, http.StatusTooManyRequests, guest.triesToOpen(t).status, "a seat, a rematch, a quick match and a table")
	for range 3 {
		host.opens(t, public)
	}
	require.Equal(t, http.StatusTooManyRequests, host.triesToOpen(t).status)
	assert.Equal(t, http.StatusTooManyRequests, host.post(t, "/v1/quick-match", "").status)
}
