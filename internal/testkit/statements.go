package testkit

import (
	"context"
	"sync"

	"github.com/fourinarow/fourinarow/internal/store"
)

// Counts are numbers of statements by kind.
type Counts struct {
	Reads, Writes, Begins, Commits, Rollbacks int
}

// Statements counts what is sent to a database. It is safe for concurrent use.
type Statements struct {
	mu     sync.Mutex
	counts Counts
}

// Observe counts a statement; it is what store.Options.Observe takes.
func (s *Statements) Observe(_ context.Context, statement store.Statement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch statement.Kind {
	case store.Read:
		s.counts.Reads++
	case store.Write:
		s.counts.Writes++
	case store.Begin:
		s.counts.Begins++
	case store.Commit:
		s.counts.Commits++
	case store.Rollback:
		s.counts.Rollbacks++
	}
}

// Reset returns what was counted since the last time and starts again at nought.
func (s *Statements) Reset() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	counted := s.counts
	s.counts = Counts{}
	return counted
}
