package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
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
func (q *queued) keep(name string, size int) func() {
	return func() {
		q.ended <- ended{name, q.inTransaction(context.Background(), keeping(name, size))}
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
		writes[n] = q.keep(fmt.Sprint(n), 1)
	}
	before, carriedBefore := q.Commits()
	for name, err := range q.meanwhile(t, writes...) {
		require.NoError(t, err, name)
	}
	commits, carried := q.Commits()
	assert.EqualValues(t, 2, commits-before)
	assert.EqualValues(t, jobsAtOnce+1, carried-carriedBefore)
}

func TestFullDiskFailsTheWriteThatFillsItAlone(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	much := func() {
		q.ended <- ended{"much", q.inTransaction(context.Background(), func(tx *gorm.DB) error {
			_, err := rows[int](tx, "PRAGMA max_page_count = 50") // of the connection
			return errors.Join(err, keeping("much", 1<<20)(tx))
		})}
	}
	answers := q.meanwhile(t, q.keep("a", 1), much, q.keep("b", 1))

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
	answers := q.meanwhile(t, q.keep("a", 1), q.refer("astray"), q.keep("b", 1))
	require.NoError(t, answers["a"])
	require.ErrorContains(t, answers["astray"], "FOREIGN KEY")
	require.NoError(t, answers["b"])
	assert.Equal(t, "a b", q.names(t))
}

func TestCommitThatTheDiskFailsIsUnknownForAllThatShareIt(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	q.queue.sent = func(err error) error { // a disk that fails is hard to come by
		if err != nil {
			return &unknownOutcomeError{cause: err}
		}
		return nil
	}
	answers := q.meanwhile(t, q.keep("a", 1), q.refer("astray"), q.keep("b", 1))
	for name, err := range answers {
		assert.True(t, fault.Is(err, fault.OutcomeUnknown), name)
	}
	assert.Empty(t, q.names(t), "none runs again")
}

// standing lets a write stand still until goOn is closed, and then tells how it ended.
func (q *queued) standing(name string) (goOn chan struct{}, first chan error) {
	stands := make(chan struct{})
	goOn, first = make(chan struct{}), make(chan error, 1)
	go func() {
		first <- q.inTransaction(context.Background(), func(tx *gorm.DB) error {
			close(stands)
			<-goOn
			return keeping(name, 1)(tx)
		})
	}()
	<-stands
	return goOn, first
}

func TestWriteThatNobodyWantsAnyMoreIsNotBegun(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	goOn, first := q.standing("a")
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() { gone <- q.inTransaction(ctx, keeping("b", 1)) }()
	require.Eventually(t, func() bool { return len(q.queue.jobs) == 1 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled, "its caller waits no longer")
	close(goOn)
	require.NoError(t, <-first)
	require.NoError(t, q.inTransaction(t.Context(), keeping("c", 1)))
	assert.Equal(t, "a c", q.names(t))
}

func TestWriteThatWaitsInVainIsUnavailableAndNotBegun(t *testing.T) {
	t.Parallel()
	q := newQueued(t, func(o *Options) { o.WriteTimeout = 50 * time.Millisecond })
	goOn, first := q.standing("a")

	err := q.inTransaction(t.Context(), keeping("b", 1))

	assert.True(t, fault.Is(err, fault.Away), err)
	close(goOn)
	require.NoError(t, <-first, "what has begun is finished")
	require.NoError(t, q.inTransactionWithin(t.Context(), time.Minute, keeping("c", 1)))
	assert.Equal(t, "a c", q.names(t))
}

func TestWriteInsideAWriteIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	for name, outer := range map[string]func(context.Context, func(*gorm.DB) error) error{
		"statement": q.write, "transaction": q.inTransaction,
	} {
		err := outer(t.Context(), func(*gorm.DB) error {
			return q.write(t.Context(), keeping("x", 1))
		})
		require.ErrorIs(t, err, errNested, name)
	}
	var inside error
	require.NoError(t, q.writeThen(t.Context(), keeping("a", 1), func() {
		inside = q.inTransaction(t.Context(), keeping("x", 1))
	}))
	require.ErrorIs(t, inside, errNested)
	other := make(chan error)
	require.NoError(t, q.inTransaction(t.Context(), func(*gorm.DB) error {
		go func() { other <- q.write(context.Background(), keeping("b", 1)) }()
		require.Eventually(t, func() bool { return len(q.queue.jobs) == 1 }, time.Minute, time.Millisecond)
		return nil
	}), "another goroutine may write meanwhile")
	require.NoError(t, <-other)
	assert.Equal(t, "a b", q.names(t))
}

func TestPanicInAWriteIsItsCallersAndNobodyElses(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	panicking := func() {
		defer func() { q.ended <- ended{"panics", fmt.Errorf("%v", recover())} }()
		_ = q.inTransaction(context.Background(), func(tx *gorm.DB) error {
			_ = keeping("x", 1)(tx)
			panic("board on fire")
		})
	}
	answers := q.meanwhile(t, q.keep("a", 1), panicking, q.keep("b", 1))
	require.ErrorContains(t, answers["panics"], "board on fire")
	require.NoError(t, answers["a"])
	require.NoError(t, answers["b"])
	answers = q.meanwhile(t, panicking)
	require.ErrorContains(t, answers["panics"], "board on fire")
	assert.Equal(t, "a b", q.names(t))
}

func TestWriteThatEndsItsGoroutineLetsOthersGoOn(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	err := q.inTransaction(t.Context(), func(tx *gorm.DB) error {
		_ = keeping("x", 1)(tx)
		runtime.Goexit() // as FailNow of a test does
		return nil
	})
	require.ErrorIs(t, err, errAborted)
	require.NoError(t, q.inTransaction(t.Context(), keeping("a", 1)))
	assert.Equal(t, "a", q.names(t))
}

func TestLongWriteSharesItsCommitWithNobody(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	before, _ := q.Commits()
	answers := q.meanwhile(t, q.keep("a", 1), func() {
		q.ended <- ended{"long", q.inTransactionWithin(context.Background(), time.Minute, keeping("long", 1))}
	}, q.keep("b", 1))
	for name, err := range answers {
		require.NoError(t, err, name)
	}
	commits, _ := q.Commits()
	assert.EqualValues(t, 4, commits-before)
	assert.Equal(t, "a long b", q.names(t))
}

func TestStoreThatIsClosedRefusesWrites(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	require.NoError(t, q.Close())
	require.ErrorIs(t, q.write(t.Context(), keeping("a", 1)), errClosed)
}

func TestMoreTextsThanStayPrepared(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := range 2 * preparedAtMost {
				found, err := read[int](t.Context(), q.Store, fmt.Sprintf("SELECT %d", n))
				if assert.NoError(t, err) {
					assert.Equal(t, []int{n}, found)
				}
			}
		})
	}
	all.Wait()
	for n := range 2 * preparedAtMost {
		require.NoError(t, q.write(t.Context(), func(db *gorm.DB) error {
			_, err := affected(db, fmt.Sprintf("INSERT INTO kept (name) VALUES ('%d')", n))
			return err
		}))
	}
	assert.LessOrEqual(t, q.queue.conn.prepared.kept.Len(), preparedAtMost)
}
