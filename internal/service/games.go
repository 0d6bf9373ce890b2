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

// Games is what a caller may ask about games.
type Games struct{ deps Deps }

// NewGames returns the methods about games.
func NewGames(d Deps) *Games { return &Games{deps: d} }

// GameView is a game as one caller sees it.
type GameView struct {
	Game      game.Game
	MySide    board.Side    // NoSide for a watcher
	CanMove   bool          // whether the caller may make the next ply now
	PollAfter time.Duration // when to ask again without waiting …
	Polls     bool          // … if ever: false when nothing will change any more
}

// Read returns a game as it is now.
func (s *Games) Read(ctx context.Context, c Caller, id game.ID) (GameView, error) {
	g, err := s.visible(ctx, c, id)
	if err != nil {
		return GameView{}, err
	}
	return s.view(c, g, answered), nil
}

// Follow answers a poll of a game. The second result is true when the caller has seen this state already and said
// so by a tag.
func (s *Games) Follow(ctx context.Context, c Caller, id game.ID, p Poll) (GameView, bool, error) {
	g, why, err := watch(ctx, s.deps, c, p, []string{string(id)}, func() (game.Game, bool, error) {
		g, err := s.visible(ctx, c, id)
		return g, p.fresh(g.Version, g.Tag()), err
	})
	if err != nil {
		return GameView{}, false, err
	}
	return s.view(c, g, why), p.unchanged(g.Tag()), nil
}

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
	arrived := s.deps.Clock()
	return decide(func() (GameView, error) {
		before, err := s.visible(ctx, c, id)
		if err != nil {
			return GameView{}, err
		}
		after, changed, err := before.Play(c.Profile, ply, column, arrived)
		if err != nil {
			return GameView{}, s.conflict(c, before, err)
		}
		if changed {
			if after, err = s.save(ctx, before, after); err != nil {
				return GameView{}, wrap(err, "play ply %d of game %s", ply, id)
			}
			s.deps.Observe.Moved(after.Result.Outcome)
		}
		return s.view(c, after, answered), nil
	})
}

// Resign gives a game to the other side. Doing it again changes nothing.
func (s *Games) Resign(ctx context.Context, c Caller, id game.ID) (GameView, error) {
	if err := signedIn(c); err != nil {
		return GameView{}, err
	}
	arrived := s.deps.Clock()
	return decide(func() (GameView, error) {
		before, err := s.visible(ctx, c, id)
		if err != nil {
			return GameView{}, err
		}
		after, changed, err := before.Resign(c.Profile, arrived)
		if err != nil {
			return GameView{}, s.conflict(c, before, err)
		}
		if changed {
			if after, err = s.save(ctx, before, after); err != nil {
				return GameView{}, wrap(err, "resign game %s", id)
			}
		}
		return s.view(c, after, answered), nil
	})
}

// save stores a changed game and wakes those who wait for it.
func (s *Games) save(ctx context.Context, before, after game.Game) (game.Game, error) {
	var (
		saved game.Game
		err   error
	)
	if after.Over() {
		saved, err = s.deps.Games.SaveEnd(ctx, before, after, table.GameOver)
	} else {
		saved, err = s.deps.Games.SaveMove(ctx, after)
	}
	if err != nil {
		return game.Game{}, err
	}
	s.deps.Waiters.Wake(string(saved.ID), string(saved.Table))
	return saved, nil
}

// visible loads a game that the caller may see.
func (s *Games) visible(ctx context.Context, c Caller, id game.ID) (game.Game, error) {
	g, err := s.deps.Games.Game(ctx, id)
	if err != nil {
		return game.Game{}, err
	}
	if !g.VisibleTo(c.Profile) {
		return game.Game{}, hidden("game")
	}
	return g, nil
}

func (s *Games) view(c Caller, g game.Game, why end) GameView {
	usual, polls := g.PollAfter()
	side := g.SideOf(c.Profile)
	return GameView{
		Game: g, MySide: side, CanMove: side != board.NoSide && g.Turn() == side,
		PollAfter: s.deps.pollAfter(usual, why), Polls: polls,
	}
}

// conflict adds the game to a fault about its state.
func (s *Games) conflict(c Caller, g game.Game, err error) error {
	var f *fault.Error
	if errors.As(err, &f) && (f.Kind == fault.Conflict || f.Kind == fault.Refused) {
		return &GameConflictError{Fault: f, Game: s.view(c, g, answered)}
	}
	return err
}
