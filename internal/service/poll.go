package service

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/live"
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

// follow reads a state until it is news to the caller or the wait is over. read must return the state as it is now.
func follow[T any](ctx context.Context, p Poll, w *live.Waiter, stop <-chan struct{}, read func() (T, bool, error)) (T, end, error) {
	timer := time.NewTimer(p.Wait)
	defer timer.Stop()
	for {
		state, news, err := read()
		if err != nil || news {
			return state, answered, err
		}
		select {
		case <-w.Woken():
		case <-timer.C:
			return state, answered, nil
		case <-stop:
			return state, stopping, nil
		case <-ctx.Done():
			return state, answered, fmt.Errorf("wait: %w", ctx.Err())
		}
	}
}

// watch answers a poll: at once when it does not wait or there is no room, else when there is news.
func watch[T any](ctx context.Context, d Deps, c Caller, p Poll, topics []string, read func() (T, bool, error)) (T, end, error) {
	p.Wait = min(p.Wait, d.Settings.WaitAtMost)
	if !p.waits() {
		state, _, err := read()
		return state, answered, err
	}
	who, atMost := "device "+string(c.Device)+" "+topics[0], d.Settings.WaitersPerGame
	if c.Anonymous() {
		who, atMost = "address "+c.Address, d.Settings.WaitersPerAddress
	}
	w, joined := d.Waiters.Join(who, atMost, topics...)
	if !joined {
		state, news, err := read()
		if news {
			return state, answered, err
		}
		return state, crowded, err
	}
	defer w.Leave()
	return follow(ctx, p, w, d.Waiters.Stopping(), read)
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
