package service

import (
	"context"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

const (
	// seenWithin is how long ago a waiting player was seen at most to be matched.
	seenWithin = 10 * time.Second
	// seenWritten is how old what is stored of that may be when its owner asks about the table. With a second between
	// two polls it is never older than three.
	seenWritten = 2 * time.Second
)

// QuickRequest is what a player wants of quick match.
type QuickRequest struct {
	Ranked               bool
	MoveTimeLimitSeconds *int // nil: the service's default
}

// Searcher is a player who waits for a quick match, or wants one.
type Searcher struct {
	Who   profile.ID
	Queue table.Queue
}

// MatchStore brings players together.
type MatchStore interface {
	// InMatch runs decide in one transaction, while nobody else is matched for the same player or in the same queue. Clock is
	// the service's default of the moment. What decide returns as an error comes back as it is, and nothing is stored. decide
	// may be called again when the database asks for it, and begins anew then.
	InMatch(ctx context.Context, who Searcher, clock time.Duration, decide func(tx MatchTx) error) error
	// Searchers returns the players who wait, were seen since a moment and haven't said away, the last to come first.
	Searchers(ctx context.Context, seenSince time.Time) ([]Searcher, error)
	// UnofferedSearches returns tables at which somebody waits for a quick match with a clock that was named and is none of
	// these.
	UnofferedSearches(ctx context.Context, offered []time.Duration) ([]table.ID, error)
}

// MatchTx is the transaction in which a player is matched. Own comes first: it takes the player's turn in the queue.
type MatchTx interface {
	// Own locks and returns the table that quick match has given to the player; nil: there is none that can be read.
	Own() (*table.Table, error)
	// Candidates returns the tables at which others who haven't said away wait for what the player wants.
	Candidates() ([]table.Candidate, error)
	// Lock locks a table and its game, and returns the table as it is now. ErrUnreadable, which the log says then, is no
	// reason to end the transaction.
	Lock(id table.ID) (table.Table, error)
	// Apply stores what becomes of a table that is locked, and returns it as it is then. The fault is too_many_tables.
	Apply(id table.ID, change TableChange) (table.Table, error)
	// Open stores a new table. The fault is too_many_tables: its host has atMost open ones already.
	Open(t table.Table, atMost int) (table.Table, error)
}

// Matches brings players together who want the same.
type Matches struct {
	store    MatchStore
	tables   *Tables
	players  ProfileStore
	rules    *Catalogue
	uptime   *Uptime
	presence *PresenceLog
	clock    func() time.Time
	offer    clockOffer
}

// QuickMatch seats the caller with somebody who wants the same, at once or as soon as somebody comes. Asked again, it is
// the same table while the caller waits or plays its first game; unless it wants something else by now, or somebody else
// waits for the same at another table: then the caller waits no more at the first one. The faults are option_not_offered,
// rule_not_changeable and too_many_tables.
func (s *Matches) QuickMatch(ctx context.Context, c Caller, r QuickRequest) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	rules, err := s.rules.Now(ctx)
	if err != nil {
		return TableView{}, err
	}
	guest, err := own(ctx, s.players, c)
	if err != nil {
		return TableView{}, wrap(err, "look for an opponent")
	}
	o, err := s.uptime.Outages(ctx)
	if err != nil {
		return TableView{}, err
	}
	m := s.matching(guest, r, rules, o)
	if err = s.store.InMatch(ctx, m.searcher(), m.defaults.MoveTimeLimit, m.decide); err != nil {
		return TableView{}, err
	}
	s.presence.heard(m.table.ID, m.table.SeatOf(c.Profile), s.clock())
	m.wake()
	view, err := s.tables.view(ctx, c, m.table)
	view.Begun = m.begins
	return view, err
}

// StopQuickMatch closes the table at which the caller waits for quick match; without one nothing changes. The fault is
// already_matched.
func (s *Matches) StopQuickMatch(ctx context.Context, c Caller) error {
	if err := signedIn(c); err != nil {
		return err
	}
	tables, err := s.tables.store.TablesOf(ctx, c.Profile)
	if err != nil {
		return wrap(err, "give quick match up")
	}
	i := slices.IndexFunc(tables, table.Table.QuickMatch)
	if i < 0 {
		return nil
	}
	_, err = s.tables.change(ctx, c, tables[i].ID, func(t table.Table, o game.Outages) (TableChange, error) {
		if err := t.GiveUp(); err != nil {
			return TableChange{}, err
		}
		if !t.Searching() { // it closed meanwhile
			return s.tables.left(c, t, table.NothingToLeave, o)
		}
		return s.tables.left(c, t, table.ClosesTable, o)
	})
	return err
}

// stillSearching stores at once that a player who waits for quick match was seen, when what is stored is old: else
// a player who comes now would pass by.
func (s *Tables) stillSearching(ctx context.Context, t table.Table, seat game.Seat) error {
	now := s.clock()
	if !t.Searching() || seat != game.HostSeat || now.Sub(t.Seats[seat-1].Seen) < seenWritten {
		return nil
	}
	err := s.presence.store.SeeOwners(ctx, []SeatSeen{{Table: t.ID, Seat: seat, At: now}})
	if fault.Is(err, fault.Away) { // the table can be read all the same, and nobody can come now
		return nil
	}
	return err
}
