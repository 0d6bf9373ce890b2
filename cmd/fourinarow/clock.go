package main

import (
	"context"
	"sync/atomic"
	"time"
)

// clock tells the time of the database, so that all replicas of one agree: the process's clock and what the
// database's is ahead of it.
type clock struct{ ahead atomic.Int64 }

// now returns the time, in UTC and without the process's monotonic reading.
func (c *clock) now() time.Time {
	return time.Now().Add(time.Duration(c.ahead.Load())).UTC().Round(0)
}

// measureEvery is how often the clocks are compared. In between they drift by microseconds.
const measureEvery = 10 * time.Second

// follow compares the clocks now and again until ctx is done.
func (c *clock) follow(ctx context.Context, measure func(context.Context) (time.Duration, error), failed func(error)) {
	ticker := time.NewTicker(measureEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			ahead, err := measure(ctx)
			if err != nil {
				failed(err)
				continue
			}
			c.ahead.Store(int64(ahead))
		}
	}
}
