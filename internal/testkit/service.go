package testkit

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// CPUPace is how long the CPU of a service under test lets people see their own disc.
const CPUPace = 400 * time.Millisecond

// Service is a service under test. Its clock is the database's, and its worker is the test.
type Service struct {
	service.Parts

	Clock *Clock
	Hub   *live.Hub
}

// Wire makes one replica of a service on a database. Requests wait in a hub of the test; what else differs from a service
// as it usually is under test is changed before it is wired.
func Wire(tb testing.TB, db *Database, hub *live.Hub, changes ...func(*service.Outside)) Service {
	tb.Helper()
	outside := service.Outside{
		Stores: service.StoresOf(db.Store), Waiters: hub, Chooser: cpu.New(solver.NewPool(1, solver.Options{})),
		Readers: solver.NewPool(1, solver.Options{EarlyTableBits: 16, Book: Book(tb)}),
		Clock:   db.Clock.Now, Random: rand.Reader, Observe: Deaf{}, Due: func(time.Time) {},
		Settings: service.Settings{
			PublicURL: "https://four.example", OpenTables: 3, TokenCacheLifetime: 2 * time.Second, CPUPace: CPUPace,
			WaitAtMost: 30 * time.Second,
		},
	}
	for _, change := range changes {
		change(&outside)
	}
	parts, err := service.Wire(outside)
	require.NoError(tb, err)
	return Service{Parts: parts, Clock: db.Clock, Hub: hub}
}

// Unbroken makes a service that was never down, however its clock jumps.
func Unbroken(o *service.Outside) { o.Heartbeat = unbroken{o.Heartbeat} }

type unbroken struct{ service.HeartbeatStore }

// Beat finds no outage.
func (u unbroken) Beat(ctx context.Context, at time.Time, _ time.Duration, since time.Time) (game.Outages, error) {
	return u.HeartbeatStore.Beat(ctx, at, 10_000*time.Hour, since)
}

// Pass lets time go by in steps of a second, with all that falls due in each; a longer one would be an outage.
func (s Service) Pass(tb testing.TB, span time.Duration) {
	tb.Helper()
	for ; span > 0; span -= time.Second {
		s.Clock.Advance(min(span, time.Second))
		s.Work(tb)
	}
}

// Work does what is due now.
func (s Service) Work(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, s.Uptime.Beat(tb.Context()))
	require.NoError(tb, s.Presence.Write(tb.Context()))
	for range 5 { // what was done may make more due at once
		turns, claimed, err := s.Timers.Sweep(tb.Context())
		require.NoError(tb, err)
		for _, turn := range turns {
			require.NoError(tb, s.Timers.MoveCPU(tb.Context(), turn, cpu.Calm))
		}
		if claimed == 0 {
			return
		}
	}
}

// Waiters are limits on waiting requests that no test runs into by accident.
func Waiters() live.Limits {
	return live.Limits{Device: 4, Profile: 100, Address: 10_000, Strangers: 10}
}

// Deaf is an observer of a service that isn't interested.
type Deaf struct{}

// Moved does nothing.
func (Deaf) Moved(game.Controller, game.Outcome) {}

// Covered does nothing.
func (Deaf) Covered() {}

// Flipped does nothing.
func (Deaf) Flipped(game.Presence) {}

// WokeUp does nothing.
func (Deaf) WokeUp(time.Duration) {}

// Lagged does nothing.
func (Deaf) Lagged(time.Duration) {}

// Lowered does nothing.
func (Deaf) Lowered(string, string) {}

// CutShort does nothing.
func (Deaf) CutShort() {}
