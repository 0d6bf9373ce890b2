package service

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Waiters is where requests wait and are woken; internal/live has it.
type Waiters interface {
	Join(party live.Party, topic live.Topic) (*live.Waiter, bool)
	Wake(topics ...live.Topic)
	Stopping() <-chan struct{}
	// Dismiss ends the waiting requests of parties that are gone.
	Dismiss(gone func(live.Party) bool)
}

// wakeups wakes the subscribers of what has changed, and the worker for what is due.
type wakeups struct {
	waiters Waiters
	due     func(at time.Time) // tells the worker of this process when it has to look at a game
}

// game wakes the subscribers of a game, its table or the list of its owners' tables.
func (w *wakeups) game(g game.Game) { w.waiters.Wake(topicsOf(g)...) }

// table wakes the subscribers of a table, its game and the lists with it, and the worker when something is due.
func (w *wakeups) table(t table.Table, due time.Time) {
	w.waiters.Wake(topicsAt(t)...)
	if !due.IsZero() {
		w.due(due)
	}
}

// erased wakes the subscribers of games and tables where a name is gone.
func (w *wakeups) erased(e Erasure) {
	topics := make([]live.Topic, 0, len(e.Games)+len(e.Tables))
	for _, id := range e.Games {
		topics = append(topics, GameTopic(id))
	}
	for _, id := range e.Tables {
		topics = append(topics, TableTopic(id))
	}
	w.waiters.Wake(topics...)
}
