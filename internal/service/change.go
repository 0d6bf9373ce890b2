package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// TableChange is what becomes of a table.
type TableChange struct {
	Table    table.Table   // as it is to be, with the game that begins by it; what is as before is not stored
	Game     *game.Game    // its game before as it is to be: nil when nothing of it changes
	Due      time.Time     // when a worker has to look at the table's game; zero: the timer stays, or goes when it is over
	Seated   profile.ID    // the profile that takes a seat by this: not at more than AtMost open tables, else too_many_tables
	AtMost   int           // see Seated
	Presence *PresenceSaid // what an owner said
}

// change lets decide say what becomes of a table, stores it and wakes the requests that wait. Faults about the table's state
// come as a TableConflictError.
func (s *Tables) change(ctx context.Context, c Caller, id table.ID, decide decision) (table.Table, error) {
	return s.changeWith(ctx, c, "", id, decide)
}

// decision says what becomes of a table that is locked.
type decision func(table.Table, game.Outages) (TableChange, error)

// changeWith is change for a caller who brings the code of an invitation.
func (s *Tables) changeWith(ctx context.Context, c Caller, code table.InviteCode, id table.ID, decide decision) (table.Table, error) {
	o, err := s.uptime.Outages(ctx) // before the transaction, which must not wait for another one
	if err != nil {
		return table.Table{}, err
	}
	var (
		seen table.Table
		due  time.Time
	)
	t, err := s.store.ChangeTable(ctx, id, func(t table.Table) (TableChange, error) {
		seen = t
		change, err := decide(t, o)
		if err == nil {
			err = understood(t, change)
		}
		due = change.Due
		return change, err
	})
	if err != nil {
		return table.Table{}, s.refuse(ctx, c, code, seen, err)
	}
	s.presence.heard(t.ID, t.SeatOf(c.Profile), s.clock())
	s.wakeups.table(t, due)
	if seen.Game != nil && (t.Game == nil || t.Game.ID != seen.Game.ID) {
		s.wakeups.game(*seen.Game)
	}
	return t, nil
}

// understood makes sure that a change of a table rests on no setting that another release alone knows: of the game that
// runs, of the one that begins by it, or as edited. The fault is unavailable.
func understood(before table.Table, c TableChange) error {
	begins := c.Table.Game != nil && (before.Game == nil || c.Table.Game.ID != before.Game.ID)
	switch {
	case before.Game != nil && !before.Game.Over():
		return before.Game.Settings.Check()
	case begins, c.Table.Settings != before.Settings:
		return c.Table.Settings.Check()
	default:
		return nil
	}
}

// refuse returns what to say about a change that may not be, with the table as it is. The owner of a seat there is here by
// having asked.
func (s *Tables) refuse(ctx context.Context, c Caller, code table.InviteCode, seen table.Table, err error) error {
	var f *fault.Error
	if seen.ID == "" || !errors.As(err, &f) || f.Kind() == fault.Unavailable {
		return err
	}
	seen, arriveErr := s.arrive(ctx, c, seen)
	if arriveErr != nil {
		return arriveErr
	}
	return s.conflict(ctx, c, code, seen, err)
}

// conflict adds the table to a fault about its state, where the caller may read it.
func (s *Tables) conflict(ctx context.Context, c Caller, code table.InviteCode, t table.Table, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind() != fault.Conflict || t.ID == "" || !t.OpenTo(c.Profile, code) {
		return err
	}
	view, viewErr := s.view(ctx, c, t)
	if viewErr != nil {
		return viewErr
	}
	return &TableConflictError{Fault: f, Table: view}
}
