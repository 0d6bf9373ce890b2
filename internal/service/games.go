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
type Games struct {
	store      GameStore
	tableStore TableStore
	tables     *Tables
	saver      *gameSaver
	attendance *Attendance
	uptime     *Uptime
	polls      *polls
	observe    Observer
	clock      func() time.Time
}

// GameStore keeps games, and when to look at them.
type GameStore interface {
	// Game returns a game as it is at a moment after the call. The fault is not_found.
	Game(ctx context.Context, id game.ID) (game.Game, error)
	// KnownGame returns a game as this process knows it, without a look at the database, and false when it doesn't. It may
	// be out of date: only a save that is let through may rest on it.
	KnownGame(id game.ID) (game.Game, bool)
	// SaveGame stores what becomes of a running game, if it is as before; else ErrChanged. With a zero look it is one
	// statement; else the timer is set too, to the sooner of look and what it was. It returns the game as stored.
	SaveGame(ctx context.Context, before, after game.Game, look time.Time) (game.Game, error)
	// SaveEnd stores a game that ended, under the same condition, lets its table follow (table.GameOver) and removes
	// its timer, in one transaction. It returns the game and the table as stored.
	SaveEnd(ctx context.Context, before, after game.Game) (game.Game, table.Table, error)
}

// GameView is a game as one caller sees it.
type GameView struct {
	Game      game.Game
	Now       time.Time
	MySide    board.Side    // NoSide for a watcher
	CanMove   bool          // whether the caller may make the next ply now
	Deadline  time.Time     // when the running turn ends; zero: nothing ends it
	PollAfter time.Duration // when to ask again without waiting …
	Polls     bool          // … if ever: false when nothing will change any more
}

// Tag names what the caller is shown.
func (v GameView) Tag() string { return v.Game.TagFor(v.MySide) }

// Follow answers a poll of a game. The second result is true when the caller has seen this state already and said
// so by a tag.
func (s *Games) Follow(ctx context.Context, c Caller, id game.ID, p Poll) (*GameView, bool, error) {
	f := s.polls.follow(c, p, GameTopic(id))
	defer f.end()
	for {
		g, err := s.read(ctx, c, id)
		if err != nil {
			return nil, false, err
		}
		now := state{tag: g.Tag(), news: p.fresh(g.Version, g.TagFor(g.SideOf(c.Profile))), seats: seatsIn(c, g)}
		answers, err := f.answers(ctx, now)
		if err != nil {
			return nil, false, err
		}
		if answers {
			return s.followed(ctx, c, p, g, f.why)
		}
	}
}

func (s *Games) read(ctx context.Context, c Caller, id game.ID) (*game.Game, error) {
	g, err := s.visible(ctx, c, id)
	return &g, err
}

func (s *Games) followed(ctx context.Context, c Caller, p Poll, g *game.Game, why end) (*GameView, bool, error) {
	view, err := s.view(ctx, c, *g, why)
	return &view, p.unchanged(view.Tag()), err
}

// seatsIn returns the seat that a waiting request about a game counts for: none of an owner who said away.
func seatsIn(c Caller, g *game.Game) []seatHere {
	side := g.SideOf(c.Profile)
	if side == board.NoSide || g.Player(side).Presence == game.Gone && !g.Over() {
		return nil
	}
	return []seatHere{{table: g.Table, seat: g.Player(side).Seat, searches: false}}
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
	m := move{ply: ply, column: column, arrived: s.clock()}
	after, played, err := s.playKnown(ctx, c, id, m)
	if err != nil {
		return GameView{}, err
	}
	if played {
		return s.view(ctx, c, after, answered)
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
		return s.view(ctx, c, after, answered)
	})
}

// move is a move that a player asks for.
type move struct {
	ply     int
	column  board.Column
	arrived time.Time
}

// playKnown makes a move in a game as this process knows it. Only a move that is stored may rest on that: false says that
// everything else is to be decided on the game as it is.
func (s *Games) playKnown(ctx context.Context, c Caller, id game.ID, m move) (game.Game, bool, error) {
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
func (s *Games) play(ctx context.Context, c Caller, before game.Game, m move) (game.Game, error) {
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

// readable loads a game that the caller may see.
func (s *Games) readable(ctx context.Context, c Caller, id game.ID) (game.Game, error) {
	g, err := s.store.Game(ctx, id)
	if err != nil {
		return game.Game{}, err
	}
	if !g.VisibleTo(c.Profile) {
		return game.Game{}, hidden("game")
	}
	return g, nil
}

// visible loads a game that the caller may see; its owner is here by asking for it.
func (s *Games) visible(ctx context.Context, c Caller, id game.ID) (game.Game, error) {
	g, err := s.readable(ctx, c, id)
	if err != nil {
		return game.Game{}, err
	}
	return s.arrive(ctx, c, g)
}

// arrive lets the owner of a seat be here because it asked about its game.
func (s *Games) arrive(ctx context.Context, c Caller, g game.Game) (game.Game, error) {
	return s.saver.arrive(ctx, c, g, func() (game.Game, error) { return s.readable(ctx, c, g.ID) })
}

func (s *Games) view(ctx context.Context, c Caller, g game.Game, why end) (GameView, error) {
	outages, err := s.uptime.Outages(ctx)
	if err != nil {
		return GameView{}, err
	}
	usual, polls := g.PollAfter(c.Profile)
	now := s.clock()
	return GameView{
		Game: g, Now: now, MySide: g.SideOf(c.Profile), CanMove: g.MayMove(c.Profile, now, outages),
		Deadline: g.DeadlineWith(outages), PollAfter: s.polls.askAgain(usual, why), Polls: polls,
	}, nil
}

// conflict adds the game to a fault about its state.
func (s *Games) conflict(ctx context.Context, c Caller, g game.Game, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind() != fault.Conflict && f.Kind() != fault.Refused {
		return err
	}
	view, viewErr := s.view(ctx, c, g, answered)
	if viewErr != nil {
		return viewErr
	}
	return &GameConflictError{Fault: f, Game: view}
}
