package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
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
	SeenSince time.Time // who waits was heard of then or later
	AtMost    int       // open tables of a profile
	// Back says what becomes of the table that quick match has given to the player already.
	Back func(own table.Table) (TableChange, error)
	// Move says what becomes of the table at which the player waits, and of the one of somebody else who waits in the same
	// queue, when the player moves there: two who were not here at the same time wait apart until both are.
	Move func(own, waiting table.Table) (leaves, sits TableChange, err error)
	// Meet says what becomes of a table at which somebody waits whom the player meets.
	Meet func(waiting table.Table) (TableChange, error)
	// Wait makes the table at which the player waits itself.
	Wait func() (table.Table, error)
}

// MatchStore brings players together.
type MatchStore interface {
	// Match does the first of four that it can, in one transaction: it lets a player move from the table at which it waits
	// to the nearest in rating of others who wait in the queue, come back to the table that quick match has given to it,
	// meet the nearest of those who wait, or wait. The fault is too_many_tables. What a decision returns as an error comes
	// back as it is.
	Match(ctx context.Context, m Matching) (table.Table, error)
	// Searchers returns who waits and was seen since a moment and hasn't said away, the last to come first.
	Searchers(ctx context.Context, seenSince time.Time) ([]Searcher, error)
}

// Searcher is who waits for a quick match.
type Searcher struct {
	Who   profile.ID
	Queue table.Queue
}

// QuickMatch seats the caller with somebody who wants the same, at once or as soon as somebody comes. Asked again, it is
// the same table while the caller waits or plays its first game; unless somebody else waits for the same at another one by
// now, where the caller then sits. The faults are option_not_offered, rule_not_changeable and too_many_tables.
func (s *Tables) QuickMatch(ctx context.Context, c Caller, wish QuickWish) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	settings, refusal, err := s.quickSettings(ctx, wish)
	if err != nil {
		return TableView{}, err
	}
	guest, err := s.deps.own(ctx, c)
	if err != nil {
		return TableView{}, wrap(err, "look for an opponent")
	}
	o, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return TableView{}, err
	}
	var (
		look time.Time
		left table.Table // where the caller waits no more
	)
	seen := func(change TableChange, err error) (TableChange, error) {
		look = change.Look
		return change, err
	}
	t, err := s.deps.Tables.Match(ctx, Matching{
		Who: c.Profile, Rating: guest.Standing.Rating, Queue: table.Queue{Ranked: wish.Ranked, MoveTimeLimit: settings.MoveTimeLimit},
		SeenSince: s.deps.Clock().Add(-seenWithin), AtMost: s.deps.Settings.OpenTables,
		Back: func(own table.Table) (TableChange, error) {
			return seen(s.withPresence(own, own.SeatOf(c.Profile), false, o), nil)
		},
		Move: func(own, waiting table.Table) (leaves, sits TableChange, err error) {
			leaves, sits, err = s.move(own, waiting, guest, o)
			left, look = leaves.Table, sits.Look
			return leaves, sits, err
		},
		Meet: func(waiting table.Table) (TableChange, error) {
			if refusal != nil {
				return TableChange{}, refusal
			}
			return seen(s.sit(waiting, guest, o))
		},
		Wait: func() (table.Table, error) {
			if refusal != nil {
				return table.Table{}, refusal
			}
			return s.quickTable(guest, settings, wish)
		},
	})
	if err != nil {
		return TableView{}, err
	}
	s.deps.Attendance.heard(t.ID, t.SeatOf(c.Profile), s.deps.Clock())
	s.wake(t, look)
	if left.ID != "" {
		s.wake(left, noLook)
	}
	return s.view(ctx, c, t, answered)
}

// quickSettings returns the service's defaults with the clock that is wished for. A clock that is not on offer comes with
// a refusal: who has a table already, opened before the rules were edited, is not refused it.
func (s *Tables) quickSettings(ctx context.Context, wish QuickWish) (settings game.Settings, refusal, err error) {
	rules, err := s.deps.Rules.Now(ctx)
	if err != nil {
		return game.Settings{}, nil, err
	}
	settings = game.Defaults(rules)
	chosen, err := choose(rules, settings, Choices{MoveTimeLimitSeconds: wish.MoveTimeLimitSeconds})
	if f, found := errors.AsType[*fault.Error](err); found {
		f.Pointer = "/move_time_limit_seconds"
		setSeconds(&settings.MoveTimeLimit, wish.MoveTimeLimitSeconds) // of the queue that is left untouched
		return settings, f, nil
	}
	return chosen, nil, err
}

// quickTable makes a table for quick match to fill.
func (s *Tables) quickTable(host profile.Profile, settings game.Settings, wish QuickWish) (table.Table, error) {
	t, err := s.newTable(host, settings, NewTable{
		Visibility: table.Public, Opponent: game.Human, CPULevel: "", Ranked: wish.Ranked, Choices: Choices{}, ClientRef: "",
	})
	t.Quick = true
	return t, err
}

// sit gives the free seat of a table to a player and starts the game.
func (s *Tables) sit(t table.Table, guest profile.Profile, o game.Outages) (TableChange, error) {
	now := s.deps.Clock()
	id, err := newID(now, s.deps.Random)
	if err != nil {
		return TableChange{}, err
	}
	seated := s.attended(t).Sit(person(guest, now), game.ID(id), s.deps.draw()%2 == 1, o.UpSince(), now)
	return TableChange{
		Table: seated, Game: nil, Look: s.deps.lookFrom(seated, o), Seated: guest.ID, AtMost: s.deps.Settings.OpenTables,
		Presence: &PresenceSaid{Seat: game.GuestSeat, Away: false, At: now},
	}, nil
}

// move closes the table at which a player waits, and gives it the free seat of another one.
func (s *Tables) move(own, waiting table.Table, guest profile.Profile, o game.Outages) (leaves, sits TableChange, err error) {
	leaves = s.withPresence(own, game.HostSeat, true, o)
	leaves.Table = leaves.Table.Close(table.HostLeft)
	sits, err = s.sit(waiting, guest, o)
	return leaves, sits, err
}

// StopQuickMatch closes the table at which the caller waits for quick match; without one nothing changes. The fault is
// already_matched.
func (s *Tables) StopQuickMatch(ctx context.Context, c Caller) error {
	if err := signedIn(c); err != nil {
		return err
	}
	tables, err := s.deps.Tables.TablesOf(ctx, c.Profile)
	if err != nil {
		return wrap(err, "give quick match up")
	}
	i := slices.IndexFunc(tables, table.Table.QuickMatch)
	if i < 0 {
		return nil
	}
	_, err = s.change(ctx, c, tables[i].ID, func(t table.Table, o game.Outages) (TableChange, error) {
		if err := t.GiveUp(); err != nil {
			return TableChange{}, err
		}
		if !t.Searching() { // it closed meanwhile
			return s.left(c, t, table.NothingToLeave, o)
		}
		return s.left(c, t, table.ClosesTable, o)
	})
	return err
}

// stillSearching stores at once that somebody who waits for quick match was heard of, when what is stored is old: else
// who comes now would pass by.
func (s *Tables) stillSearching(ctx context.Context, t table.Table, seat game.Seat) error {
	now := s.deps.Clock()
	if !t.Searching() || seat != game.HostSeat || now.Sub(t.Seats[seat-1].Seen) < seenWritten {
		return nil
	}
	return s.deps.Duties.SeeOwners(ctx, []SeatSeen{{Table: t.ID, Seat: seat, At: now}})
}
