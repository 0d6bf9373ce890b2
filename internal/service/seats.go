package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// TakeSeat gives the free seat of a table to the caller and starts the game, or brings an owner back to its seat. An
// owner who comes back is here. With a settingsVersion the seat is taken only under these settings. The faults are
// those of table.Admit, stale_version, and too_many_tables.
func (s *Tables) TakeSeat(ctx context.Context, c Caller, id table.ID, code table.InviteCode, settingsVersion int64) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	guest, err := own(ctx, s.players, c)
	if err != nil {
		return TableView{}, wrap(err, "take a seat")
	}
	begins := false
	t, err := s.changeWith(ctx, c, code, id, func(t table.Table, o game.Outages) (TableChange, error) {
		begins = false // in an attempt before
		if err := t.Admit(c.Profile, code, settingsVersion); err != nil {
			return TableChange{}, err
		}
		if seat := t.SeatOf(c.Profile); seat != game.NoSeat {
			return s.comeBack(t, seat, o), nil
		}
		begins = true
		return s.sit(t, guest, o)
	})
	if err != nil {
		return TableView{}, err
	}
	view, err := s.view(ctx, c, t)
	view.Begun = begins
	return view, err
}

// sit gives the free seat of a table to a player and starts the game.
func (s *Tables) sit(t table.Table, guest profile.Profile, o game.Outages) (TableChange, error) {
	now := s.clock()
	id, err := newID(now, s.random)
	if err != nil {
		return TableChange{}, err
	}
	seated := s.attended(t).Sit(person(guest, now), game.ID(id), draw(s.random)%2 == 1, o.UpSince(), now)
	return TableChange{
		Table: seated, Game: nil, Due: s.saver.firstDue(seated, o), Seated: guest.ID, AtMost: s.openTables,
		Presence: &PresenceSaid{Seat: game.GuestSeat, Away: false, At: now},
	}, nil
}

// comeBack returns the change that an owner's coming back makes. At a closed table there is nothing to come back to.
func (s *Tables) comeBack(t table.Table, seat game.Seat, o game.Outages) TableChange {
	if t.Status == table.Closed {
		return TableChange{Table: t, Game: nil, Due: noTimer, Seated: "", AtMost: 0, Presence: nil}
	}
	return s.withPresence(t, seat, false, o)
}

// Leave takes the caller away from a table: one that waits or is between games closes, a running game goes on
// without its owner, or is resigned where nobody would play on. Leaving again changes nothing. The fault is
// not_seated, or not_found about a private table.
func (s *Tables) Leave(ctx context.Context, c Caller, id table.ID) error {
	if err := signedIn(c); err != nil {
		return err
	}
	_, err := s.change(ctx, c, id, func(t table.Table, o game.Outages) (TableChange, error) {
		if !t.VisibleTo(c.Profile) {
			return TableChange{}, table.Unknown()
		}
		leaving, err := t.Leave(c.Profile)
		if err != nil {
			return TableChange{}, err
		}
		return s.left(c, t, leaving, o)
	})
	return err
}

// left returns the change that an owner's leaving makes.
func (s *Tables) left(c Caller, t table.Table, leaving table.Leaving, o game.Outages) (TableChange, error) {
	seat := t.SeatOf(c.Profile)
	gone := TableChange{
		Table: t, Game: nil, Due: noTimer, Seated: "", AtMost: 0, Presence: &PresenceSaid{Seat: seat, Away: true, At: s.clock()},
	}
	switch leaving {
	case table.ClosesTable:
		gone.Table = t.CloseBy(seat)
		gone.Game = gone.Table.Game
	case table.LeavesGame:
		gone = s.withPresence(t, seat, true, o)
		gone.Table = gone.Table.Mark(seat, true)
	case table.ResignsGame:
		resigned, _, err := t.Game.Resign(c.Profile, s.clock())
		if err != nil {
			return TableChange{}, err
		}
		gone.Table = t.Mark(seat, true).GameOver(resigned, resigned.Finished)
		gone.Game = gone.Table.Game
	case table.NothingToLeave:
		gone.Presence = nil
	}
	return gone, nil
}
