package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
)

// sharedUpdates stores what becomes of running games on PostgreSQL, where a statement's way there, its commit and its wake-ups
// cost more than the row that it changes. One statement is on its way at a time. An update that arrives meanwhile gathers with
// others for the next one; any other is sent at once, by itself.
//
// Its connection waits for a locked row a tenth of a second at most, so that one game doesn't hold up the others. When a
// statement fails, nothing is stored, and each of its updates is stored once more on a connection of the pool.
type sharedUpdates struct {
	db      *gorm.DB // of one connection
	feed    *feed
	timeout time.Duration

	mu      sync.Mutex
	running bool
	next    []*sharedUpdate // those that gather
}

func newSharedUpdates(db *gorm.DB, f *feed, timeout time.Duration) *sharedUpdates {
	return &sharedUpdates{db: db, feed: f, timeout: timeout, mu: sync.Mutex{}, running: false, next: nil}
}

// updatesAtOnce is how many updates share a statement at most.
const updatesAtOnce = 64

// sharedUpdate is a game after a change.
type sharedUpdate struct {
	before mark
	after  gameRow   // as it would be read
	due    time.Time // when a worker has to look at it; zero: its timer stays as it is
	done   chan struct{}
	stored bool
	err    error // of the statement
}

// runningColumns are what a shared statement writes: all that changes while a game runs.
var runningColumns = slices.DeleteFunc(slices.Clone(gameColumns), func(c mapping[gameRow]) bool { return !c.running })

func newSharedUpdate(before, after game.Game, due time.Time) (*sharedUpdate, error) {
	after.Stamp = newStamp()
	u := &sharedUpdate{before: markOf(before), after: newGameRow(after), due: due, done: make(chan struct{}), stored: false, err: nil}
	was := newGameRow(before)
	if err := samePast(&was, &u.after); err != nil {
		return nil, err
	}
	for i := range gameColumns {
		c := &gameColumns[i]
		switch {
		case c.same(&was, &u.after):
		case !c.running:
			return nil, fmt.Errorf("save game %s: column %s doesn't change while it runs", before.ID, c.name)
		default:
			if err := c.scan(&u.after, c.value(&u.after)); err != nil {
				return nil, fmt.Errorf("save game %s: column %s: %w", before.ID, c.name, err)
			}
		}
	}
	return u, nil
}

// store stores an update, by itself or with others. Its error is that of the statement.
func (s *sharedUpdates) store(ctx context.Context, u *sharedUpdate) (stored bool, err error) {
	s.mu.Lock()
	first := !s.running
	if first {
		s.running = true
	} else {
		s.next = append(s.next, u)
	}
	s.mu.Unlock()
	if first {
		s.run(ctx, []*sharedUpdate{u})
	}
	<-u.done
	return u.stored, u.err
}

// run stores some updates.
func (s *sharedUpdates) run(ctx context.Context, some []*sharedUpdate) {
	defer s.goOn()
	s.send(ctx, some)
}

// goOn lets those be stored that have gathered, after a statement.
func (s *sharedUpdates) goOn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.next), updatesAtOnce)
	if s.running = n > 0; !s.running {
		return
	}
	some := slices.Clone(s.next[:n])
	s.next = append(s.next[:0], s.next[n:]...)
	go s.run(context.Background(), some)
}

// send sends one statement.
func (s *sharedUpdates) send(ctx context.Context, some []*sharedUpdate) {
	err := errAborted
	defer func() {
		for _, u := range some {
			u.err = err
			close(u.done)
		}
	}()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
	defer cancel()
	// In one order, so that replicas that change the same games wait for each other and not in a circle.
	slices.SortFunc(some, func(a, b *sharedUpdate) int { return strings.Compare(string(a.after.game.ID), string(b.after.game.ID)) })
	statement, args := s.statement(some)
	var stamps []stampRow
	if stamps, err = rows[stampRow](s.db.WithContext(limited), statement, args...); err != nil {
		return
	}
	for _, u := range some {
		u.stored = slices.Contains(stamps, stampRow{u.after.game.Stamp})
	}
}

// stampRow is the stamp that a row has got.
type stampRow struct{ stamp int64 }

func (r *stampRow) targets() []any { return []any{&r.stamp} }

// updateRunning changes rows, and updateTimed sets timers of games that it has changed besides.
var updateRunning, updateTimed = func() (string, string) {
	assigned := make([]string, len(runningColumns))
	names, arrays := "id, was_version, was_stamp, due", "CAST(? AS uuid[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[])"
	for i, c := range runningColumns {
		assigned[i] = c.name + " = v." + c.name
		names += ", " + c.name
		arrays += ", CAST(? AS " + c.kind + "[])"
	}
	update := "UPDATE games g SET " + strings.Join(assigned, ", ") + " FROM unnest(" + arrays + ") AS v(" + names +
		") WHERE g.id = v.id AND g.version = v.was_version AND g.stamp = v.was_stamp RETURNING v.stamp"
	return update, "updated AS (" + update + ", v.id, v.due), timed AS (" +
		setTimers("SELECT id, due, 1 FROM updated WHERE due IS NOT NULL") + ") SELECT stamp FROM updated"
}()

// statement is the one that stores some updates, and returns the stamps of those whose games were as they were thought to be.
func (s *sharedUpdates) statement(some []*sharedUpdate) (string, []any) {
	topics := make([]string, 0, 4*len(some)) //nolint:mnd // a game, its table and two players
	ids, versions, stamps, dues := newArray(len(some)), newArray(len(some)), newArray(len(some)), newArray(len(some))
	timed := false
	for _, u := range some {
		topics = append(topics, idsOf(u.after.game)...)
		ids.add(string(u.after.game.ID))
		versions.add(u.before.version)
		stamps.add(u.before.stamp)
		if u.due.IsZero() {
			dues.add(nil)
		} else {
			timed = true
			dues.add(micros(u.due))
		}
	}
	args := make([]any, 0, 5+len(runningColumns)) //nolint:mnd // the feed's and those that follow
	args = append(args, postgresArray(distinct(topics)), ids.text(), versions.text(), stamps.text(), dues.text())
	for i := range runningColumns {
		values := newArray(len(some))
		for _, u := range some {
			values.add(runningColumns[i].value(&u.after))
		}
		args = append(args, values.text())
	}
	news := "WITH published AS (" + s.feed.insert() + ")"
	if timed {
		return news + ", " + updateTimed, args
	}
	return news + " " + updateRunning, args
}

// array is an array of PostgreSQL as text.
type array []byte

func newArray(entries int) array { return append(make(array, 0, 64*entries), '{') } //nolint:mnd // that suits most

// add adds a value of a mapping.
func (a *array) add(value any) {
	if len(*a) > 1 {
		*a = append(*a, ',')
	}
	switch v := value.(type) {
	case nil:
		*a = append(*a, "NULL"...)
	case int64:
		*a = strconv.AppendInt(*a, v, 10)
	case bool:
		*a = strconv.AppendBool(*a, v)
	case string:
		*a = append(*a, '"')
		for i := range len(v) {
			if v[i] == '"' || v[i] == '\\' {
				*a = append(*a, '\\')
			}
			*a = append(*a, v[i])
		}
		*a = append(*a, '"')
	default:
		panic(fmt.Sprintf("%T in an array", value))
	}
}

func (a *array) text() string { return string(append(*a, '}')) }
