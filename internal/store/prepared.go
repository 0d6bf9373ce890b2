package store

import (
	"context"
	"database/sql"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// preparedAtMost bounds how many statements stay prepared, on each connection: those that were used last.
const preparedAtMost = 128

// preparer is where statements are prepared: a pool of connections, or one of them.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// statements are prepared statements by their text. SQLite would parse and plan a text anew each time. They are safe for
// concurrent use.
type statements struct {
	on preparer

	mu   sync.Mutex
	kept *simplelru.LRU[string, *prepared]
}

// prepared is a statement that is closed when nobody uses it any more after it was dropped.
type prepared struct {
	*sql.Stmt

	users   int
	dropped bool
}

func prepareOn(on preparer) *statements {
	s := &statements{on: on}
	s.kept, _ = simplelru.NewLRU(preparedAtMost, s.drop) // the error is about a size of nought
	return s
}

// take returns the statement with a text, which the caller gives back.
func (s *statements) take(ctx context.Context, query string) (*prepared, error) {
	s.mu.Lock()
	p, found := s.kept.Get(query)
	if found {
		p.users++
	}
	s.mu.Unlock()
	if found {
		return p, nil
	}
	statement, err := s.on.PrepareContext(ctx, query)
	if err != nil {
		return nil, err //nolint:wrapcheck // a pool of GORM returns what the driver does
	}
	p = &prepared{Stmt: statement, users: 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Remove(query) // one that another goroutine was faster to prepare
	s.kept.Add(query, p)
	return p, nil
}

// exec sends a statement that changes something.
func (s *statements) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	p, err := s.take(ctx, query)
	if err != nil {
		return nil, err
	}
	defer s.give(p)
	return p.ExecContext(ctx, args...) //nolint:wrapcheck // as above
}

// query sends a statement that answers with rows.
func (s *statements) query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	p, err := s.take(ctx, query)
	if err != nil {
		return nil, err
	}
	defer s.give(p)
	return p.QueryContext(ctx, args...) //nolint:wrapcheck,sqlclosecheck // as above, and the rows are the caller's
}

// give ends a use. Rows that are still being read keep the statement open by themselves.
func (s *statements) give(p *prepared) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.users--
	p.closeUnused()
}

// drop is called with the lock held.
func (s *statements) drop(_ string, p *prepared) {
	p.dropped = true
	p.closeUnused()
}

func (p *prepared) closeUnused() {
	if p.dropped && p.users == 0 {
		_ = p.Close() // it was read to the end, and nothing depends on it
	}
}

// close closes all that nobody uses, and the others when they have been given back.
func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Purge()
}
