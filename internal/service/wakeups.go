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

// named wakes the subscribers of games and tables of which no more is known than their ids.
func (w *wakeups) named(games []game.ID, tables []table.ID) {
	topics := make([]live.Topic, 0, len(games)+len(tables))
	for _, id := range games {
		topics = append(topics, GameTopic(id))
	}
	for _, id := range tables {
		topics = append(topics, TableTopic(id))
	}
	w.waiters.Wake(topics...)
}
