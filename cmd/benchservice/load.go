package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// A crew is who sends requests at once, each one after the other. A worker does one step, and reports whether it counts.
type crew struct {
	workers []func() (bool, error)
	end     func() error // closes what the crew opened
}

// A sample is one measurement. Times are a counted step.
type sample struct {
	perSecond                 float64
	service, database, client time.Duration // processor time
	allocations               float64       // in the service
	batch                     float64       // writes a commit; 0: unknown
}

// A meter reads counters that only grow.
type meter struct {
	service  func() (time.Duration, error)
	database func() (time.Duration, error)
	counts   func() (counts, error)
}

type reading struct {
	at                        time.Time
	steps                     uint64
	service, database, client time.Duration
	counts
}

func (m meter) read(steps []counter) (r reading, err error) {
	var errs [4]error
	if m.counts != nil {
		r.counts, errs[0] = m.counts()
	}
	if m.service != nil {
		r.service, errs[1] = m.service()
	}
	if m.database != nil {
		r.database, errs[2] = m.database()
	}
	r.client, errs[3] = processTime("self")
	r.steps, r.at = total(steps), time.Now()
	return r, errors.Join(errs[:]...)
}

// warmUp is the part of a measurement's time that passes before it.
const warmUp = 0.2

// counter stands in a cache line of its own.
type counter struct {
	atomic.Uint64
	_ [56]byte
}

// measure lets the crew work for the time, after a warm-up, and ends it.
func measure(ctx context.Context, c crew, m meter, lasting time.Duration) (s sample, err error) {
	defer func() { err = errors.Join(err, c.end()) }()
	ctx, stop := context.WithCancelCause(ctx)
	counts := make([]counter, len(c.workers))
	var all sync.WaitGroup
	for i, step := range c.workers {
		all.Go(func() {
			for ctx.Err() == nil {
				counted, err := step()
				if err != nil {
					stop(err)
					return
				}
				if counted {
					counts[i].Add(1)
				}
			}
		})
	}
	first, last, err := window(ctx, counts, m, lasting)
	stop(errDone)
	all.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, errDone) {
		err = errors.Join(cause, err)
	}
	if err != nil {
		return sample{}, err
	}
	return last.since(first), nil
}

// errDone ends a crew whose time is over.
var errDone = errors.New("the time is over")

// window reads the meter at the beginning and the end of what is measured.
func window(ctx context.Context, counts []counter, m meter, lasting time.Duration) (first, last reading, err error) {
	if err = pause(ctx, time.Duration(warmUp*float64(lasting))); err != nil {
		return first, last, err
	}
	if first, err = m.read(counts); err != nil {
		return first, last, err
	}
	if err = pause(ctx, lasting); err != nil {
		return first, last, err
	}
	last, err = m.read(counts)
	return first, last, err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

func total(counts []counter) (sum uint64) {
	for i := range counts {
		sum += counts[i].Load()
	}
	return sum
}

func (r reading) since(first reading) sample {
	steps := max(r.steps-first.steps, 1)
	each := func(d time.Duration) time.Duration { return d / time.Duration(steps) } //nolint:gosec // far fewer than 1<<63
	s := sample{
		perSecond: float64(steps) / r.at.Sub(first.at).Seconds(),
		service:   each(r.service - first.service), database: each(r.database - first.database), client: each(r.client - first.client),
		allocations: (r.allocations - first.allocations) / float64(steps), batch: 0,
	}
	if commits := r.commits - first.commits; commits > 0 {
		s.batch = (r.writes - first.writes) / commits
	}
	return s
}
