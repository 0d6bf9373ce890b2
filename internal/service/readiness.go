package service

import (
	"fmt"
	"sync"
	"time"
)

const (
	// readyFor is how long after its last beat that was stored a process may take requests.
	readyFor = 5 * time.Second
	// beatsToReady is how many beats in a row have to be stored until one that wasn't ready is again.
	beatsToReady = 3
)

// readiness is whether the database has stored this process's own beats lately. What it says of reading doesn't count: a
// full disk, a standby or a malformed file may be read and not written.
type readiness struct {
	mu     sync.Mutex
	stored time.Time // when the last beat was known to be stored; zero: none was
	inARow int       // beats that were stored since the process wasn't ready, up to beatsToReady
}

// tell takes note of how a beat went.
func (r *readiness) tell(now time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		if r.inARow < beatsToReady {
			r.inARow = 0
		}
		return
	case r.stored.IsZero(): // it has just started
		r.inARow = beatsToReady
	case r.stale(now):
		r.inARow = 1
	default:
		r.inARow = min(beatsToReady, r.inARow+1)
	}
	r.stored = now
}

func (r *readiness) stale(now time.Time) bool { return now.Sub(r.stored).Abs() > readyFor }

// judge returns why the process isn't ready, or nil.
func (r *readiness) judge(now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.stale(now):
		return fmt.Errorf("the database has stored no heartbeat of this process since %s", r.stored.Format(time.RFC3339))
	case r.inARow < beatsToReady:
		return fmt.Errorf("the database stores heartbeats of this process again: %d of %d", r.inARow, beatsToReady)
	default:
		return nil
	}
}
