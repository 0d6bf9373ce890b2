package service

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// PresenceSaid is what an owner said about its presence at a table.
type PresenceSaid struct {
	Seat game.Seat
	Away bool
	At   time.Time
}

// SetPresence says that the caller is at a table or away from it. Away sticks until the caller does something there,
// and ends the caller's waiting requests at the table. The faults are not_seated and table_closed, or not_found about
// a private table.
func (s *Tables) SetPresence(ctx context.Context, c Caller, id table.ID, away bool) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	t, err := s.sayPresence(ctx, c, id, away)
	if err != nil {
		return TableView{}, err
	}
	return s.view(ctx, c, t)
}

// sayPresence stores what an owner said about its presence and lets its game follow.
func (s *Tables) sayPresence(ctx context.Context, c Caller, id table.ID, away bool) (table.Table, error) {
	return s.change(ctx, c, id, func(t table.Table, o game.Outages) (TableChange, error) {
		if !t.VisibleTo(c.Profile) {
			return TableChange{}, table.Unknown()
		}
		seat, err := t.Present(c.Profile)
		if err != nil {
			return TableChange{}, err
		}
		return s.withPresence(t, seat, away, o), nil
	})
}

// withPresence returns the change that an owner's presence makes: to the seat, to the running game, or to an
// agreement to another one.
func (s *Tables) withPresence(t table.Table, seat game.Seat, away bool, o game.Outages) TableChange {
	now := s.clock()
	change := TableChange{
		Table: t, Game: nil, Due: noTimer, Seated: "", AtMost: 0, Presence: &PresenceSaid{Seat: seat, Away: away, At: now},
	}
	if !away {
		change.Table = t.Mark(seat, false)
	}
	if t.Game == nil || !t.Game.Over() && !t.Game.Settings.Understood() {
		return change
	}
	side := t.Game.SideIn(seat)
	to := game.Here
	if away {
		to = game.Gone
	}
	after, changed := t.Game.SetPresence(side, to, now)
	if away && t.Game.Over() {
		after, changed = t.Game.SetRematch(side, false) // an owner who goes doesn't want another game
	}
	if changed {
		change.Game = &after
		change.Table.Game = &after
	}
	if changed && !after.Over() {
		s.observe.Flipped(to)
		change.Due = s.saver.nextDue(after, o)
	}
	return change
}
