package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/fault"
)

// queued is a Store on an SQLite file with tables of a test's own, whose queue a test can fill while it stands still.
type queued struct {
	*Store

	mu    sync.Mutex
	sent  map[Kind]int
	ended chan ended
}

// ended is a write that has been answered.
type ended struct {
	name string
	err  error
}

func newQueued(t *testing.T, changes ...func(*Options)) *queued {
	t.Helper()
	url, err := config.ParseDatabaseURL("sqlite://" + filepath.Join(t.TempDir(), "fourinarow.db"))
	require.NoError(t, err)
	q := &queued{sent: map[Kind]int{}, ended: make(chan ended, 2*jobsAtOnce)}
	o := Options{
		Database: config.Database{URL: url, Connections: 2, SQLiteSynchronous: config.SynchronousNormal},
		Logger:   slog.New(slog.DiscardHandler), Clock: func() time.Time { return time.Time{} },
		Observe: func(_ context.Context, s Statement) {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.sent[s.Kind]++
		},
	}
	for _, change := range changes {
		change(&o)
	}
	q.Store, err = Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, q.Close()) })
	for _, table := range []string{
		"CREATE TABLE kept (name TEXT PRIMARY KEY, content BLOB)",
		"CREATE TABLE referring (name TEXT REFERENCES kept (name) DEFERRABLE INITIALLY DEFERRED)",
	} {
		require.NoError(t, q.write(t.Context(), func(db *gorm.DB) error { return db.Exec(table).Error }))
	}
	return q
}

// meanwhile fills the queue while a write stands still, lets them all go on and returns their answers in their order.
func (q *queued) meanwhile(t *testing.T, writes ...func()) map[string]error {
	t.Helper()
	stands, goOn := make(chan struct{}), make(chan struct{})
	go func() {
		_ = q.inTransaction(context.Background(), func(*gorm.DB) error {
			close(stands)
			<-goOn
			return nil
		})
	}()
	<-stands
	for n, write := range writes {
		go write()
		require.Eventually(t, func() bool { return len(q.queue.jobs) == n+1 }, time.Minute, time.Millisecond)
	}
	q.mu.Lock()
	clear(q.sent)
	q.mu.Unlock()
	close(goOn)
	answers := map[string]error{}
	for range writes {
		answered := <-q.ended
		answers[answered.name] = answered.err
	}
	return answers
}

// keep is a write of a row.
func (q *queued) keep(name string) func() {
	return func() {
		q.ended <- ended{name, q.inTransaction(context.Background(), keeping(name, 1))}
	}
}

func keeping(name string, size int) func(*gorm.DB) error {
	return func(tx *gorm.DB) error {
		_, err := affected(tx, "INSERT INTO kept (name, content) VALUES (?, zeroblob(?))", name, size)
		return err
	}
}

// names returns what is kept.
func (q *queued) names(t *testing.T) string {
	t.Helper()
	found, err := read[string](t.Context(), q.Store, "SELECT name FROM kept ORDER BY rowid")
	require.NoError(t, err)
	return strings.Join(found, " ")
}

func TestWritesOfSQLiteThatWaitShareACommit(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	refusal := errors.New("refused")
	var order []string
	remembering := func(name string, do func(*gorm.DB) error) func() {
		return func() {
			q.ended <- ended{name, q.inTransactionThen(context.Background(), do, func() { order = append(order, name) })}
		}
	}

	answers := q.meanwhile(
		t,
		remembering("a", keeping("a", 1)),
		remembering("refused", func(tx *gorm.DB) error { return errors.Join(keeping("x", 1)(tx), refusal) }),
		func() {
			err := q.writeThen(context.Background(), keeping("b", 1), func() { order = append(order, "b") })
			q.ended <- ended{"b", err}
		},
		remembering("a again", func(tx *gorm.DB) error { return keeping("a", 1)(tx) }),
		remembering("c", func(tx *gorm.DB) error {
			found, err := rows[string](tx, "SELECT name FROM kept WHERE name = 'b'")
			if err == nil && len(found) == 0 {
				err = errors.New("it doesn't see what its neighbour wrote")
			}
			return errors.Join(err, keeping("c", 1)(tx))
		}),
	)

	for _, name := range []string{"a", "b", "c"} {
		require.NoError(t, answers[name], name)
	}
	require.ErrorIs(t, answers["refused"], refusal)
	require.ErrorIs(t, answers["a again"], gorm.ErrDuplicatedKey)
	assert.Equal(t, "a b c", q.names(t))
	assert.Equal(t, []string{"a", "b", "c"}, order, "in the order of the commits")
	q.mu.Lock()
	defer q.mu.Unlock()
	assert.Equal(t, 2+writeTries-1, q.sent[Commit]+q.sent[Rollback], "one for all but the one before, and those who try again")
}

func TestNoMoreThanSomeWritesShareACommit(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	writes := make([]func(), jobsAtOnce)
	for n := range writes {
		writes[n] = q.keep(fmt.Sprint(n))
	}
	before, carriedBefore := q.Commits()
	for name, err := range q.meanwhile(t, writes...) {
		require.NoError(t, err, name)
	}
	commits, carried := q.Commits()
	assert.EqualValues(t, 2, commits-before)
	assert.EqualValues(t, jobsAtOnce+1, carried-carriedBefore)
}

// failingDisk lets every commit that fails be one whose outcome is unknown, since a disk that fails is hard to come by.
func (q *queued) failingDisk() {
	q.queue.sent = func(err error) error {
		if err != nil {
			return &unknownOutcomeError{cause: err}
		}
		return nil
	}
}

func TestFullDiskFailsTheWriteThatFillsItAlone(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	q.failingDisk() // before a commit the outcome is known
	much := func() {
		q.ended <- ended{"much", q.inTransaction(context.Background(), func(tx *gorm.DB) error {
			_, err := rows[int](tx, "PRAGMA max_page_count = 50") // of the connection
			return errors.Join(err, keeping("much", 1<<20)(tx))
		})}
	}
	answers := q.meanwhile(t, q.keep("a"), much, q.keep("b"))

	require.NoError(t, answers["a"])
	assert.True(t, fault.Is(answers["much"], fault.Away), answers["much"])
	require.NoError(t, answers["b"])
	assert.Equal(t, "a b", q.names(t))
}

// refer is a write whose commit is refused: it refers to what there isn't.
func (q *queued) refer(name string) func() {
	return func() {
		q.ended <- ended{name, q.inTransaction(context.Background(), func(tx *gorm.DB) error {
			_, err := affected(tx, "INSERT INTO referring VALUES ('nothing')")
			return err
		})}
	}
}

func TestRefusedCommitFailsTheWriteThatCausesItAlone(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	answers := q.meanwhile(t, q.keep("a"), q.refer("astray"), q.keep("b"))
	require.NoError(t, answers["a"])
	require.ErrorContains(t, answers["astray"], "FOREIGN KEY")
	require.NoError(t, answers["b"])
	assert.Equal(t, "a b", q.names(t))
}

func TestCommitThatTheDiskFailsIsUnknownForAllThatShareIt(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	q.failingDisk()
	answers := q.meanwhile(t, q.keep("a"), q.refer("astray"), q.keep("b"))
	for name, err := range answers {
		assert.True(t, fault.Is(err, fault.OutcomeUnknown), name)
	}
	assert.Empty(t, q.names(t), "none runs again")
}
