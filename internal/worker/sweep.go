package worker

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/service"
)

// hintsAtMost is how many moments at which something is due are remembered; a sweep finds the others.
const hintsAtMost = 4096

// sweeps attends to the timers: every quarter to half of a second, and at the times it was told of.
func (w *Worker) sweeps(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var hints []time.Time // in order, in the future
	next := w.deps.Clock()
	earliest := next
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-w.due:
			if i, _ := slices.BinarySearchFunc(hints, at, time.Time.Compare); len(hints) < hintsAtMost {
				hints = slices.Insert(hints, i, at)
			}
			if at.Before(next) && earliest.Before(next) {
				next = later(at, earliest)
				timer.Reset(max(next.Sub(w.deps.Clock()), 0))
			}
			continue
		case <-timer.C:
		}
		pause := sweepEvery + rand.N(sweepEvery) //nolint:gosec // it need not be secret
		if w.sweep(ctx) >= service.SweepAtMost {
			pause = 0
		}
		earliest = w.deps.Clock().Add(sweepApart)
		hints, next = after(hints, w.deps.Clock(), pause)
		if pause > 0 {
			next = later(next, earliest)
		}
		timer.Reset(max(next.Sub(w.deps.Clock()), 0))
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// after drops the hints that have passed and returns when to sweep next.
func after(hints []time.Time, now time.Time, pause time.Duration) ([]time.Time, time.Time) {
	for len(hints) > 0 && !hints[0].After(now) {
		hints = hints[1:]
	}
	next := now.Add(pause)
	if len(hints) > 0 && hints[0].Before(next) {
		next = hints[0]
	}
	return hints, next
}

// sweep attends once and gives the CPU's turns to the thinkers. It returns how many games were due.
func (w *Worker) sweep(ctx context.Context) int {
	step, cancel := context.WithTimeout(ctx, stepAtMost)
	defer cancel()
	turns, claimed, err := w.deps.Timers.Sweep(step)
	w.report(ctx, "attend to what is due", err)
	now := w.deps.Clock()
	for _, turn := range turns {
		select {
		case w.turns <- &queuedTurn{turn: turn, at: now}:
		default: // the lease of its timer runs out, and it is found again
		}
	}
	w.deps.Observe.Queued(len(w.turns))
	return claimed
}
