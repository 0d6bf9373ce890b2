package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// saveOwn stores what an owner did in its running game. One who had said away is back at the table first.
func (s *Games) saveOwn(ctx context.Context, c Caller, before, after game.Game) (game.Game, error) {
	if err := s.comesBack(ctx, c, before); err != nil {
		return game.Game{}, err
	}
	saved, err := s.saver.save(ctx, before, after)
	if err != nil {
		return game.Game{}, err
	}
	s.attendance.heard(saved.Table, saved.Player(saved.SideOf(c.Profile)).Seat, s.clock())
	return saved, nil
}

// comesBack lets an owner who had said away or left be back at the table, because it moves or tries to: people tap on
// the board where they might say that they are here. ErrChanged says that it was away, and what it wants is to be
// looked at again. A game that is over knows nothing of who is away; its table does.
func (s *Games) comesBack(ctx context.Context, c Caller, g game.Game) error {
	side := g.SideOf(c.Profile)
	switch {
	case side == board.NoSide, !g.Over() && g.Player(side).Presence != game.Gone:
		return nil
	case g.Over():
		t, err := s.tableStore.Table(ctx, g.Table)
		if err != nil {
			return err
		}
		if t.Status == table.Closed || !t.Seats[g.Player(side).Seat-1].SaidAway {
			return nil
		}
	}
	_, err := s.tables.sayPresence(ctx, c, g.Table, false)
	if err != nil && !fault.Is(err, fault.TableClosed) { // then the game has ended meanwhile
		return err
	}
	return ErrChanged
}

// Resign gives a game to the other side. Doing it again changes nothing. Who had said away is back by it; who had left
// has still left, and the table closes with the game.
func (s *Games) Resign(ctx context.Context, c Caller, id game.ID) (GameView, error) {
	if err := signedIn(c); err != nil {
		return GameView{}, err
	}
	return decide(func() (GameView, error) {
		before, err := s.readable(ctx, c, id)
		if err != nil {
			return GameView{}, err
		}
		after, changed, err := before.Resign(c.Profile, s.clock())
		if err != nil {
			s.saver.heard(c, before)
			return GameView{}, s.conflict(ctx, c, before, err)
		}
		if changed {
			if after, err = s.saveResigned(ctx, c, before, after); err != nil {
				return GameView{}, wrap(err, "resign game %s", id)
			}
		}
		return s.view(ctx, c, after, answered)
	})
}

// saveResigned stores that an owner gave its game up.
func (s *Games) saveResigned(ctx context.Context, c Caller, before, after game.Game) (game.Game, error) {
	if owner := before.Player(before.SideOf(c.Profile)); owner.Presence == game.Gone {
		t, err := s.tableStore.Table(ctx, before.Table)
		if err != nil {
			return game.Game{}, err
		}
		if t.Seats[owner.Seat-1].Left {
			return s.saver.save(ctx, before, after)
		}
	}
	return s.saveOwn(ctx, c, before, after)
}
