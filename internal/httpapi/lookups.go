package httpapi

import (
	"context"
	"fmt"
	"sync"

	"github.com/fourinarow/fourinarow/internal/fault"
)

const (
	// codesWaiting is how many requests of an address wait at most to have a code looked up.
	codesWaiting = 64
	// tokensWaiting is the same for tokens. Whoever has one may come behind an address with others, and must get in: it is
	// as many as one address may have waiting for games.
	tokensWaiting = 2000
)

// lookUpCode looks a code up that may be wrong, which counts as a failure of the address. The fault is rate_limited, also
// when too many of the address wait for their turn.
func (l *limits) lookUpCode(ctx context.Context, address string, look func() error) error {
	if l == nil {
		return look()
	}
	_, err := l.lookUp(ctx, l.codes, address, look)
	return err
}

// lookUpToken does the same with a token. The state is that of the limit on failures if the token was wrong.
func (l *limits) lookUpToken(ctx context.Context, address string, look func() error) (limitState, error) {
	if l == nil {
		return limitState{}, look()
	}
	return l.lookUp(ctx, l.unknown, address, look)
}

// lookUp looks a secret up. Past the limit on failures an address looks them up one at a time: a right one is never refused
// for the failures of others, and who guesses too much is not even told that the guess was wrong.
func (l *limits) lookUp(ctx context.Context, turns *turns, address string, look func() error) (limitState, error) {
	state, refund, limited := l.failures.take(address, l.clock())
	if limited != nil {
		done, err := turns.take(ctx, address)
		if err != nil {
			return limitState{}, err
		}
		if done == nil {
			return state, limited
		}
		defer done()
	}
	err := look()
	switch {
	case !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.CodeExpired) && !fault.Is(err, fault.NoToken):
		refund()
		return limitState{}, err
	case limited != nil:
		return state, limited
	default:
		return state, err
	}
}

// turns let those of one address do something one at a time.
type turns struct {
	waiting int // of an address, at most

	mu        sync.Mutex
	byAddress map[string]*turn // of those who have or want it
}

// turn is that of an address.
type turn struct {
	free  chan struct{} // holds one while nobody has the turn
	users int
}

func newTurns(waiting int) *turns {
	return &turns{waiting: waiting, mu: sync.Mutex{}, byAddress: map[string]*turn{}}
}

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
		return nil, fmt.Errorf("wait to look a secret up: %w", ctx.Err())
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
	if own.users > t.waiting {
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
