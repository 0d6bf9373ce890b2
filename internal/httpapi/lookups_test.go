package httpapi_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// slowLook is a store in which codes are looked up only while the test lets them.
type slowLook struct {
	service.DeviceStore

	held    atomic.Bool // what comes now waits to go on
	goOn    chan struct{}
	looking atomic.Int64
	most    atomic.Int64 // at once
	looked  atomic.Int64 // in all
}

// UseDeviceCode looks a code up.
func (s *slowLook) UseDeviceCode(ctx context.Context, hash profile.CodeHash, d profile.Device) (profile.Profile, error) {
	s.looked.Add(1)
	now := s.looking.Add(1)
	defer s.looking.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	if s.held.Load() {
		<-s.goOn
	}
	return s.DeviceStore.UseDeviceCode(ctx, hash, d)
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
	assert.EqualValues(t, 65+1, store.looked.Load()-looked)
	assert.Equal(t, http.StatusCreated, comesIn(code.Code, "192.0.2.1").status, "a right code is good")
}
