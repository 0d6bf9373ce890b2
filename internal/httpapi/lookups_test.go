package httpapi_test

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// slowLook is a store in which what is wrong is looked up only while the test lets it.
type slowLook struct {
	service.DeviceStore

	held    atomic.Bool // what comes now waits to go on
	goOn    chan struct{}
	looking atomic.Int64
	most    atomic.Int64 // at once
	looked  atomic.Int64 // in all
}

// wrong is a look-up that found nothing.
func (s *slowLook) wrong() {
	s.looked.Add(1)
	now := s.looking.Add(1)
	defer s.looking.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	if s.held.Load() {
		<-s.goOn
	}
}

// UseDeviceCode looks a code up.
func (s *slowLook) UseDeviceCode(ctx context.Context, hash profile.CodeHash, d profile.Device) (profile.Profile, error) {
	p, err := s.DeviceStore.UseDeviceCode(ctx, hash, d)
	if err != nil {
		s.wrong()
	}
	return p, err
}

// HolderOf looks a token up.
func (s *slowLook) HolderOf(ctx context.Context, hash profile.TokenHash) (profile.Holder, error) {
	holder, err := s.DeviceStore.HolderOf(ctx, hash)
	if err != nil {
		s.wrong()
	}
	return holder, err
}

// slowAdmins does the same with the tokens of admins.
type slowAdmins struct {
	service.AdminStore
	slow *slowLook
}

// AdminByToken looks a token up.
func (s *slowAdmins) AdminByToken(ctx context.Context, hash admin.TokenHash) (admin.Admin, error) {
	who, err := s.AdminStore.AdminByToken(ctx, hash)
	if err != nil {
		s.slow.wrong()
	}
	return who, err
}

func TestPastTheLimitAnAddressLooksCodesUpOneAtATime(t *testing.T) {
	t.Parallel()
	store := &slowLook{DeviceStore: nil, goOn: make(chan struct{})} //nolint:exhaustruct // counters
	w := serve(t, testkit.SQLite(t), standingStill, configured("RATE_FAILURES_PER_MINUTE=3", "TRUSTED_PROXIES=127.0.0.0/8"), func(w *world) {
		w.wired(func(o *service.Outside) { store.DeviceStore, o.Devices = o.Devices, store })
	})
	p := w.guest(t, "Ola")
	code, elsewhere := p.code(t), p.code(t)
	comesIn := func(code string, from ...string) answer {
		return w.send(t, http.MethodPost, "/v1/device-tokens", `{"code":"`+code+`"}`, forwarded(from...))
	}
	for range 3 {
		require.Equal(t, http.StatusNotFound, comesIn("0000000000", "192.0.2.1").status)
	}
	require.Equal(t, http.StatusTooManyRequests, comesIn("0000000000", "192.0.2.1").status)

	const guesses = 200
	looked := store.looked.Load()
	store.most.Store(0)
	store.held.Store(true)
	answers := make(chan answer, guesses)
	var all sync.WaitGroup
	for range guesses {
		all.Go(func() { answers <- comesIn("0000000000", "192.0.2.1") })
	}
	for range guesses - 65 { // the rest wait for their turn
		assert.Equal(t, http.StatusTooManyRequests, (<-answers).status)
	}
	assert.EqualValues(t, 1, store.looked.Load()-looked, "who comes when many wait is refused without a look")
	store.held.Store(false)
	assert.Equal(t, http.StatusCreated, comesIn(elsewhere.Code, "192.0.2.2").status, "another address doesn't wait for it")
	store.most.Store(0)
	close(store.goOn)
	all.Wait()
	close(answers)
	for a := range answers {
		assert.Equal(t, "rate_limited", a.problem(t).Code)
	}
	assert.EqualValues(t, 1, store.most.Load(), "at once")
	assert.EqualValues(t, 65, store.looked.Load()-looked)
	assert.Equal(t, http.StatusCreated, comesIn(code.Code, "192.0.2.1").status, "a right code is good")
}

