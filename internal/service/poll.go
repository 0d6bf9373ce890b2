package service

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/table"
)

// polls lets requests wait for news.
type polls struct {
	waiters    Waiters
	presence   *PresenceLog
	observe    Observer
	clock      func() time.Time
	random     io.Reader
	waitAtMost time.Duration
}

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
	pollStoppingMin  = 500 * time.Millisecond // asked of clients whose requests waited when the service stopped …
	pollStoppingSpan = 2500 * time.Millisecond
)

// end says why a wait was over.
type end uint8

const (
	answered end = iota // there is news, or the time has passed
	crowded             // there was no room to wait
	stopping            // the service stops
)

// follower is a request that follows a topic. Every poll is the same loop: read; when the follower says that this is the
// answer, answer; else it has waited, so read again.
type follower struct {
	polls   *polls
	waiter  *live.Waiter // nil: the request doesn't wait
	timeout *time.Timer
	why     end       // there is an answer
	seats   int       // whose owners the last wait counted as here
	woken   time.Time // when the last wait was over; zero: there was none
}

// state is what a poll has read, as far as the follower has to know. Thousands of requests wait at once, each with its
// loop on the stack: what was read stays behind a pointer there.
type state struct {
	tag   string
	news  bool       // to the caller
	seats []seatHere // whose owner is here by waiting
}

// seatHere is a seat whose owner waits.
type seatHere struct {
	table    table.ID
	seat     game.Seat
	grace    time.Duration // after which its owner is away; 0: unknown
	searches bool          // for an opponent, by quick match
}

// follow lets a request join a topic, before it reads: then no change falls in between. It must be ended.
func (d *polls) follow(c Caller, p Poll, topic live.Topic) *follower {
	f := &follower{polls: d, waiter: nil, timeout: nil, why: answered, seats: 0, woken: time.Time{}}
	p.Wait = min(p.Wait, d.waitAtMost)
	if !p.waits() {
		return f
	}
	party := live.Party{Device: string(c.Device), Profile: string(c.Profile), Address: c.Address}
	waiter, joined := d.waiters.Join(party, topic)
	if !joined {
		f.why = crowded
		return f
	}
	f.waiter, f.timeout = waiter, time.NewTimer(p.Wait)
	return f
}

// end leaves the topic.
func (f *follower) end() {
	if f.waiter != nil {
		f.timeout.Stop()
		f.waiter.Leave()
	}
}

// answers reports whether a state is the answer: it is news, or there is nothing to wait for any more. If not, it has
// waited, and the state may be another by now.
func (f *follower) answers(ctx context.Context, s state) (bool, error) {
	switch {
	case s.news:
		if !f.woken.IsZero() {
			f.polls.observe.WokeUp(f.polls.clock().Sub(f.woken))
		}
		f.why = answered
		return true, nil
	case f.waiter == nil, len(s.seats) < f.seats: // an owner said away meanwhile
		return true, nil
	}
	f.seats = len(s.seats)
	f.waiter.Saw(s.tag)
	return f.wait(ctx, s.seats)
}

// wait waits for one wake-up, with the owners who wait counted as here, and reports whether there won't be another.
func (f *follower) wait(ctx context.Context, seats []seatHere) (over bool, err error) {
	for _, s := range seats {
		done := f.polls.presence.waiting(s)
		defer func() { done(f.polls.clock()) }()
	}
	select {
	case f.woken = <-f.waiter.Woken():
		if f.woken.IsZero() {
			return true, errRevoked()
		}
		return false, nil
	case <-f.timeout.C:
		return true, nil
	case <-f.polls.waiters.Stopping():
		f.why = stopping
		return true, nil
	case <-ctx.Done():
		return true, fmt.Errorf("wait: %w", ctx.Err())
	}
}

// pollAfter corrects when a client should ask again by why its wait was over.
func (d *polls) askAgain(usual time.Duration, why end) time.Duration {
	switch why {
	case crowded:
		return pollCrowded
	case stopping:
		return pollStoppingMin + time.Duration(draw(d.random))%pollStoppingSpan
	case answered:
		return usual
	default:
		return usual
	}
}

// draw returns a random number. Chance decides nothing here that must be secret, so a failing source is no fault.
func draw(random io.Reader) uint32 {
	var raw [4]byte
	if _, err := random.Read(raw[:]); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint32(raw[:])
}
