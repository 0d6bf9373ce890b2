package store

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/fault"
)

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
	answers := q.meanwhile(t, q.keep("a"), panicking, q.keep("b"))
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
	answers := q.meanwhile(t, q.keep("a"), func() {
		q.ended <- ended{"long", q.inTransactionWithin(context.Background(), time.Minute, keeping("long", 1))}
	}, q.keep("b"))
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
