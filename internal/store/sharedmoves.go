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

// sharedMoves stores moves on PostgreSQL, where a statement's way there, its commit and its wake-ups cost more than the row
// that it changes. One statement is on its way at a time. A move that arrives meanwhile gathers with others for the next one;
// any other is sent at once, by itself.
//
// Its connection waits for a locked row a tenth of a second at most, so that one game doesn't hold up the others. When a
// statement fails, nothing is stored, and each of its moves is stored once more on a connection of the pool.
type sharedMoves struct {
	db      *gorm.DB // of one connection
	feed    *feed
	timeout time.Duration

	mu      sync.Mutex
	running bool
	next    []*sharedMove // those that gather
}

func newSharedMoves(db *gorm.DB, f *feed, timeout time.Duration) *sharedMoves {
	return &sharedMoves{db: db, feed: f, timeout: timeout, mu: sync.Mutex{}, running: false, next: nil}
}

// movesAtOnce is how many moves share a statement at most.
const movesAtOnce = 64

// sharedMove is a game after a move.
type sharedMove struct {
	before mark
	after  gameRow // as it would be read
	done   chan struct{}
	stored bool
	err    error // of the statement
}

// movedColumns are what a shared statement writes.
var movedColumns = slices.DeleteFunc(slices.Clone(gameColumns), func(c mapping[gameRow]) bool { return !c.moved })

// newSharedMove returns a game after a move, unless that changes more than a shared statement writes.
func newSharedMove(before, after game.Game) (*sharedMove, bool, error) {
	after.Stamp = newStamp()
	m := &sharedMove{before: markOf(before), after: newGameRow(after), done: make(chan struct{}), stored: false, err: nil}
	was := newGameRow(before)
	if err := samePast(&was, &m.after); err != nil {
		return nil, false, err
	}
	for i := range gameColumns {
		c := &gameColumns[i]
		if c.same(&was, &m.after) {
			continue
		}
		if !c.moved {
			return nil, false, nil
		}
		if err := c.scan(&m.after, c.value(&m.after)); err != nil {
			return nil, false, fmt.Errorf("save game %s: column %s: %w", before.ID, c.name, err)
		}
	}
	return m, true, nil
}

// store stores a move, by itself or with others. Its error is that of the statement.
func (s *sharedMoves) store(ctx context.Context, m *sharedMove) (stored bool, err error) {
	s.mu.Lock()
	first := !s.running
	if first {
		s.running = true
	} else {
		s.next = append(s.next, m)
	}
	s.mu.Unlock()
	if first {
		s.run(ctx, []*sharedMove{m})
	}
	<-m.done
	return m.stored, m.err
}

// run stores some moves.
func (s *sharedMoves) run(ctx context.Context, some []*sharedMove) {
	defer s.goOn()
	s.send(ctx, some)
}

// goOn lets those be stored that have gathered, after a statement.
func (s *sharedMoves) goOn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.next), movesAtOnce)
	if s.running = n > 0; !s.running {
		return
	}
	some := slices.Clone(s.next[:n])
	s.next = append(s.next[:0], s.next[n:]...)
	go s.run(context.Background(), some)
}

// send sends one statement.
func (s *sharedMoves) send(ctx context.Context, some []*sharedMove) {
	err := errAborted
	defer func() {
		for _, m := range some {
			m.err = err
			close(m.done)
		}
	}()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
	defer cancel()
	// In one order, so that replicas that change the same games wait for each other and not in a circle.
	slices.SortFunc(some, func(a, b *sharedMove) int { return strings.Compare(string(a.after.game.ID), string(b.after.game.ID)) })
	statement, args := s.statement(some)
	var stamps []stampRow
	if stamps, err = rows[stampRow](s.db.WithContext(limited), statement, args...); err != nil {
		return
	}
	for _, m := range some {
		m.stored = slices.Contains(stamps, stampRow{m.after.game.Stamp})
	}
}

// stampRow is the stamp that a row has got.
type stampRow struct{ stamp int64 }

func (r *stampRow) targets() []any { return []any{&r.stamp} }

var updateMoved = func() string {
	assigned := make([]string, len(movedColumns))
	names, arrays := "id, was_version, was_stamp", "CAST(? AS uuid[]), CAST(? AS bigint[]), CAST(? AS bigint[])"
	for i, c := range movedColumns {
		assigned[i] = c.name + " = v." + c.name
		names += ", " + c.name
		arrays += ", CAST(? AS " + c.kind + "[])"
	}
	return "UPDATE games g SET " + strings.Join(assigned, ", ") + " FROM unnest(" + arrays + ") AS v(" + names +
		") WHERE g.id = v.id AND g.version = v.was_version AND g.stamp = v.was_stamp RETURNING v.stamp"
}()

// statement is the one that stores some moves, and returns the stamps of those whose games were as they were thought to be.
func (s *sharedMoves) statement(some []*sharedMove) (string, []any) {
	topics := make([]string, 0, 4*len(some)) //nolint:mnd // a game, its table and two players
	keys := [3]array{newArray(len(some)), newArray(len(some)), newArray(len(some))}
	for _, m := range some {
		topics = append(topics, idsOf(m.after.game)...)
		keys[0].add(string(m.after.game.ID))
		keys[1].add(m.before.version)
		keys[2].add(m.before.stamp)
	}
	args := make([]any, 0, 1+len(keys)+len(movedColumns))
	for i := range keys {
		args = append(args, keys[i].text())
	}
	for i := range movedColumns {
		values := newArray(len(some))
		for _, m := range some {
			values.add(movedColumns[i].value(&m.after))
		}
		args = append(args, values.text())
	}
	return s.feed.telling(distinct(topics), updateMoved, args)
}

// array is an array of PostgreSQL as text.
type array []byte

func newArray(entries int) array { return append(make(array, 0, 64*entries), '{') } //nolint:mnd // that suits most

// add adds a value of a mapping: text, a number or nil.
func (a *array) add(value any) {
	if len(*a) > 1 {
		*a = append(*a, ',')
	}
	switch v := value.(type) {
	case nil:
		*a = append(*a, "NULL"...)
	case int64:
		*a = strconv.AppendInt(*a, v, 10)
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
