package httpapi

import (
	"context"
	"fmt"
	"sync"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// lookUp looks a code up that may be wrong, which counts as a failure of the address. Past the limit on failures an address
// looks codes up one at a time: a right one is never refused for the failures of others, and who guesses too much is not
// even told that the guess was wrong. The fault is rate_limited, also when too many of the address wait for their turn.
func (l *limits) lookUp(ctx context.Context, address string, look func() error) error {
	if l == nil {
		return look()
	}
	_, refund, limited := l.failures.take(address, l.clock())
	if limited != nil {
		done, err := l.turns.take(ctx, address)
		if err != nil {
			return err
		}
		if done == nil {
			return limited
		}
		defer done()
	}
	err := look()
	if !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.CodeExpired) {
		refund()
		return err
	}
	if limited != nil {
		return limited
	}
	return err
}

// turnsWaitedFor is how many requests of an address wait for their turn, at most.
const turnsWaitedFor = 64

// turns let those of one address do something one at a time.
type turns struct {
	mu        sync.Mutex
	byAddress map[string]*turn // of those who have or want it
}

// turn is that of an address.
type turn struct {
	free  chan struct{} // holds one while nobody has the turn
	users int
}

func newTurns() *turns { return &turns{mu: sync.Mutex{}, byAddress: map[string]*turn{}} }

// take waits for the turn of an address, and returns what ends it; nil when too many wait already. The error is that of
// ctx.
func (t *turns) take(ctx context.Context, address string) (done func(), err error) {
	own := t.of(address)
	if own == nil {
		return nil, nil
	}
	select {
	case <-own.free:
		return func() {
			own.free <- struct{}{}
			t.leave(address, own)
		}, nil
	case <-ctx.Done():
		t.leave(address, own)
		return nil, fmt.Errorf("wait to look a code up: %w", ctx.Err())
	}
}

// of returns the turn of an address, counted as used; nil when too many wait for it.
func (t *turns) of(address string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.byAddress[address]
	if own == nil {
		own = &turn{free: make(chan struct{}, 1), users: 0}
		own.free <- struct{}{}
		t.byAddress[address] = own
	}
	if own.users > turnsWaitedFor {
		return nil
	}
	own.users++
	return own
}

func (t *turns) leave(address string, own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(t.byAddress, address)
	}
}
