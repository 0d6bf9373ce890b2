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
	presence   *PresenceLog
	uptime     *Uptime
	polls      *polls
	observe    Observer
	clock      func() time.Time
}

// GameStore keeps games, and when to look at them.
type GameStore interface {
	// Game returns a game as it is at a moment after the call. The fault is not_found.
	Game(ctx context.Context, id game.ID) (game.Game, error)
	// KnownGame returns a game as this process knows it, without reading the database, and false when it doesn't. It may
	// be out of date: only a save that is let through may rest on it.
	KnownGame(id game.ID) (game.Game, bool)
	// SaveGame stores what becomes of a running game, if it is as before; else ErrChanged. With a zero due it is one
	// statement; else the timer is set too, to the sooner of due and what it was. It returns the game as stored.
	SaveGame(ctx context.Context, before, after game.Game, due time.Time) (game.Game, error)
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

// Follow answers a poll of a game. When the caller has seen this state already and said so by its tag, that tag is the
// answer, without a view.
func (s *Games) Follow(ctx context.Context, c Caller, id game.ID, p Poll) (view *GameView, seen string, err error) {
	f := s.polls.follow(c, p, GameTopic(id))
	defer f.end()
	for {
		g, err := s.read(ctx, c, id)
		if err != nil {
			return nil, "", err
		}
		now := state{tag: g.Tag(), news: p.fresh(g.Version, g.TagFor(g.SideOf(c.Profile))), seats: seatsIn(c, g)}
		answers, err := f.answers(ctx, now)
		if err != nil {
			return nil, "", err
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

func (s *Games) followed(ctx context.Context, c Caller, p Poll, g *game.Game, why end) (*GameView, string, error) {
	outages, err := s.uptime.Known(ctx) // also of an unchanged state: it notices that the service was down
	if err != nil {
		return nil, "", err
	}
	if tag := g.TagFor(g.SideOf(c.Profile)); p.unchanged(tag) {
		return nil, tag, nil
	}
	view := s.viewWith(c, *g, why, outages)
	return &view, "", nil
}

// seatsIn returns the seat that a waiting request about a game counts for: none of an owner who said away.
func seatsIn(c Caller, g *game.Game) []seatHere {
	side := g.SideOf(c.Profile)
	if side == board.NoSide || g.Player(side).Presence == game.Gone && !g.Over() {
		return nil
	}
	return []seatHere{{table: g.Table, seat: g.Player(side).Seat, grace: g.Settings.CoverGrace, searches: false}}
}

// Resign gives a game to the other side. Doing it again changes nothing. An owner who had said away is back by it; one who
// had left has still left, and the table closes with the game.
func (s *Games) Resign(ctx context.Context, c Caller, id game.ID) (GameView, error) {
	if err := signedIn(c); err != nil {
		return GameView{}, err
	}
	return decide(func() (GameView, error) {
		before, err := s.readable(ctx, c, id)
		if err == nil {
			err = before.Settings.Check()
		}
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
		return s.view(ctx, c, after)
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

func (s *Games) view(ctx context.Context, c Caller, g game.Game) (GameView, error) {
	outages, err := s.uptime.Known(ctx)
	if err != nil {
		return GameView{}, err
	}
	return s.viewWith(c, g, answered, outages), nil
}

func (s *Games) viewWith(c Caller, g game.Game, why end, outages game.Outages) GameView {
	usual, polls := g.PollAfter(c.Profile)
	now := s.clock()
	return GameView{
		Game: g, Now: now, MySide: g.SideOf(c.Profile), CanMove: g.MayMove(c.Profile, now, outages),
		Deadline: g.DeadlineWith(outages), PollAfter: s.polls.askAgain(usual, why), Polls: polls,
	}
}

// conflict adds the game to a fault about its state.
func (s *Games) conflict(ctx context.Context, c Caller, g game.Game, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind() != fault.Conflict && f.Kind() != fault.Refused {
		return err
	}
	view, viewErr := s.view(ctx, c, g)
	if viewErr != nil {
		return viewErr
	}
	return &GameConflictError{Fault: f, Game: view}
}
