package service_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// heartbeat is a database that stores beats, unless it is full.
type heartbeat struct{ err error }

func (h *heartbeat) Beat(context.Context, time.Time, time.Duration, time.Time) (game.Outages, error) {
	return nil, h.err
}

// pulse is a process that beats once a second.
type pulse struct {
	*service.Uptime

	store *heartbeat
	clock *testkit.Clock
}

func newPulse() pulse {
	store, clock := &heartbeat{}, testkit.NewClock()
	return pulse{Uptime: service.NewUptime(store, clock.Now), store: store, clock: clock}
}

// beats once, a second after the last time.
func (p pulse) beats(t *testing.T) error {
	t.Helper()
	p.clock.Advance(time.Second)
	if err := p.Beat(t.Context()); p.store.err != nil {
		require.ErrorIs(t, err, p.store.err)
	} else {
		require.NoError(t, err)
	}
	return p.Ready()
}

func TestAProcessIsReadyFromItsFirstBeat(t *testing.T) {
	t.Parallel()
	p := newPulse()
	require.Error(t, p.Ready())
	require.NoError(t, p.beats(t))
}

func TestAProcessWhoseBeatsAreNotStoredIsNotReadyAfterFiveSeconds(t *testing.T) {
	t.Parallel()
	p := newPulse()
	require.NoError(t, p.beats(t))
	p.store.err = errors.New("database or disk is full")
	for range 5 {
		require.NoError(t, p.beats(t))
	}
	require.ErrorContains(t, p.beats(t), "has stored no heartbeat of this process since")
	p.store.err = nil
	require.ErrorContains(t, p.beats(t), "again: 1 of 3")
	require.ErrorContains(t, p.beats(t), "again: 2 of 3")
	require.NoError(t, p.beats(t))
}

func TestABeatThatFailsBeginsTheThreeAnew(t *testing.T) {
	t.Parallel()
	p := newPulse()
	require.NoError(t, p.beats(t))
	p.clock.Advance(6 * time.Second)
	require.Error(t, p.Ready(), "also when nothing beats at all")
	require.Error(t, p.beats(t))
	require.Error(t, p.beats(t))
	p.store.err = errors.New("attempt to write a readonly database")
	require.Error(t, p.beats(t))
	p.store.err = nil
	require.Error(t, p.beats(t))
	require.Error(t, p.beats(t))
	require.NoError(t, p.beats(t))
}

func TestABeatOfAnotherProcessMakesNobodyReady(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		other, own := service.NewUptime(db.Store, db.Clock.Now), service.NewUptime(db.Store, db.Clock.Now)
		require.NoError(t, own.Beat(t.Context()))
		for range 6 {
			db.Clock.Advance(time.Second)
			require.NoError(t, other.Beat(t.Context()))
		}
		require.NoError(t, other.Ready())
		require.Error(t, own.Ready())
	})
}

func TestWhetherAProcessIsReadyWaitsForNoBeat(t *testing.T) {
	t.Parallel()
	db, clock := &slowHeartbeat{asked: make(chan struct{}), answer: make(chan struct{})}, testkit.NewClock()
	u := service.NewUptime(db, clock.Now)
	ended := make(chan error, 1)
	go func() { ended <- u.Beat(t.Context()) }()
	<-db.asked
	require.Error(t, u.Ready())
	close(db.answer)
	require.NoError(t, <-ended)
	assert.NoError(t, u.Ready())
}

// slowHeartbeat answers when it is told to.
type slowHeartbeat struct{ asked, answer chan struct{} }

func (h *slowHeartbeat) Beat(context.Context, time.Time, time.Duration, time.Time) (game.Outages, error) {
	close(h.asked)
	<-h.answer
	return nil, nil
}
