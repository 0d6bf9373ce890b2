package service

import (
	"context"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

const (
	// seenWithin is how long ago who waits was heard of at most to be matched.
	seenWithin = 10 * time.Second
	// seenWritten is how old what is stored of that may be when its owner asks about the table. With a second between
	// two polls it is never older than three.
	seenWritten = 2 * time.Second
)

// QuickWish is what a player wants of quick match.
type QuickWish struct {
	Ranked               bool
	MoveTimeLimitSeconds *int // nil: the service's default
}

// Matching is what a player wants of quick match, and what becomes of the tables it may lead to. Each is asked while
// nobody else is matched for the same player or in the same queue, and may be asked again.
type Matching struct {
	Who       profile.ID
	Rating    profile.Rating
	Queue     table.Queue
	Clock     time.Duration // the service's default at the moment
	SeenSince time.Time     // who waits was heard of then or later
	AtMost    int           // open tables of a profile
	// Back says what becomes of the table that quick match has given to the player already.
	Back func(own table.Table) (TableChange, error)
	// Move says what becomes of the table at which the player waits, and of the one of somebody else who waits for what the
	// player wants, when the player moves there.
	Move func(own, waiting table.Table) (leaves, sits TableChange, err error)
	// Anew says what becomes of the table at which the player waits, and makes the one at which it waits from now on: it
	// wants something else, for which nobody waits.
	Anew func(own table.Table) (leaves TableChange, waits table.Table, err error)
	// Meet says what becomes of a table at which somebody waits whom the player meets.
	Meet func(waiting table.Table) (TableChange, error)
	// Wait makes the table at which the player waits itself.
	Wait func() (table.Table, error)
}

// MatchStore brings players together.
type MatchStore interface {
	// Match does the first of five that it can, in one transaction: it lets a player move from the table at which it waits
	// to the nearest in rating of others who wait for what it wants, come back to the table that quick match has given to it
	// for that, wait at another one when it wants something else, meet the nearest of those who wait, or wait. The fault is too_many_tables. What a decision returns as an error comes
	// back as it is.
	Match(ctx context.Context, m Matching) (table.Table, error)
	// Searchers returns who waits and was seen since a moment and hasn't said away, the last to come first.
	Searchers(ctx context.Context, seenSince time.Time) ([]Searcher, error)
	// UnofferedSearches returns tables at which somebody waits for a quick match with a clock that was named and is none of
	// these.
	UnofferedSearches(ctx context.Context, offered []time.Duration) ([]table.ID, error)
}

// Searcher is who waits for a quick match.
type Searcher struct {
	Who   profile.ID
	Queue table.Queue
}

// Matches brings players together who want the same.
type Matches struct {
	store      MatchStore
	tables     *Tables
	players    ProfileStore
	rules      *Catalogue
	uptime     *Uptime
	attendance *Attendance
	clock      func() time.Time
}

// QuickMatch seats the caller with somebody who wants the same, at once or as soon as somebody comes. Asked again, it is
// the same table while the caller waits or plays its first game; unless it wants something else by now, or somebody else
// waits for the same at another table: then the caller waits no more at the first one. The faults are option_not_offered,
// rule_not_changeable and too_many_tables.
func (s *Matches) QuickMatch(ctx context.Context, c Caller, wish QuickWish) (TableView, error) {
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
	m := s.tables.meeting(guest, rules, o)
	t, err := s.store.Match(ctx, m.matching(wish))
	if err != nil {
		return TableView{}, err
	}
	s.attendance.heard(t.ID, t.SeatOf(c.Profile), s.clock())
	m.wake(t)
	return s.tables.view(ctx, c, t, answered)
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

// stillSearching stores at once that somebody who waits for quick match was heard of, when what is stored is old: else
// who comes now would pass by.
func (s *Tables) stillSearching(ctx context.Context, t table.Table, seat game.Seat) error {
	now := s.clock()
	if !t.Searching() || seat != game.HostSeat || now.Sub(t.Seats[seat-1].Seen) < seenWritten {
		return nil
	}
	return s.attendance.store.SeeOwners(ctx, []SeatSeen{{Table: t.ID, Seat: seat, At: now}})
}
