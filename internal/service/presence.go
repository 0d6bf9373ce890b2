package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// arrive notes that the caller has talked about a game. When its owner was away by silence, it is here again, and
// that is stored before the request is answered. read loads the game again when somebody else was faster.
func (d Deps) arrive(ctx context.Context, c Caller, g game.Game, read func() (game.Game, error)) (game.Game, error) {
	d.heard(c, g)
	side := g.SideOf(c.Profile)
	if side == board.NoSide || g.Over() || g.Player(side).Presence != game.Silent {
		return g, nil
	}
	first := true
	return decide(func() (game.Game, error) {
		if !first {
			var err error
			if g, err = read(); err != nil {
				return game.Game{}, err
			}
		}
		first = false
		if g.Over() || g.Player(side).Presence != game.Silent {
			return g, nil
		}
		back, _ := g.SetPresence(side, game.Here, d.Clock())
		return d.saveFlip(ctx, g, back, game.Here)
	})
}

// heard notes that the caller has talked about a game.
func (d Deps) heard(c Caller, g game.Game) {
	if side := g.SideOf(c.Profile); side != board.NoSide {
		d.Attendance.heard(g.Table, g.Player(side).Seat, d.Clock())
	}
}

// saveFlip stores a flip of presence, sets the timer it makes due and wakes those who wait.
func (d Deps) saveFlip(ctx context.Context, before, after game.Game, to game.Presence) (game.Game, error) {
	outages, err := d.Uptime.Outages(ctx)
	if err != nil {
		return game.Game{}, err
	}
	look := d.lookWith(after, outages)
	saved, err := d.Games.SaveGame(ctx, before, after, look)
	if err != nil {
		return game.Game{}, d.perhaps(err, after)
	}
	d.Observe.Flipped(to)
	d.Due(look)
	d.Waiters.Wake(topicsOf(saved)...)
	return saved, nil
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
	return s.view(ctx, c, t, answered)
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
	now := s.deps.Clock()
	change := TableChange{
		Table: t, Game: nil, Look: noLook, Seated: "", AtMost: 0, Presence: &PresenceSaid{Seat: seat, Away: away, At: now},
	}
	if !away {
		change.Table = t.Mark(seat, false)
	}
	if t.Game == nil {
		return change
	}
	side := t.Game.SideIn(seat)
	to := game.Here
	if away {
		to = game.Gone
	}
	after, changed := t.Game.SetPresence(side, to, now)
	if away && t.Game.Over() {
		after, changed = t.Game.SetRematch(side, false) // who goes doesn't want another game
	}
	if changed {
		change.Game = &after
		change.Table.Game = &after
	}
	if changed && !after.Over() {
		s.deps.Observe.Flipped(to)
		change.Look = s.deps.lookWith(after, o)
	}
	return change
}