// nobodysToken is a token of a player that nobody holds.
func nobodysToken(t *testing.T) header {
	t.Helper()
	token, err := profile.NewToken(rand.Reader)
	require.NoError(t, err)
	return bearer(string(token))
}

func TestPastTheLimitAnAddressLooksUnknownTokensUpOneAtATime(t *testing.T) {
	t.Parallel()
	store := &slowLook{DeviceStore: nil, goOn: make(chan struct{})} //nolint:exhaustruct // counters
	w := serve(t, testkit.SQLite(t), standingStill, configured("RATE_FAILURES_PER_MINUTE=3", "TRUSTED_PROXIES=127.0.0.0/8"), func(w *world) {
		w.wired(func(o *service.Outside) {
			store.DeviceStore, o.Devices = o.Devices, store
			o.Admins = &slowAdmins{AdminStore: o.Admins, slow: store}
		})
	})
	known, fresh, elsewhere := w.guest(t, "Ola"), w.guest(t, "Иван"), w.guest(t, "Zofia")
	require.Equal(t, http.StatusOK, known.get(t, "/v1/me").status)
	nobodysAdmin, err := admin.NewToken(rand.Reader)
	require.NoError(t, err)
	asks := func(who header, from string) answer { return w.get(t, "/v1/me", who, forwarded(from)) }
	for range 3 {
		require.Equal(t, http.StatusUnauthorized, asks(nobodysToken(t), "192.0.2.1").status)
	}

	const guesses = 60
	store.held.Store(true)
	looked := store.looked.Load()
	answers := make(chan answer, guesses)
	var all sync.WaitGroup
	for i := range guesses {
		guess := nobodysToken(t)
		if i%3 == 0 {
			guess = bearer(string(nobodysAdmin))
		}
		all.Go(func() { answers <- asks(guess, "192.0.2.1") })
	}
	assert.Equal(t, http.StatusTooManyRequests, asks(bearer("fir_guess"), "192.0.2.1").status, "what is no token is not looked up")
	assert.Equal(t, http.StatusOK, asks(bearer(known.token), "192.0.2.1").status, "known from memory")
	w.db.Clock.Advance(3 * time.Second)
	assert.Equal(t, http.StatusOK, asks(bearer(known.token), "192.0.2.1").status, "who was right before doesn't wait for the guesses of others")
	assert.Equal(t, http.StatusOK, asks(bearer(elsewhere.token), "192.0.2.2").status, "nor does another address")
	all.Go(func() {
		assert.Equal(t, http.StatusOK, asks(bearer(fresh.token), "192.0.2.1").status, "a right token waits for its turn and is never refused")
	})
	assert.LessOrEqual(t, store.looked.Load()-looked, int64(1))
	close(store.goOn)
	all.Wait()
	close(answers)
	for a := range answers {
		assert.Equal(t, http.StatusTooManyRequests, a.status)
		assert.Contains(t, a.problem(t).Detail, "failed_secrets_per_minute: ")
	}
	assert.EqualValues(t, guesses, store.looked.Load()-looked)
	assert.EqualValues(t, 1, store.most.Load(), "at once")
}

func TestATokenThatIsWrongByNowIsAGuess(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill, configured("RATE_FAILURES_PER_MINUTE=1"))
	p, other := w.guest(t, "Ola"), w.guest(t, "Иван")
	require.Equal(t, http.StatusOK, p.get(t, "/v1/me").status)
	_, err := w.db.Store.RemoveDevices(t.Context(), profile.ID(p.id.String()), "") // another replica does it
	require.NoError(t, err)
	w.db.Clock.Advance(3 * time.Second)
	assert.Equal(t, http.StatusUnauthorized, p.get(t, "/v1/me").status)
	assert.Equal(t, http.StatusTooManyRequests, p.get(t, "/v1/me").status, "it counted, as any other")
	assert.Equal(t, http.StatusOK, other.get(t, "/v1/me").status)
}
