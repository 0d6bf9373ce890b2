package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"gorm.io/gorm"
	"modernc.org/sqlite"
)

// job is a write: what is to happen whole or not at all.
type job struct {
	do        func(db *gorm.DB) error // may run more than once
	committed func()                  // runs when it is committed; nil: nothing does
	single    bool                    // it is one statement, which commits by itself
	alone     bool                    // it takes its time, and shares its commit with no other
	trial     bool                    // it may fail: also a file that was found malformed is tried with it
	timeout   time.Duration
}

// perform runs a job alone.
func (q *queue) perform(w *waiting) {
	db := q.orm.WithContext(w.ctx)
	q.conn.trial = w.trial
	defer func() { q.conn.trial = false }()
	if w.single {
		if w.err = q.conn.writable(); w.err != nil {
			return
		}
		if w.err = w.protected(func() error { return q.call(w.do, db) }); w.err != nil {
			w.err = q.sent(w.err)
		}
		return
	}
	if w.err = q.conn.begin(w.ctx); w.err != nil {
		return
	}
	if w.err = w.protected(func() error { return q.call(w.do, db) }); w.err != nil {
		q.conn.rollback(w.ctx)
		return
	}
	w.err = q.sent(q.conn.commit(w.ctx))
}

// share runs the current job, a second one and what waits besides in one transaction.
func (q *queue) share(second *waiting) {
	ctx := context.Background()
	if err := q.conn.begin(ctx); err != nil { // as each would hear that came alone
		q.current = append(q.current, second)
		q.all(err)
		return
	}
	broken := q.parts(second)
	if broken != nil {
		q.conn.rollback(ctx)
	} else if broken = q.conn.commit(ctx); isUnknown(q.sent(broken)) {
		q.all(q.sent(broken))
		return
	}
	if broken == nil {
		return
	}
	for _, w := range q.current { // nothing has happened: each once more, for itself
		if w.panics == nil {
			q.perform(w)
		}
	}
}

// parts runs the jobs of a transaction that has begun. An error says that it can't go on.
func (q *queue) parts(second *waiting) error {
	began := q.clock()
	q.current = append(q.current, second)
	for n := 0; n < len(q.current); n++ {
		if err := q.part(q.current[n]); err != nil {
			return err
		}
		if n+1 < len(q.current) || len(q.current) == jobsAtOnce || q.clock().Sub(began) >= batchTime {
			continue
		}
		if w := q.another(); w != nil {
			q.current = append(q.current, w)
		}
	}
	return nil
}

// all lets all current jobs end with one error.
func (q *queue) all(err error) {
	for _, w := range q.current {
		w.err = err
	}
}

// part runs a job as a part of a transaction. An error says that the transaction can't go on.
func (q *queue) part(w *waiting) error {
	do := func() error { return q.call(w.do, q.orm.WithContext(w.ctx)) }
	if w.single { // by itself it either happens or doesn't
		w.err = w.protected(do)
	} else if err := q.marked(w, do); err != nil {
		return err
	}
	var answer *sqlite.Error
	switch {
	case q.conn.ended != nil:
		return q.conn.ended
	case errors.As(w.err, &answer) && endsTransaction(w.err): // it came with the rows
		return w.err
	default:
		return nil
	}
}

// marked runs a job between a mark and its end.
func (q *queue) marked(w *waiting, do func() error) error {
	if err := q.conn.mark(w.ctx); err != nil {
		return err
	}
	w.err = w.protected(do)
	if q.conn.ended != nil {
		return q.conn.ended
	}
	return q.conn.unmark(w.ctx, w.err == nil)
}

func isUnknown(err error) bool {
	var unknown *unknownOutcomeError
	return errors.As(err, &unknown)
}

// protected keeps a panic of a job for its caller.
func (w *waiting) protected(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errAborted
			w.panics = fmt.Sprintf("%v\n\nin a write:\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// call runs a job while the queue knows that one runs.
func (q *queue) call(do func(*gorm.DB) error, db *gorm.DB) error {
	q.performs.Store(true)
	defer q.performs.Store(false)
	return callJob(do, db)
}

// callJob is the one place that calls jobs, so that a caller can be told to be inside of one by its stack.
//
//go:noinline
func callJob(do func(*gorm.DB) error, db *gorm.DB) error {
	return do(db)
}

// findSite returns where callJob calls.
func findSite() (site uintptr) {
	_ = callJob(func(*gorm.DB) error {
		var callers [2]uintptr
		runtime.Callers(1, callers[:]) // this function, and callJob
		site = callers[1]
		return nil
	}, nil)
	return site
}

// calledFrom reports whether a place is among the nearest callers. How far a job may be above a write in it is not known
// for sure, but it is a few calls, and whoever looks in vain looks at no more.
func calledFrom(site uintptr) bool {
	var callers [48]uintptr
	return slices.Contains(callers[:runtime.Callers(2, callers[:])], site)
}
