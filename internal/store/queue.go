package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
)

const (
	jobsAtOnce = 64                    // share a commit, at most
	batchTime  = 20 * time.Millisecond // after it a batch takes no more jobs
)

var (
	errNested    = errors.New("a write was asked for from inside a write, and would wait for itself for ever")
	errWithdrawn = errors.New("the write waited in vain for others")
	errClosed    = errors.New("the store is closed")
	errAborted   = errors.New("the write ended its goroutine")
)

// queue runs the writes of an SQLite file one after the other, on the one connection that writes. Those that wait share a
// transaction, and so the time that a commit takes: each is a savepoint of it, and all are answered after its commit,
// also those that were refused, since that may rest on what a neighbour wrote.
type queue struct {
	conn  *connection
	orm   *gorm.DB // on conn
	sent  func(error) error
	clock func() time.Time

	jobs    chan *waiting
	kept    *waiting   // was taken, and shares its commit with no other
	current []*waiting // are run
	closes  sync.Once
	closing chan struct{} // is closed when nothing more is to be run
	stopped chan struct{} // is closed when nothing runs any more

	commits  atomic.Int64
	carried  atomic.Int64 // jobs
	performs atomic.Bool  // a function of a job runs
	site     uintptr      // where perform calls jobs
}

// waiting is a job and its caller.
type waiting struct {
	job

	//nolint:containedctx // is looked at before the job begins
	caller context.Context
	ctx    context.Context //nolint:containedctx // of its statements: carries the caller's values and never ends
	begun  atomic.Bool     // or withdrawn
	err    error
	panics any
	done   chan struct{}
}

func newQueue(conn *connection, orm *gorm.DB, sent func(error) error, clock func() time.Time) *queue {
	q := &queue{
		conn: conn, orm: orm, sent: sent, clock: clock,
		jobs: make(chan *waiting, jobsAtOnce), closing: make(chan struct{}), stopped: make(chan struct{}),
	}
	q.site = findSite()
	go q.work()
	return q
}

// close waits for the jobs that run, refuses those that wait and closes the connection.
func (q *queue) close() error {
	q.closes.Do(func() { close(q.closing) })
	<-q.stopped
	return q.conn.close()
}

// run lets a job wait for its turn, until limited ends, and then for its commit.
func (q *queue) run(caller, limited context.Context, j job) error {
	if q.performs.Load() && calledFrom(q.site) {
		return errNested
	}
	w := &waiting{job: j, caller: caller, ctx: context.WithoutCancel(caller), done: make(chan struct{})}
	select {
	case q.jobs <- w:
	case <-q.closing:
		return errClosed
	case <-limited.Done():
		return fmt.Errorf("%w: %w", errWithdrawn, limited.Err())
	case <-caller.Done():
		return errWithdrawn
	}
	reason := errWithdrawn
	select {
	case <-w.done:
		return w.outcome()
	case <-q.stopped:
		reason = errClosed
	case <-limited.Done():
		reason = fmt.Errorf("%w: %w", errWithdrawn, limited.Err())
	case <-caller.Done():
	}
	if w.begun.CompareAndSwap(false, true) {
		return reason
	}
	<-w.done
	return w.outcome()
}

func (w *waiting) outcome() error {
	if w.panics != nil {
		panic(w.panics)
	}
	return w.err
}

// begin reports whether the job is still wanted; from then on it can't be withdrawn.
func (w *waiting) begin() bool {
	return w.caller.Err() == nil && w.begun.CompareAndSwap(false, true)
}

// work runs jobs until the queue is closed.
func (q *queue) work() {
	ended := false
	defer func() {
		if ended {
			close(q.stopped)
			return
		}
		// A job has ended this goroutine, as FailNow of a test does.
		q.performs.Store(false)
		_ = q.conn.close()
		for _, w := range q.current {
			w.err = errAborted
			close(w.done)
		}
		q.current = nil
		go q.work()
	}()
	for {
		w := q.next()
		if w == nil {
			ended = true
			return
		}
		if !w.begin() {
			continue
		}
		q.current = append(q.current[:0], w)
		var second *waiting
		if !w.alone {
			second = q.another()
		}
		if second == nil {
			q.perform(w)
		} else {
			q.share(second)
		}
		q.answer()
	}
}

// next returns the job whose turn it is; nil when the queue is closed.
func (q *queue) next() *waiting {
	if w := q.kept; w != nil {
		q.kept = nil
		return w
	}
	select {
	case <-q.closing:
		return nil
	default:
	}
	select {
	case w := <-q.jobs:
		return w
	case <-q.closing:
		return nil
	}
}

// another returns a job that waits now and can share a commit; nil when there is none.
func (q *queue) another() *waiting {
	for q.kept == nil {
		select {
		case w := <-q.jobs:
			switch {
			case w.alone:
				q.kept = w
			case w.begin():
				return w
			}
		default:
			return nil
		}
	}
	return nil
}

// answer tells the callers of the current jobs, after what they wanted to happen first.
func (q *queue) answer() {
	for _, w := range q.current {
		if w.err == nil && w.panics == nil && w.committed != nil {
			_ = w.protected(func() error {
				return q.call(func(*gorm.DB) error { w.committed(); return nil }, nil)
			})
		}
	}
	q.commits.Add(1)
	q.carried.Add(int64(len(q.current)))
	for i, w := range q.current {
		close(w.done)
		q.current[i] = nil
	}
	q.current = q.current[:0]
}
