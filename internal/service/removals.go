package service

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// removals is which devices were removed lately, as far as this process knows, and when it last looked for others. The
// zero value is ready.
type removals struct {
	mu     sync.Mutex
	at     map[profile.DeviceID]time.Time
	looked time.Time
}

const (
	// dismissedFor is how much longer than a token is taken for good a device that was removed is watched for: a request
	// that came with the token until then may begin to wait a little later.
	dismissedFor = 2 * time.Second
	// missedEvery is how often it is looked for devices whose removal was not published.
	missedEvery = 5 * time.Second
)

// Dismisser is the waiters of a process, by party; internal/live has it.
type Dismisser interface {
	Parties() []live.Party
	Dismisses
}

// Dismisses ends the waiting requests of parties that are gone.
type Dismisses interface {
	Dismiss(gone func(live.Party) bool)
}

// dismiss ends the waiting requests of devices that were removed, now and soon again.
func (s *Devices) dismiss(hub Dismisses, devices ...profile.DeviceID) {
	if len(devices) == 0 {
		return
	}
	s.removed.add(s.clock(), devices)
	s.dismissRemoved(hub)
}

// dismissRemoved ends the waiting requests of all devices that were removed lately.
func (s *Devices) dismissRemoved(hub Dismisses) {
	if gone := s.removed.since(s.clock().Add(-s.lifetime - dismissedFor)); len(gone) > 0 {
		hub.Dismiss(func(p live.Party) bool { return gone[profile.DeviceID(p.Device)] })
	}
}

// DismissRevoked ends the waiting requests of devices whose tokens were taken away: of those that this process knows of
// at each call, of others every five seconds.
func (s *Devices) DismissRevoked(ctx context.Context, hub Dismisser) error {
	s.dismissRemoved(hub)
	if !s.removed.due(s.clock()) {
		return nil
	}
	return s.dismissMissed(ctx, hub)
}

// dismissMissed asks the store which devices that have waiting requests aren't there any more, and ends these.
func (s *Devices) dismissMissed(ctx context.Context, hub Dismisser) error {
	waiting := map[profile.DeviceID]bool{}
	for _, p := range hub.Parties() {
		if p.Device != "" {
			waiting[profile.DeviceID(p.Device)] = true
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	gone, err := s.store.Revoked(ctx, slices.Collect(maps.Keys(waiting)))
	if err != nil {
		return wrap(err, "look for %d devices that wait", len(waiting))
	}
	s.dismiss(hub, slices.Collect(maps.Keys(gone))...)
	return nil
}

func (r *removals) add(at time.Time, devices []profile.DeviceID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == nil {
		r.at = make(map[profile.DeviceID]time.Time)
	}
	for _, id := range devices {
		r.at[id] = at
	}
}

// since forgets the devices that were removed before a moment, and returns the others.
func (r *removals) since(moment time.Time) map[profile.DeviceID]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	gone := make(map[profile.DeviceID]bool, len(r.at))
	for id, at := range r.at {
		if at.Before(moment) {
			delete(r.at, id)
			continue
		}
		gone[id] = true
	}
	return gone
}

// due reports whether it is time to look for removals that were not published, and counts that as done.
func (r *removals) due(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.looked) < missedEvery {
		return false
	}
	r.looked = now
	return true
}
