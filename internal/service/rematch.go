package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Agree takes the caller's agreement to another game after the finished one it names. When both seats have agreed
// the next game begins. An agreement to a game that has its next already is answered with the table as it is. The
// faults are those of table.Agree, or not_found about a private table.
func (s *Tables) Agree(ctx context.Context, c Caller, id table.ID, finished game.ID, settingsVersion int64) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	next, err := newID(s.clock(), s.random)
	if err != nil {
		return TableView{}, err
	}
	agreement := table.Agreement{By: c.Profile, Game: finished, SettingsVersion: settingsVersion}
	begins := false
	t, err := s.change(ctx, c, id, func(t table.Table, o game.Outages) (TableChange, error) {
		begins = false // in an attempt before
		if !t.VisibleTo(c.Profile) {
			return TableChange{}, table.Unknown()
		}
		agreed, err := s.attended(t).Agree(agreement, game.ID(next), o.UpSince(), s.clock())
		if err != nil {
			return TableChange{}, err
		}
		change := s.agreed(t, agreed)
		change.Presence = &PresenceSaid{Seat: t.SeatOf(c.Profile), Away: false, At: s.clock()}
		if agreed.Started {
			begins = true
			change.Due = s.saver.firstDue(agreed.Table, o)
		}
		return change, nil
	})
	view, err := s.agreeing(ctx, c, id, finished, t, err)
	view.Begun = begins
	return view, err
}

// attended adds what this process knows of the owners' presence to what is stored.
func (s *Tables) attended(t table.Table) table.Table {
	for i, seat := range t.Seats {
		if seat.Kind == game.Human {
			t.Seats[i].Seen = s.presence.known(t.ID, game.Seat(i+1), seat.Seen, s.clock())
		}
	}
	return t
}

// TakeBack takes the caller's agreement back. The faults are those of Agree.
func (s *Tables) TakeBack(ctx context.Context, c Caller, id table.ID, finished game.ID) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	agreement := table.Agreement{By: c.Profile, Game: finished, SettingsVersion: 0}
	t, err := s.change(ctx, c, id, func(t table.Table, _ game.Outages) (TableChange, error) {
		if !t.VisibleTo(c.Profile) {
			return TableChange{}, table.Unknown()
		}
		agreed, err := t.TakeBack(agreement)
		if err != nil {
			return TableChange{}, err
		}
		return s.agreed(t, agreed), nil
	})
	return s.agreeing(ctx, c, id, finished, t, err)
}

// agreed returns the change that an agreement makes.
func (s *Tables) agreed(t table.Table, a table.Agreed) TableChange {
	change := TableChange{Table: a.Table, Game: nil, Due: noTimer, Seated: "", AtMost: 0, Presence: nil}
	if a.Changed {
		change.Game = &a.Last
	} else {
		change.Table = t
	}
	return change
}

// agreeing answers an agreement. One about a game that has its next already was carried out before.
func (s *Tables) agreeing(ctx context.Context, c Caller, id table.ID, finished game.ID, t table.Table, err error) (TableView, error) {
	if fault.Is(err, fault.StaleGame) {
		g, gameErr := s.games.Game(ctx, finished)
		if gameErr != nil && !fault.Is(gameErr, fault.NotFound) {
			return TableView{}, gameErr
		}
		if gameErr == nil && g.Table == id && g.Next != "" {
			t, err = s.visible(ctx, c, id)
		}
	}
	if err != nil {
		return TableView{}, err
	}
	return s.view(ctx, c, t)
}
