package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// PresenceLog is which owners this process has heard of lately, and which wait here right now. It is written to the
// database in batches: an owner soon after this process has first heard of it, then only now and again. So a crash
// loses at most some seconds of somebody's presence, and one crash after another not much more.
type PresenceLog struct {
	store PresenceStore
	clock func() time.Time

	mu     sync.Mutex
	visits map[seatOf]visit
	waits  map[seatOf]int                 // requests that wait
	hours  map[profile.DeviceID]time.Time // in which devices were heard of, unless that is stored
}

// visit is what is known of one owner.
type visit struct {
	heard  time.Time // of it, last
	stored time.Time // what of that is stored, or under way
	wrote  time.Time // when that was sent
	listed time.Time // when its table was put on the list of those that wait, were it not there
	often  bool      // it searches for an opponent, and others see only what is stored
}

// forgetAfter is how long an owner is remembered that isn't heard of: longer than any grace.
const forgetAfter = 5 * time.Minute

// writeOften is how long a player who waits for a quick match isn't written again: with the pause between two writes less than
// three seconds.
const writeOften = 1500 * time.Millisecond

// listAfter is after what silence a host's table may have been taken off the list of those that wait, and listAgain how
// often it is put there anyhow: a host who comes back at that moment may have been taken off after that.
const (
	listAfter = 8 * time.Second
	listAgain = time.Minute
)

// seatOf is a seat of a table, as a key.
type seatOf struct {
	table table.ID
	seat  game.Seat
}

// PresenceStore keeps when owners and devices were last heard of.
type PresenceStore interface {
	// SeeOwners stores when owners were last heard of, later than what is stored.
	SeeOwners(ctx context.Context, seen []SeatSeen) error
	// SeeDevices stores the hours that devices were last heard of in, later ones than are stored.
	SeeDevices(ctx context.Context, seen []DeviceSeen) error
}

// SeatSeen is when the owner of a seat was last heard of.
type SeatSeen struct {
	Table table.ID
	Seat  game.Seat
	At    time.Time
	Back  bool // a host that may have been away: its table is listed again
}

// NewPresenceLog returns an empty one.
func NewPresenceLog(store PresenceStore, clock func() time.Time) *PresenceLog {
	return &PresenceLog{
		store: store, clock: clock,
		mu: sync.Mutex{}, visits: make(map[seatOf]visit), waits: make(map[seatOf]int), hours: make(map[profile.DeviceID]time.Time),
	}
}

// heard notes that the owner of a seat has talked to the service.
func (l *PresenceLog) heard(id table.ID, seat game.Seat, at time.Time) {
	if seat == game.NoSeat {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note(seatOf{table: id, seat: seat}, at)
}

func (l *PresenceLog) note(c seatOf, at time.Time) {
	if v := l.visits[c]; at.After(v.heard) {
		v.heard = at
		l.visits[c] = v
	}
}

// waiting notes that a request of a seat's owner waits, until the returned function is called at its end.
func (l *PresenceLog) waiting(s seatHere) (done func(at time.Time)) {
	if s.seat == game.NoSeat {
		return func(time.Time) {}
	}
	c := seatOf{table: s.table, seat: s.seat}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits[c]++
	if v := l.visits[c]; v.often != s.searches {
		v.often = s.searches
		l.visits[c] = v
	}
	return func(at time.Time) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.waits[c]--; l.waits[c] == 0 {
			delete(l.waits, c)
		}
		l.note(c, at)
	}
}

// take returns the owners who aren't stored yet as last heard of, but for those stored lately, and counts them as stored.
// Owners whose requests wait are heard of now.
func (l *PresenceLog) take(at time.Time, lately time.Duration) []SeatSeen {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.waits {
		l.note(c, at)
	}
	var seen []SeatSeen
	for c, v := range l.visits {
		pause := lately
		if v.often {
			pause = min(pause, writeOften)
		}
		switch {
		case v.heard.After(v.stored) && at.Sub(v.wrote) >= pause:
			back := c.seat == game.HostSeat && (at.Sub(v.wrote) >= listAfter || at.Sub(v.listed) >= listAgain)
			seen = append(seen, SeatSeen{Table: c.table, Seat: c.seat, At: v.heard, Back: back})
			v.stored, v.wrote = v.heard, at
			if back {
				v.listed = at
			}
			l.visits[c] = v
		case at.Sub(v.heard) > forgetAfter:
			delete(l.visits, c)
		}
	}
	return seen
}

// giveBack takes back what could not be stored.
func (l *PresenceLog) giveBack(seen []SeatSeen) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range seen {
		c := seatOf{table: s.Table, seat: s.Seat}
		l.note(c, s.At)
		v := l.visits[c]
		v.stored, v.wrote = time.Time{}, time.Time{}
		l.visits[c] = v
	}
}

// known returns the later of what is stored and what this process knows.
func (l *PresenceLog) known(id table.ID, seat game.Seat, stored, at time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := seatOf{table: id, seat: seat}
	if l.waits[c] > 0 {
		return at
	}
	if heard := l.visits[c].heard; heard.After(stored) {
		return heard
	}
	return stored
}

// writeAgain is how long an owner who is heard of all the time isn't written again: with the pause between two calls
// of Keep less than a third of the shortest grace.
const writeAgain = 5 * time.Second

// Keep stores when owners were heard of, but for those it has stored lately.
func (l *PresenceLog) Keep(ctx context.Context) error { return l.write(ctx, writeAgain) }

// Write stores when owners were heard of since the last time.
func (l *PresenceLog) Write(ctx context.Context) error { return l.write(ctx, 0) }

func (l *PresenceLog) write(ctx context.Context, spare time.Duration) error {
	var fails []error
	if seen := l.take(l.clock(), spare); len(seen) > 0 {
		if err := l.store.SeeOwners(ctx, seen); err != nil {
			l.giveBack(seen)
			fails = append(fails, wrap(err, "store the presence of owners"))
		}
	}
	if hours := l.takeHours(); len(hours) > 0 {
		if err := l.store.SeeDevices(ctx, hours); err != nil {
			l.giveHoursBack(hours)
			fails = append(fails, wrap(err, "store the hours of devices"))
		}
	}
	return errors.Join(fails...)
}
