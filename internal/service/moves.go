package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Moves returns the moves of a game after a ply, first move first.
func (s *Games) Moves(ctx context.Context, c Caller, id game.ID, afterPly int) ([]game.Move, error) {
	g, err := s.visible(ctx, c, id)
	if err != nil {
		return nil, err
	}
	played := g.Played()
	return played[min(max(afterPly, 0), len(played)):], nil
}

// Play makes a ply. A request sent again is answered with the game as it is now. Faults of game.Play come with the
// game, as a GameConflictError.
func (s *Games) Play(ctx context.Context, c Caller, id game.ID, ply int, column board.Column) (GameView, error) {
	if err := signedIn(c); err != nil {
		return GameView{}, err
	}
	m := moveRequest{ply: ply, column: column, arrived: s.clock()}
	after, played, err := s.playKnown(ctx, c, id, m)
	if err != nil {
		return GameView{}, err
	}
	if played {
		return s.view(ctx, c, after)
	}
	return decide(func() (GameView, error) {
		before, err := s.readable(ctx, c, id)
		if err != nil {
			return GameView{}, err
		}
		after, err := s.play(ctx, c, before, m)
		if err != nil {
			return GameView{}, err
		}
		return s.view(ctx, c, after)
	})
}

// moveRequest is a move that a player asks for.
type moveRequest struct {
	ply     int
	column  board.Column
	arrived time.Time
}

// playKnown makes a move in a game as this process knows it. Only a move that is stored may rest on that: false says that
// everything else is to be decided on the game as it is.
func (s *Games) playKnown(ctx context.Context, c Caller, id game.ID, m moveRequest) (game.Game, bool, error) {
	before, known := s.store.KnownGame(id)
	if !known || before.Player(before.SideOf(c.Profile)).Presence == game.Gone { // it comes back to the table by a move
		return game.Game{}, false, nil
	}
	outages, err := s.uptime.Outages(ctx)
	if err != nil {
		return game.Game{}, false, err
	}
	after, changed, _ := before.Play(c.Profile, m.ply, m.column, m.arrived, outages)
	if !changed {
		return game.Game{}, false, nil
	}
	after, err = s.savePlayed(ctx, c, before, after)
	if errors.Is(err, ErrChanged) {
		return game.Game{}, false, nil
	}
	return after, err == nil, err
}

// savePlayed stores a game after a move.
func (s *Games) savePlayed(ctx context.Context, c Caller, before, after game.Game) (game.Game, error) {
	after, err := s.saveOwn(ctx, c, before, after)
	if err != nil {
		return game.Game{}, wrap(err, "play ply %d of game %s", before.Ply()+1, before.ID)
	}
	s.observe.Moved(game.ByPlayer, after.Result.Outcome)
	return after, nil
}

// play makes a move in a game as it is, and returns the game after it.
func (s *Games) play(ctx context.Context, c Caller, before game.Game, m moveRequest) (game.Game, error) {
	outages, err := s.uptime.Outages(ctx)
	if err != nil {
		return game.Game{}, err
	}
	after, changed, refusal := before.Play(c.Profile, m.ply, m.column, m.arrived, outages)
	if changed {
		return s.savePlayed(ctx, c, before, after)
	}
	// It says nothing new, or may not, but its owner is here by it.
	if err = s.comesBack(ctx, c, before); err != nil {
		return game.Game{}, err
	}
	before, err = s.arrive(ctx, c, before)
	switch {
	case err != nil:
		return game.Game{}, err
	case fault.Is(refusal, fault.TimeIsUp) && before.TimeIsUp(m.arrived, outages):
		return game.Game{}, s.tooLate(ctx, c, before, refusal)
	case refusal != nil:
		return game.Game{}, s.conflict(ctx, c, before, refusal)
	default:
		return before, nil
	}
}

// tooLate applies a deadline that a move came too late for, if no worker has yet.
func (s *Games) tooLate(ctx context.Context, c Caller, before game.Game, late error) error {
	expired, err := s.saver.save(ctx, before, before.Expire(s.clock()))
	if err != nil {
		return wrap(err, "apply the deadline of game %s", before.ID)
	}
	return s.conflict(ctx, c, expired, late)
}

// saveOwn stores what an owner did in its running game. One who had said away is back at the table first.
func (s *Games) saveOwn(ctx context.Context, c Caller, before, after game.Game) (game.Game, error) {
	if err := s.comesBack(ctx, c, before); err != nil {
		return game.Game{}, err
	}
	saved, err := s.saver.save(ctx, before, after)
	if err != nil {
		return game.Game{}, err
	}
	s.presence.heard(saved.Table, saved.Player(saved.SideOf(c.Profile)).Seat, s.clock())
	return saved, nil
}

// comesBack lets an owner who had said away or left be back at the table, because it moves or tries to: people tap on
// the board where they might say that they are here. ErrChanged says that it was away, and what it wants is to be
// looked at again. A game that is over doesn't know which owners are away; its table does.
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
