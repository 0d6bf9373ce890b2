package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// TakeSeat gives the free seat of a table to the caller and starts the game, or returns the table as it is to
// somebody who has a seat. The faults are those of table.Admit, and too_many_tables.
func (s *Tables) TakeSeat(ctx context.Context, c Caller, id table.ID, code table.InviteCode) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	return decide(func() (TableView, error) {
		t, err := s.deps.Tables.Table(ctx, id)
		if err != nil {
			return TableView{}, err
		}
		if err = t.Admit(c.Profile, code); err != nil {
			return TableView{}, s.conflict(c, t, err)
		}
		if t.SeatOf(c.Profile) == game.NoSeat {
			if t, err = s.sit(ctx, c, t); err != nil {
				return TableView{}, err
			}
		}
		return s.view(c, t, answered), nil
	})
}

// sit seats the caller and starts the game.
func (s *Tables) sit(ctx context.Context, c Caller, t table.Table) (table.Table, error) {
	guest, err := s.deps.Profiles.Profile(ctx, c.Profile)
	if err != nil {
		return table.Table{}, wrap(err, "take a seat")
	}
	now := s.deps.Clock()
	id, err := newID(now, s.deps.Random)
	if err != nil {
		return table.Table{}, err
	}
	chance := s.deps.draw()%2 == 1
	seated, g := t.Sit(table.Seat{Profile: guest.ID, Name: guest.Name}, game.ID(id), chance, now)
	if err = s.deps.Tables.TakeSeat(ctx, seated, g, s.deps.Settings.OpenTables); err != nil {
		return table.Table{}, wrap(err, "take a seat at table %s", t.ID)
	}
	s.deps.Waiters.Wake(string(t.ID))
	return seated, nil
}

// Leave takes the caller away from a table: a waiting one closes, a running game is resigned. Leaving again changes
// nothing. The fault is not_seated, or not_found about a private table.
func (s *Tables) Leave(ctx context.Context, c Caller, id table.ID) error {
	if err := signedIn(c); err != nil {
		return err
	}
	_, err := decide(func() (struct{}, error) { return struct{}{}, s.leave(ctx, c, id) })
	return err
}

func (s *Tables) leave(ctx context.Context, c Caller, id table.ID) error {
	t, err := s.visible(ctx, c, id)
	if err != nil {
		return err
	}
	reason, resigns, err := t.Leave(c.Profile)
	if err != nil || reason == "" {
		return err
	}
	if resigns {
		return s.resign(ctx, c, t, reason)
	}
	if err = s.deps.Tables.CloseWaiting(ctx, t.Close(reason)); err != nil {
		return wrap(err, "leave table %s", id)
	}
	s.deps.Waiters.Wake(string(id))
	return nil
}

// resign ends the game of a table because the caller leaves.
func (s *Tables) resign(ctx context.Context, c Caller, t table.Table, reason table.CloseReason) error {
	before, err := s.deps.Games.Game(ctx, t.Game.ID)
	if err != nil {
		return wrap(err, "leave table %s", t.ID)
	}
	if before.Over() { // it ended a moment ago, and its table with it: look again
		return ErrChanged
	}
	after, _, err := before.Resign(c.Profile, s.deps.Clock())
	if err != nil {
		return err
	}
	if _, err = s.deps.Games.SaveEnd(ctx, before, after, reason); err != nil {
		return wrap(err, "leave table %s", t.ID)
	}
	s.deps.Waiters.Wake(string(t.Game.ID), string(t.ID))
	return nil
}
