package service

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
)

const (
	// outageGap is how long the heartbeat of the whole service may stand still before that is an outage.
	outageGap = 3 * time.Second
	// beatFresh is how old this process's last beat may be when it judges a clock. It is shorter than outageGap: had
	// the service been down since, this process would have to beat first and learn of it.
	beatFresh = 2 * time.Second
	// outagesKept is how far back outages matter: the longest turn and the longest sleep take a day.
	outagesKept = 49 * time.Hour
)

// HeartbeatStore keeps the heartbeat of the whole service.
type HeartbeatStore interface {
	// Beat touches the heartbeat, stores the outage before it when there was one longer than gap, and returns the
	// outages since a moment, oldest first.
	Beat(ctx context.Context, at time.Time, gap time.Duration, since time.Time) (game.Outages, error)
}

// Uptime knows when the whole service was down. It learns of it by the heartbeat in the database, which every
// replica touches.
type Uptime struct {
	store HeartbeatStore
	clock func() time.Time
	ready readiness
	known atomic.Pointer[game.Outages] // before the last beat, when that wasn't stored; nil: it was

	mu      sync.Mutex
	beaten  time.Time
	outages game.Outages
}

// NewUptime returns one that has not beaten yet.
func NewUptime(store HeartbeatStore, clock func() time.Time) *Uptime {
	return &Uptime{store: store, clock: clock, ready: readiness{}, known: atomic.Pointer[game.Outages]{}, mu: sync.Mutex{}, beaten: time.Time{}, outages: nil}
}

// Beat touches the heartbeat and learns of outages. The first beat of a process comes before it judges anything.
func (u *Uptime) Beat(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.beat(ctx)
}

func (u *Uptime) beat(ctx context.Context) error {
	now := u.clock()
	outages, err := u.store.Beat(ctx, now, outageGap, now.Add(-outagesKept))
	if ctx.Err() == nil { // else it says nothing about the database
		u.ready.tell(u.clock(), err)
	}
	if err != nil {
		if known := u.outages; !u.beaten.IsZero() && ctx.Err() == nil {
			u.known.Store(&known)
		}
		return wrap(err, "touch the heartbeat")
	}
	u.beaten, u.outages = now, outages
	u.known.Store(nil)
	return nil
}

// Outages returns the outages that a judgement now has to know.
func (u *Uptime) Outages(ctx context.Context) (game.Outages, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if age := u.clock().Sub(u.beaten); age > beatFresh || age < 0 {
		if err := u.beat(ctx); err != nil {
			return nil, err
		}
	}
	return u.outages, nil
}

// Known returns the outages that a reader is shown: those that a judgement has to know, or, while the database stores no
// beats, those that were known before. Then it doesn't try again: the worker does.
func (u *Uptime) Known(ctx context.Context) (game.Outages, error) {
	if known := u.known.Load(); known != nil {
		return *known, nil
	}
	outages, err := u.Outages(ctx)
	if known := u.known.Load(); err != nil && known != nil {
		return *known, nil
	}
	return outages, err
}

// Ready returns why this process can't do what it is asked for, or nil: the database has stored a beat of its own in the
// last five seconds, and after a longer silence three in a row. It asks nobody and waits for nobody.
func (u *Uptime) Ready() error { return u.ready.judge(u.clock()) }
