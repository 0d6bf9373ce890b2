package worker

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
)

// Hub is the requests that wait in this process.
type Hub interface {
	service.Waker
	service.Comparer
	service.Dismisser
	Waiting() int
	Watched() []live.Topic
}

// Observer is told how the work goes, for the metrics.
type Observer interface {
	Queued(turns int)                                 // turns of the CPU that wait
	Thought(waited time.Duration, took time.Duration) // how long one waited for a thinker, and how long it took
	Asleep(games int)
}

// Deps is everything a worker needs.
type Deps struct {
	Duties

	Hub      Hub
	Replicas bool // whether other processes may change the same database
	Thinkers int  // turns of the CPU that are thought about at once
	Clock    func() time.Time
	Observe  Observer
	Logger   *slog.Logger
}

// How often what is done.
const (
	beatEvery    = time.Second
	sweepEvery   = 250 * time.Millisecond // and up to as much again, so that replicas don't march in step
	sweepApart   = 20 * time.Millisecond  // at least, however much is due
	soon         = time.Second
	newsEvery    = 100 * time.Millisecond // while somebody waits
	trimEvery    = 20 * time.Second
	compareEvery = time.Second // a part of what is watched …
	compareParts = 5           // … and all of it in so many
	writeEvery   = time.Second
	idleEvery    = time.Minute
	pairEvery    = time.Second
	offerEvery   = 500 * time.Millisecond // a table whose clock isn't on offer any more closes within a second of the edit
	leadersEvery = time.Minute
	unlistEvery  = 30 * time.Second
	eraseEvery   = 10 * time.Second
	revokedEvery = time.Second // a request that began to wait with a token revoked meanwhile ends within two
	countEvery   = 15 * time.Second
	rulesEvery   = 400 * time.Millisecond // an edit on another replica is known within a second
	stepAtMost   = 20 * time.Second       // for one round of anything
	queueAtMost  = 10_000                 // turns of the CPU that wait; the timers keep the others
)

// Worker does what falls due. Use New, then Run.
type Worker struct {
	deps  Deps
	due   chan time.Time
	turns chan *queuedTurn
}

type queuedTurn struct {
	turn service.Turn
	at   time.Time
}

// New returns a worker that hasn't started.
func New(d Deps) *Worker {
	return &Worker{deps: d, due: make(chan time.Time, 1024), turns: make(chan *queuedTurn, queueAtMost)}
}

// Due tells that a game has to be looked at, at some time. It never blocks: a hint that is lost is found by a sweep.
// What is due later than soon isn't worth one of its own.
func (w *Worker) Due(at time.Time) {
	if at.Sub(w.deps.Clock()) > soon {
		return
	}
	select {
	case w.due <- at:
	default:
	}
}

// Run works until ctx is done, and returns when everything it had begun is finished.
func (w *Worker) Run(ctx context.Context) {
	var all sync.WaitGroup
	every := func(pause time.Duration, what string, do func(context.Context) error) {
		all.Go(func() { w.loop(ctx, pause, what, do) })
	}
	every(beatEvery, "touch the heartbeat", w.deps.Uptime.Beat)
	every(writeEvery, "store the presence of owners", w.deps.Presence.Keep)
	every(idleEvery, "close idle tables", w.deps.Tables.CloseIdle)
	every(pairEvery, "pair the players who wait for a quick match", w.deps.Matches.PairSearchers)
	every(offerEvery, "close tables that wait for a clock that is not on offer", w.deps.Matches.CloseUnoffered)
	every(leadersEvery, "make the leaderboard", w.deps.History.MakeLeaderboard)
	every(countEvery, "count sleeping games", w.count)
	every(rulesEvery, "read the house rules", w.deps.Catalogue.Read)
	every(unlistEvery, "take deserted tables off the lobby", w.deps.Tables.UnlistDeserted)
	every(eraseEvery, "erase deleted players", w.deps.Leaving.Erase)
	every(idleEvery, "drop codes that have expired", w.deps.Devices.DropCodes)
	every(revokedEvery, "look for tokens that were taken away", func(ctx context.Context) error {
		return w.deps.Devices.DismissRevoked(ctx, w.deps.Hub)
	})
	if w.deps.Replicas {
		all.Go(func() { w.readNews(ctx) })
		all.Go(func() { w.compares(ctx) })
		every(trimEvery, "throw old news away", w.deps.Changes.TrimNews)
	}
	for range w.deps.Thinkers {
		all.Go(func() { w.think(ctx) })
	}
	all.Go(func() { w.sweeps(ctx) })
	all.Wait()
	w.last(ctx)
}

// last writes what would be lost when the process stops in order.
func (w *Worker) last(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	w.report(ctx, "store the presence of owners", w.deps.Presence.Write(ctx))
}

// loop does something now and again until ctx is done.
func (w *Worker) loop(ctx context.Context, pause time.Duration, what string, do func(context.Context) error) {
	for {
		step, cancel := context.WithTimeout(ctx, stepAtMost)
		w.report(ctx, what, do(step))
		cancel()
		if !rest(ctx, jittered(pause)) {
			return
		}
	}
}

func (w *Worker) count(ctx context.Context) error {
	games, err := w.deps.Timers.Sleeping(ctx)
	if err == nil {
		w.deps.Observe.Asleep(games)
	}
	return err
}

// report logs an error, unless it only says that the worker stops.
func (w *Worker) report(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		w.deps.Logger.WarnContext(ctx, "work failed and will be tried again", "what", what, "error", err)
	}
}

// rest waits, and reports false when ctx is done.
func rest(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// jittered returns a pause that differs by up to a tenth.
func jittered(pause time.Duration) time.Duration {
	return pause - pause/20 + rand.N(pause/10) //nolint:gosec // it need not be secret
}
