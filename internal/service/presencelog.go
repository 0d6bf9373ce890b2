package service

import (
	"container/heap"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// PresenceLog is which owners this process has seen lately, and which wait here right now. It is written to the
// database in batches: an owner soon after this process has first seen it, then only now and again. So a crash
// loses at most some seconds of somebody's presence, and one crash after another not much more.
type PresenceLog struct {
	store PresenceStore
	clock func() time.Time

	mu     sync.Mutex
	visits map[seatOf]*visit
	queue  visitQueue                     // all of them
	hours  map[profile.DeviceID]time.Time // in which devices were seen, unless that is stored
}

// visit is what is known of one owner.
type visit struct {
	of     seatOf
	heard  time.Time     // of it, last
	stored time.Time     // what of that is stored, or under way
	wrote  time.Time     // when that was sent
	listed time.Time     // when its table was put on the list of those that wait, were it not there
	waits  int           // requests of it that wait
	rest   time.Duration // it isn't written again before that has passed, if it is seen all the time
	due    time.Time     // when there is something to do about it: it is to be stored, or forgotten
	place  int           // in the queue
}

// forgetAfter is how long an owner is remembered that isn't seen: longer than any grace.
const forgetAfter = 5 * time.Minute

// How long an owner who is seen all the time isn't written again. With the pause between two calls of Keep that is
// less than a third of the grace, and less than three seconds for a player who waits for a quick match, of whom others see
// only what is stored.
const (
	writeAgain  = 5 * time.Second // where the grace isn't known: it is the shortest there is
	writeAtMost = 10 * time.Second
	writeOften  = 1500 * time.Millisecond
	keepWithin  = 1500 * time.Millisecond // the pause, and a little
)

// restFor returns how long the owner of a seat isn't written again.
func restFor(s seatHere) time.Duration {
	if s.searches {
		return writeOften
	}
	return min(max(s.grace/3-keepWithin, writeAgain), writeAtMost)
}

// listAfter is after what silence a host's table may have been taken off the list of those that wait, and listAgain how
// often it is put there anyhow: a host who comes back at that moment may have been taken off after that.
const (
	listAfter = 12 * time.Second // more than writeAtMost and the pause between two calls of Keep
	listAgain = time.Minute
)

// seatOf is a seat of a table, as a key.
type seatOf struct {
	table table.ID
	seat  game.Seat
}

// PresenceStore keeps when owners and devices were last seen.
type PresenceStore interface {
	// SeeOwners stores when owners were last seen, later than what is stored.
	SeeOwners(ctx context.Context, seen []SeatSeen) error
	// SeeDevices stores the hours that devices were last seen in, later ones than are stored.
	SeeDevices(ctx context.Context, seen []DeviceSeen) error
}

// SeatSeen is when the owner of a seat was last seen.
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
		mu: sync.Mutex{}, visits: make(map[seatOf]*visit), queue: nil, hours: make(map[profile.DeviceID]time.Time),
	}
}

// heard notes that the owner of a seat has talked to the service.
func (l *PresenceLog) heard(id table.ID, seat game.Seat, at time.Time) {
	if seat == game.NoSeat {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.visit(seatOf{table: id, seat: seat})
	v.note(at)
	l.queue.plan(v)
}

// visit returns what is known of an owner, from now on.
func (l *PresenceLog) visit(of seatOf) *visit {
	v := l.visits[of]
	if v == nil {
		v = &visit{
			of: of, heard: time.Time{}, stored: time.Time{}, wrote: time.Time{}, listed: time.Time{}, waits: 0, rest: writeAgain,
			due: time.Time{}, place: 0,
		}
		l.visits[of] = v
		heap.Push(&l.queue, v)
	}
	return v
}

func (v *visit) note(at time.Time) {
	if at.After(v.heard) {
		v.heard = at
	}
}

// waiting notes that a request of a seat's owner waits, until the returned function is called at its end.
func (l *PresenceLog) waiting(s seatHere) (done func(at time.Time)) {
	if s.seat == game.NoSeat {
		return func(time.Time) {}
	}
	of := seatOf{table: s.table, seat: s.seat}
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.visit(of)
	v.waits++
	v.rest = restFor(s)
	l.queue.plan(v)
	return func(at time.Time) {
		l.mu.Lock()
		defer l.mu.Unlock()
		v.waits-- // it isn't forgotten while something waits
		v.note(at)
		l.queue.plan(v)
	}
}

// take returns the owners who aren't stored yet as last seen, all or but for those stored lately, and counts them as
// stored. Owners whose requests wait are seen now.
func (l *PresenceLog) take(at time.Time, all bool) []SeatSeen {
	l.mu.Lock()
	defer l.mu.Unlock()
	var seen []SeatSeen
	for _, v := range l.queue.take(at, all) {
		if v.waits > 0 {
			v.note(at)
		}
		switch {
		case v.heard.After(v.stored):
			seen = append(seen, v.write(at))
		case v.waits == 0 && at.Sub(v.heard) >= forgetAfter:
			delete(l.visits, v.of)
			continue
		}
		v.due = v.next()
		heap.Push(&l.queue, v)
	}
	return seen
}

// write returns what is to be stored of an owner, and counts it as stored.
func (v *visit) write(at time.Time) SeatSeen {
	back := v.of.seat == game.HostSeat && (at.Sub(v.wrote) >= listAfter || at.Sub(v.listed) >= listAgain)
	v.stored, v.wrote = v.heard, at
	if back {
		v.listed = at
	}
	return SeatSeen{Table: v.of.table, Seat: v.of.seat, At: v.heard, Back: back}
}

// giveBack takes back what could not be stored.
func (l *PresenceLog) giveBack(seen []SeatSeen) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range seen {
		v := l.visit(seatOf{table: s.Table, seat: s.Seat})
		v.note(s.At)
		v.stored, v.wrote = time.Time{}, time.Time{}
		l.queue.plan(v)
	}
}

// known returns the later of what is stored and what this process knows.
func (l *PresenceLog) known(id table.ID, seat game.Seat, stored, at time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.visits[seatOf{table: id, seat: seat}]
	switch {
	case v == nil:
		return stored
	case v.waits > 0:
		return at
	case v.heard.After(stored):
		return v.heard
	default:
		return stored
	}
}

// Keep stores when owners were seen, but for those it has stored lately.
func (l *PresenceLog) Keep(ctx context.Context) error { return l.write(ctx, false) }

// Write stores when owners were seen since the last time.
func (l *PresenceLog) Write(ctx context.Context) error { return l.write(ctx, true) }

func (l *PresenceLog) write(ctx context.Context, all bool) error {
	var fails []error
	if seen := l.take(l.clock(), all); len(seen) > 0 {
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
