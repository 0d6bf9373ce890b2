package service

import (
	"sync"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Attendance is which owners this process has heard of lately, and which wait here right now. It is written to the
// database in batches: an owner soon after this process has first heard of it, then only now and again. So a crash
// loses at most some seconds of somebody's presence, and one crash after another not much more.
type Attendance struct {
	mu      sync.Mutex
	seen    map[chair]time.Time // not written yet
	written map[chair]time.Time // when lately
	waits   map[chair]int       // requests that wait
}

// chair is a seat of a table.
type chair struct {
	table table.ID
	seat  game.Seat
}

// NewAttendance returns an empty one.
func NewAttendance() *Attendance {
	return &Attendance{
		mu: sync.Mutex{}, seen: make(map[chair]time.Time), written: make(map[chair]time.Time), waits: make(map[chair]int),
	}
}

// heard notes that the owner of a seat has talked to the service.
func (a *Attendance) heard(id table.ID, seat game.Seat, at time.Time) {
	if seat == game.NoSeat {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.note(chair{table: id, seat: seat}, at)
}

func (a *Attendance) note(c chair, at time.Time) {
	if at.After(a.seen[c]) {
		a.seen[c] = at
	}
}

// waiting notes that a request of a seat's owner waits, until the returned function is called at its end.
func (a *Attendance) waiting(id table.ID, seat game.Seat) (done func(at time.Time)) {
	if seat == game.NoSeat {
		return func(time.Time) {}
	}
	c := chair{table: id, seat: seat}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waits[c]++
	return func(at time.Time) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.waits[c]--; a.waits[c] == 0 {
			delete(a.waits, c)
		}
		a.note(c, at)
	}
}

// take returns who isn't written yet, but for those who were so lately, and counts them as written; who waits is
// heard of now.
func (a *Attendance) take(at time.Time, lately time.Duration) []SeatSeen {
	a.mu.Lock()
	defer a.mu.Unlock()
	for c := range a.waits {
		a.note(c, at)
	}
	for c, last := range a.written {
		if at.Sub(last) >= lately {
			delete(a.written, c)
		}
	}
	seen := make([]SeatSeen, 0, len(a.seen))
	for c, last := range a.seen {
		if _, spared := a.written[c]; !spared {
			seen = append(seen, SeatSeen{Table: c.table, Seat: c.seat, At: last})
			a.written[c] = at
			delete(a.seen, c)
		}
	}
	return seen
}

// giveBack takes back what could not be written.
func (a *Attendance) giveBack(seen []SeatSeen) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range seen {
		c := chair{table: s.Table, seat: s.Seat}
		a.note(c, s.At)
		delete(a.written, c)
	}
}

// known returns the later of what is stored and what this process knows.
func (a *Attendance) known(id table.ID, seat game.Seat, stored, at time.Time) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := chair{table: id, seat: seat}
	if a.waits[c] > 0 {
		return at
	}
	if a.seen[c].After(stored) {
		return a.seen[c]
	}
	return stored
}
