package testkit

import (
	"context"
	"strings"
	"sync"

	"github.com/fourinarow/fourinarow/internal/store"
)

// Counts are numbers of statements by kind.
type Counts struct {
	Reads, Writes, Begins, Commits, Rollbacks int
}

// Statements counts what is sent to a database. It is safe for concurrent use.
type Statements struct {
	mu      sync.Mutex
	counts  Counts
	word    string
	watched int // statements with the word
}

// Observe counts a statement; it is what store.Options.Observe takes.
func (s *Statements) Observe(_ context.Context, statement store.Statement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.word != "" && strings.Contains(statement.Text, s.word) {
		s.watched++
	}
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

// Watch begins to count the statements with a word in their text.
func (s *Statements) Watch(word string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.word, s.watched = word, 0
}

// Watched returns how many such statements there were since the last time.
func (s *Statements) Watched() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	watched := s.watched
	s.watched = 0
	return watched
}
