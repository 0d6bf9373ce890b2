package store

import (
	"context"
	"sync"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
)

// mark is what tells the states of a game apart.
type mark struct{ version, stamp int64 }

func markOf(g game.Game) mark { return mark{g.Version, g.Stamp} }

// versionChecks reads the marks of games. Requests share a statement only when it is sent after all of them have arrived:
// one runs, and those that arrive meanwhile gather for the next. So nobody is shown less than what was committed before.
type versionChecks struct {
	send func(context.Context, []game.ID) (map[game.ID]mark, error)

	mu      sync.Mutex
	running bool
	next    *versionCheck // those that gather
}

// versionCheck is one statement, and the requests that share it.
type versionCheck struct {
	ids   []game.ID
	done  chan struct{}
	marks map[game.ID]mark // without those that there aren't
	err   error
}

// mark returns the mark of a game's row, and false when there is none.
func (c *versionChecks) mark(ctx context.Context, id game.ID) (mark, bool, error) {
	c.mu.Lock()
	if c.next == nil {
		c.next = &versionCheck{ids: nil, done: make(chan struct{}), marks: nil, err: nil}
	}
	shared := c.next
	shared.ids = append(shared.ids, id)
	first := !c.running
	if first {
		c.running, c.next = true, nil
	}
	c.mu.Unlock()
	if first {
		c.run(ctx, shared)
	}
	select {
	case <-shared.done:
		found, there := shared.marks[id]
		return found, there, shared.err
	case <-ctx.Done():
		return mark{}, false, ctx.Err()
	}
}

// run sends a check, and then the one that has gathered meanwhile.
func (c *versionChecks) run(ctx context.Context, shared *versionCheck) {
	c.answer(ctx, shared)
	c.mu.Lock()
	next := c.next
	c.running, c.next = next != nil, nil
	c.mu.Unlock()
	if next != nil {
		go c.run(context.WithoutCancel(ctx), next)
	}
}

// answer sends one check. It isn't given up when the request that began it is.
func (c *versionChecks) answer(ctx context.Context, shared *versionCheck) {
	defer close(shared.done)
	shared.marks, shared.err = c.send(context.WithoutCancel(ctx), shared.ids)
}

const markOfGame = "SELECT version, stamp FROM games WHERE id = ?"

// marks reads the marks of games.
func (s *Store) marks(ctx context.Context, ids []game.ID) (map[game.ID]mark, error) {
	limited, cancel := context.WithTimeout(ctx, s.readTimeout)
	defer cancel()
	db := s.reader.WithContext(limited)
	found, err := s.readMarks(db, ids)
	if err != nil && s.dialect.stale(err) {
		found, err = s.readMarks(db, ids)
	}
	return found, s.translate(err)
}

func (s *Store) readMarks(db *gorm.DB, ids []game.ID) (map[game.ID]mark, error) {
	found := make(map[game.ID]mark, len(ids))
	if len(ids) == 1 {
		read, err := rows[markRow](db, markOfGame, string(ids[0]))
		for _, row := range read {
			found[ids[0]] = row.mark
		}
		return found, err
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	read, err := rows[namedMarkRow](db, "SELECT g.id, g.version, g.stamp FROM "+s.dialect.ids+" JOIN games g ON g.id = v.id", s.dialect.array(texts))
	for _, row := range read {
		found[game.ID(row.id)] = row.mark
	}
	return found, err
}

// markRow is the mark of the one game that was asked for.
type markRow struct{ mark mark }

func (r *markRow) targets() []any { return []any{&r.mark.version, &r.mark.stamp} }

// namedMarkRow is the mark of one of many games.
type namedMarkRow struct {
	id   string
	mark mark
}

func (r *namedMarkRow) targets() []any { return []any{&r.id, &r.mark.version, &r.mark.stamp} }
