package testkit

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until a test moves it. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that shows noon of an ordinary day, UTC.
func NewClock() *Clock { return &Clock{now: time.Date(2026, time.March, 17, 12, 0, 0, 0, time.UTC)} }

// Now returns what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on and returns what it shows then.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}
