package service

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Poll is how a caller wants to follow something.
type Poll struct {
	After *int64                // the version the caller has seen; nil: it did not say
	Seen  func(tag string) bool // whether the caller has seen the state with this tag; nil: it did not say
	Wait  time.Duration         // how long to hold the answer while there is nothing new
}

// waits reports whether the poll holds its answer at all.
func (p Poll) waits() bool { return p.Wait > 0 && (p.After != nil || p.Seen != nil) }

// fresh reports whether a state is news to the caller. A version below the one it asked after is news too: the
// service was restored.
func (p Poll) fresh(version int64, tag string) bool {
	return (p.After != nil && *p.After != version) || (p.Seen != nil && !p.Seen(tag)) || (p.After == nil && p.Seen == nil)
}

// unchanged reports whether the answer is that the caller has seen this already.
func (p Poll) unchanged(tag string) bool { return p.Seen != nil && p.Seen(tag) }

const (
	pollCrowded      = 5 * time.Second        // asked of those for whom there was no room to wait
	pollStoppingMin  = 500 * time.Millisecond // asked of those who waited when the service stopped …
	pollStoppingSpan = 2500 * time.Millisecond
)

// end says why a wait was over.
type end uint8

const (
	answered end = iota // there is news, or the time has passed
	crowded             // there was no room to wait
	stopping            // the service stops
)

// reading is a state as it is now. Thousands of requests may wait, each with one on its stack: T is a pointer or a
// slice, since a game by itself, handed from one function to the next, makes that stack twice as large.
type reading[T any] struct {
	state T
	tag   string            // names this state
	more  map[string]string // what names the states of others it is made of, by topic; a list has some
	news  bool              // whether it is news to the caller
	stays []stay            // whose presence the wait for another state keeps up
}

// stay is a seat whose owner waits.
type stay struct {
	table    table.ID
	seat     game.Seat
	searches bool // for an opponent, by quick match
}

type reader[T any] func() (reading[T], error)

// follow reads a state until it is news to the caller or the wait is over.
func follow[T any](ctx context.Context, d *Deps, p Poll, w *live.Waiter, topic string, read reader[T]) (T, end, error) {
	timer := time.NewTimer(p.Wait)
	defer timer.Stop()
	stays := 0
	var woken time.Time
	for {
		r, err := read()
		if err == nil && r.news && !woken.IsZero() {
			d.Observe.WokeUp(d.Clock().Sub(woken))
		}
		if err != nil || r.news || len(r.stays) < stays { // fewer: its owner said away meanwhile
			return r.state, answered, err
		}
		stays = len(r.stays)
		w.Saw(topic, r.tag)
		for more, tag := range r.more {
			w.Saw(more, tag)
		}
		rest, err := d.await(ctx, w, timer, r.stays)
		if rest.over || err != nil {
			return r.state, rest.why, err
		}
		woken = rest.woken
	}
}

// rest is what ended the wait for one wake-up.
type rest struct {
	woken time.Time // when a wake-up came
	over  bool      // the whole wait is over …
	why   end       // … for this reason
}

// await waits for one wake-up, with the owners who wait counted as here.
func (d *Deps) await(ctx context.Context, w *live.Waiter, timer *time.Timer, stays []stay) (rest, error) {
	for _, s := range stays {
		done := d.Attendance.waiting(s)
		defer func() { done(d.Clock()) }()
	}
	select {
	case woken := <-w.Woken():
		if woken.IsZero() {
			return rest{}, errRevoked()
		}
		return rest{woken: woken, over: false, why: answered}, nil
	case <-timer.C:
		return rest{woken: time.Time{}, over: true, why: answered}, nil
	case <-d.Waiters.Stopping():
		return rest{woken: time.Time{}, over: true, why: stopping}, nil
	case <-ctx.Done():
		return rest{}, fmt.Errorf("wait: %w", ctx.Err())
	}
}

// watch answers a poll: at once when it does not wait or there is no room, else when there is news.
func watch[T any](ctx context.Context, d *Deps, c Caller, p Poll, topic string, read reader[T]) (T, end, error) {
	p.Wait = min(p.Wait, d.Settings.WaitAtMost)
	if !p.waits() {
		r, err := read()
		return r.state, answered, err
	}
	who, atMost := waiterPrefix+string(c.Device)+" "+topic, d.Settings.WaitersPerGame
	if c.Anonymous() {
		who, atMost = "address "+c.Address, d.Settings.WaitersPerAddress
	}
	w, joined := d.Waiters.Join(who, atMost, topic)
	if !joined {
		r, err := read()
		if r.news {
			return r.state, answered, err
		}
		return r.state, crowded, err
	}
	defer w.Leave()
	return follow(ctx, d, p, w, topic, read)
}

// pollAfter corrects when a client should ask again by why its wait was over.
func (d Deps) pollAfter(usual time.Duration, why end) time.Duration {
	switch why {
	case crowded:
		return pollCrowded
	case stopping:
		return pollStoppingMin + time.Duration(d.draw())%pollStoppingSpan
	case answered:
		return usual
	default:
		return usual
	}
}

// draw returns a random number. Chance decides nothing here that must be secret, so a failing source is no fault.
func (d Deps) draw() uint32 {
	var raw [4]byte
	if _, err := d.Random.Read(raw[:]); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint32(raw[:])
}
