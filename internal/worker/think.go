package worker

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/cpu"
)

// From how many turns in the queue, for each thinker, and from which wait on, a load is what it is. A perfect turn may
// take a second and a hard one some milliseconds, so perfect gives way as soon as turns have to queue for it.
const (
	busyQueue    = 4
	busyWait     = 150 * time.Millisecond
	crowdedQueue = 64
	crowdedWait  = time.Second
)

// load tells how many wait, by the queue behind a turn and how long it was in it itself.
func (w *Worker) load(behind int, waited time.Duration) cpu.Load {
	switch {
	case behind >= crowdedQueue*w.deps.Thinkers, waited >= crowdedWait:
		return cpu.Crowded
	case behind >= busyQueue*w.deps.Thinkers, waited >= busyWait:
		return cpu.Busy
	default:
		return cpu.Calm
	}
}

// think plays turns of the CPU until ctx is done.
func (w *Worker) think(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case q := <-w.turns:
			began := w.deps.Clock()
			step, cancel := context.WithTimeout(ctx, stepAtMost)
			load := w.load(len(w.turns), began.Sub(q.at))
			w.report(ctx, "move for the CPU", w.deps.Timers.MoveCPU(step, q.turn, load))
			cancel()
			w.deps.Observe.Thought(began.Sub(q.at), w.deps.Clock().Sub(began))
		}
	}
}
