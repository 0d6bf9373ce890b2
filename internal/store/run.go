package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// writeTries is how often a write runs that other writes push aside.
const writeTries = 3

// read returns the rows of a SELECT.
func read[R any](ctx context.Context, s *Store, query string, args ...any) ([]R, error) {
	return readOn[R](ctx, s, s.reader, query, args...)
}

// readOn is read on other connections than the usual ones.
func readOn[R any](ctx context.Context, s *Store, on *gorm.DB, query string, args ...any) ([]R, error) {
	limited, cancel := context.WithTimeout(ctx, s.readTimeout)
	defer cancel()
	found, err := rows[R](on.WithContext(limited), query, args...)
	if err != nil && s.dialect.stale(err) {
		found, err = rows[R](on.WithContext(limited), query, args...)
	}
	return found, s.translateFor(ctx, err)
}

// one returns the only row of a SELECT by a key. The fault not_found says that there is no such thing.
func one[R any](ctx context.Context, s *Store, thing, query string, args ...any) (R, error) {
	found, err := read[R](ctx, s, query, args...)
	switch {
	case err != nil && s.dialect.malformed(err): // an id that is none names nothing
		return *new(R), missing(thing)
	case err != nil:
		return *new(R), err
	case len(found) == 0:
		return *new(R), missing(thing)
	default:
		return found[0], nil
	}
}

// rows runs a statement that answers with rows and reads them to the end: what goes wrong at a commit comes last.
func rows[R any](db *gorm.DB, query string, args ...any) ([]R, error) {
	if _, mapped := any(new(R)).(mappedRow); mapped {
		return mappedRows[R](db, query, args...)
	}
	var found []R
	err := db.Raw(query, args...).Find(&found).Error // Scan would write the statement out for a log that nobody keeps
	return found, err
}

// affected runs a statement and returns how many rows it changed.
func affected(db *gorm.DB, query string, args ...any) (int64, error) {
	done := db.Exec(query, args...)
	return done.RowsAffected, done.Error
}

// write runs one statement that commits by itself.
func (s *Store) write(ctx context.Context, statement func(db *gorm.DB) error) error {
	return s.writeThen(ctx, statement, nil)
}

// writeThen is write, and calls committed when the statement is committed, before it returns. On SQLite these calls come
// from one goroutine, in the order of the commits.
func (s *Store) writeThen(ctx context.Context, statement func(db *gorm.DB) error, committed func()) error {
	return s.run(ctx, job{do: statement, committed: committed, single: true, alone: false, trial: false, timeout: s.writeTimeout})
}

// writeAlone is write for a statement that can't be part of a transaction, or takes its time.
func (s *Store) writeAlone(ctx context.Context, statement func(db *gorm.DB) error) error {
	return s.run(ctx, job{do: statement, committed: nil, single: true, alone: true, trial: false, timeout: s.writeTimeout})
}

// try is write, or inTransaction, for what shows by its success that a file is whole again.
func (s *Store) try(ctx context.Context, single bool, do func(db *gorm.DB) error) error {
	return s.run(ctx, job{do: do, committed: nil, single: single, alone: true, trial: true, timeout: s.writeTimeout})
}

// inTransaction runs what is to happen whole or not at all. It may run more than once, and must not write by other means
// than tx.
func (s *Store) inTransaction(ctx context.Context, do func(tx *gorm.DB) error) error {
	return s.inTransactionThen(ctx, do, nil)
}

// inTransactionThen is inTransaction, and calls committed as writeThen does.
func (s *Store) inTransactionThen(ctx context.Context, do func(tx *gorm.DB) error, committed func()) error {
	return s.run(ctx, job{do: do, committed: committed, single: false, alone: false, trial: false, timeout: s.writeTimeout})
}

// inTransactionWithin is inTransaction for what may take its own time.
func (s *Store) inTransactionWithin(ctx context.Context, timeout time.Duration, do func(tx *gorm.DB) error) error {
	return s.run(ctx, job{do: do, committed: nil, single: false, alone: true, trial: false, timeout: timeout})
}

// run runs a write on a context of its own, again when others pushed it aside.
func (s *Store) run(ctx context.Context, j job) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	ctx, j, written := s.memory.remembered(ctx, j)
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), j.timeout)
	defer cancel()
	var err error
	for range writeTries {
		if s.queue != nil {
			err = s.queue.run(ctx, limited, j)
		} else {
			err = s.runPooled(limited, j)
		}
		if !s.pushedAside(err) {
			break
		}
	}
	if err != nil {
		s.memory.doubt(written)
	}
	if ctx.Err() != nil && errors.Is(err, errWithdrawn) {
		return fmt.Errorf("write: %w", ctx.Err())
	}
	return s.translate(err)
}

// runPooled runs a write on a connection of the pool.
func (s *Store) runPooled(ctx context.Context, j job) error {
	db := s.writer.WithContext(ctx)
	var err error
	if j.single {
		err = s.sent(j.do(db))
	} else {
		err = s.pooledTransaction(db, j.do)
	}
	if err == nil && j.committed != nil {
		j.committed()
	}
	return err
}

func (s *Store) pooledTransaction(db *gorm.DB, do func(tx *gorm.DB) error) error {
	tx := db.Begin(&sql.TxOptions{})
	if tx.Error != nil {
		return tx.Error
	}
	committed := false
	defer func() {
		if !committed { // also in a panic; a connection that can't roll back is thrown away with its transaction
			tx.Rollback()
		}
	}()
	if err := do(tx); err != nil {
		return err
	}
	committed = true // or nobody knows
	return s.sent(tx.Commit().Error)
}

// pushedAside reports whether running a write again helps: the database broke it off for others' sake, they were faster
// to take a key, which the next read finds, or the schema was migrated.
func (s *Store) pushedAside(err error) bool {
	return err != nil && (errors.Is(err, gorm.ErrDuplicatedKey) || s.dialect.serialization(err) || s.dialect.stale(err))
}

// sent judges the error of what commits. When the connection broke, the commit may have happened or not.
func (s *Store) sent(err error) error {
	if err != nil && s.dialect.outcomeUnknown(err) {
		return &unknownOutcomeError{cause: err}
	}
	return err
}

func missing(thing string) error {
	return fault.New(fault.NotFound, "there is no such %s", thing)
}
