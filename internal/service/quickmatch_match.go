package service

import (
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// matching is one request for a quick match, of a player or of a worker for it, and what has come of it.
type matching struct {
	tables    *Tables
	guest     profile.Profile
	queue     table.Queue
	defaults  game.Settings // the service's of the moment
	settings  game.Settings // with the clock that is wanted …
	refusal   error         // … unless that isn't on offer
	outages   game.Outages
	seenSince time.Time // others were seen then or later

	table table.Table // where the player is after it
	left  table.Table // where it waits no more; the zero value: nowhere
	due   time.Time   // when a worker has to look at the game

	begins bool // the table is opened, or its game begins, by this
}

func (s *Matches) matching(guest profile.Profile, r QuickRequest, rules houserule.Catalogue, o game.Outages) *matching {
	m := &matching{
		tables: s.tables, guest: guest, queue: queueOf(r), defaults: game.Defaults(rules), outages: o,
		seenSince: s.clock().Add(-seenWithin),
	}
	m.settings, m.refusal = settingsOf(r, rules)
	return m
}

func queueOf(r QuickRequest) table.Queue {
	queue := table.Queue{Ranked: r.Ranked, MoveTimeLimit: 0, AnyClock: r.MoveTimeLimitSeconds == nil}
	if r.MoveTimeLimitSeconds != nil {
		queue.MoveTimeLimit = time.Duration(*r.MoveTimeLimitSeconds) * time.Second
	}
	return queue
}

// settingsOf returns the service's defaults with the clock that is wanted. A clock that is not on offer comes with a
// refusal, which is nil otherwise.
func settingsOf(r QuickRequest, rules houserule.Catalogue) (settings game.Settings, refusal error) {
	settings, err := choose(rules, game.Defaults(rules), clockOf(r.MoveTimeLimitSeconds))
	if f, found := errors.AsType[*fault.Error](err); found {
		f.Pointer = "/move_time_limit_seconds"
	}
	return settings, err
}

func (m *matching) searcher() Searcher { return Searcher{Who: m.guest.ID, Queue: m.queue} }

// decide brings the player together with another one, or lets it wait. A clock that is not on offer is refused also to a
// player who waits with it already: nobody will come any more. One who plays a first game is not refused that.
func (m *matching) decide(tx MatchTx) error {
	m.left, m.begins = table.Table{}, false // of an attempt before
	own, err := tx.Own()
	switch {
	case err != nil:
		return err
	case own != nil && !own.Searching(): // its first game runs
		return m.goOn(tx, *own)
	case m.refusal != nil:
		return m.refusal
	}
	other, err := m.nearest(tx)
	switch {
	case err != nil:
		return err
	case other != nil:
		return m.meet(tx, own, *other)
	case own != nil && own.Queue() == m.queue:
		return m.goOn(tx, *own)
	default:
		return m.wait(tx, own)
	}
}

// decideFor does the same for a player who waits and hasn't asked: it may meet another one, and nothing else. ErrChanged
// says that the player doesn't wait for that any more, or nobody else does.
func (m *matching) decideFor(tx MatchTx) error {
	m.left = table.Table{} // of an attempt before
	own, err := tx.Own()
	switch {
	case err != nil:
		return err
	case own == nil || !own.Searching() || own.Queue() != m.queue:
		return ErrChanged
	}
	if host := own.Seats[game.HostSeat-1]; host.SaidAway || host.Seen.Before(m.seenSince) {
		return ErrChanged
	}
	other, err := m.nearest(tx)
	switch {
	case err != nil:
		return err
	case other == nil:
		return ErrChanged
	default:
		return m.meet(tx, own, *other)
	}
}

// nearest locks and returns the table of the nearest in rating of those who wait for the same; nil: nobody does.
func (m *matching) nearest(tx MatchTx) (*table.Table, error) {
	candidates, err := tx.Candidates()
	if err != nil {
		return nil, err
	}
	for _, id := range table.Nearest(m.guest.Standing.Rating, candidates, m.seenSince) {
		t, err := tx.Lock(id)
		switch {
		case errors.Is(err, ErrUnreadable): // others wait too
			continue
		case err != nil:
			return nil, err
		}
		if t.Searching() && t.Renew(m.defaults).Settings.Understood() { // its owner hasn't given up meanwhile
			return &t, nil
		}
	}
	return nil, nil
}

// goOn lets the player go on at its table, where it is by having asked.
func (m *matching) goOn(tx MatchTx, own table.Table) error {
	change := m.tables.withPresence(own, own.SeatOf(m.guest.ID), false, m.outages)
	return m.settle(tx, own.ID, change)
}

// meet gives the player the free seat of a table and starts the game there. It waits no more at its own table, if it has
// one.
func (m *matching) meet(tx MatchTx, own *table.Table, other table.Table) error {
	if err := m.leave(tx, own, other.ID); err != nil {
		return err
	}
	change, err := m.tables.sit(other.Renew(m.defaults), m.guest, m.outages)
	if err != nil {
		return err
	}
	m.begins = true
	return m.settle(tx, other.ID, change)
}

// wait opens a table at which the player waits. It waits no more at its own table, if it has one.
func (m *matching) wait(tx MatchTx, own *table.Table) error {
	t, err := m.tables.newTable(m.guest, m.settings, NewTable{ //nolint:exhaustruct // a public table for two people
		Visibility: table.Public, Opponent: game.Human, Ranked: m.queue.Ranked,
	})
	if err != nil {
		return err
	}
	t.Quick, t.AnyClock = true, m.queue.AnyClock
	if err = m.leave(tx, own, t.ID); err != nil {
		return err
	}
	m.due, m.begins = noTimer, true
	m.table, err = tx.Open(t, m.tables.openTables)
	return err
}

// leave closes the table at which the player waits, for another one: before that, since it makes room among the open
// tables that a player may have.
func (m *matching) leave(tx MatchTx, own *table.Table, other table.ID) (err error) {
	if own == nil {
		return nil
	}
	change := m.tables.withPresence(*own, game.HostSeat, true, m.outages)
	change.Table = change.Table.MoveTo(other)
	m.left, err = tx.Apply(own.ID, change)
	return err
}

// settle stores what becomes of the table where the player is from now on.
func (m *matching) settle(tx MatchTx, id table.ID, change TableChange) (err error) {
	m.due = change.Due
	m.table, err = tx.Apply(id, change)
	return err
}

// wake wakes the subscribers of the tables that it changed.
func (m *matching) wake() {
	m.tables.wakeups.table(m.table, m.due)
	if m.left.ID != "" {
		m.tables.wakeups.table(m.left, noTimer)
	}
}
