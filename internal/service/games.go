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
	deps   Deps
	tables *Tables
}

// NewGames returns the methods about games.
func NewGames(d Deps) *Games { return &Games{deps: d, tables: NewTables(d)} }

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
	f := s.deps.follow(c, p, GameTopic(id))
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
	w := wish{ply: ply, column: column, arrived: s.deps.Clock()}
	return decide(func() (GameView, error) {
		before, err := s.readable(ctx, c, id)
		if err != nil {
			return GameView{}, err
		}
		after, err := s.play(ctx, c, before, w)
		if err != nil {
			return GameView{}, err
		}
		return s.view(ctx, c, after, answered)
	})
}

// wish is a move that a player wants to make.
type wish struct {
	ply     int
	column  board.Column
	arrived time.Time
}

// play makes a move in a game as it is, and returns the game after it.
func (s *Games) play(ctx context.Context, c Caller, before game.Game, w wish) (game.Game, error) {
	outages, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return game.Game{}, err
	}
	after, changed, refusal := before.Play(c.Profile, w.ply, w.column, w.arrived, outages)
	if changed {
		if after, err = s.saveOwn(ctx, c, before, after); err != nil {
			return game.Game{}, wrap(err, "play ply %d of game %s", w.ply, before.ID)
		}
		s.deps.Observe.Moved(game.ByPlayer, after.Result.Outcome)
		return after, nil
	}
	// It says nothing new, or may not, but its owner is here by it.
	if err = s.comesBack(ctx, c, before); err != nil {
		return game.Game{}, err
	}
	before, err = s.arrive(ctx, c, before)
	switch {
	case err != nil:
		return game.Game{}, err
	case fault.Is(refusal, fault.TimeIsUp) && before.TimeIsUp(w.arrived, outages):
		return game.Game{}, s.tooLate(ctx, c, before, refusal)
	case refusal != nil:
		return game.Game{}, s.conflict(ctx, c, before, refusal)
	default:
		return before, nil
	}
}

// tooLate applies a deadline that a move came too late for, if no worker has yet.
func (s *Games) tooLate(ctx context.Context, c Caller, before game.Game, late error) error {
	expired, err := s.deps.save(ctx, before, before.Expire(s.deps.Clock()))
	if err != nil {
		return wrap(err, "apply the deadline of game %s", before.ID)
	}
	return s.conflict(ctx, c, expired, late)
}

// save stores a changed game that ran, sets the timer it makes due, and wakes those who wait for it.
func (d Deps) save(ctx context.Context, before, after game.Game) (game.Game, error) {
	if after.Over() {
		saved, _, err := d.Games.SaveEnd(ctx, before, after)
		if err != nil {
			return game.Game{}, d.perhaps(err, after)
		}
		d.Waiters.Wake(topicsOf(saved)...)
		return saved, nil
	}
	look := noLook
	if game.NeedsTimer(before, after) {
		outages, err := d.Uptime.Outages(ctx)
		if err != nil {
			return game.Game{}, err
		}
		look = d.lookWith(after, outages)
	}
	saved, err := d.Games.SaveGame(ctx, before, after, look)
	if err != nil {
		return game.Game{}, d.perhaps(err, after)
	}
	if !look.IsZero() {
		d.Due(look)
	}
	d.Waiters.Wake(topicsOf(saved)...)
	return saved, nil
}

// perhaps wakes those who wait for a game when nobody knows whether a change of it was stored: whoever repeats the
// request finds nothing left to change, and would wake nobody.
func (d Deps) perhaps(err error, g game.Game) error {
	if fault.Is(err, fault.OutcomeUnknown) {
		d.Waiters.Wake(topicsOf(g)...)
	}
	return err
}

// noLook leaves a game's timer as it is.
var noLook = time.Time{}

// lookFrom returns when a worker has to look at a game that has just begun, by when its owners were heard of.
func (d Deps) lookFrom(t table.Table, o game.Outages) time.Time {
	seen := game.Seen{Red: t.Seats[t.Game.Red.Seat-1].Seen, Yellow: t.Seats[t.Game.Yellow.Seat-1].Seen}
	return t.Game.NextLook(seen, o.UpSince(), d.Settings.CPUPace, o)
}

// lookWith returns when a worker has to look at a game that has just changed: its owners count as heard of now, and
// the worker will find out when they were.
func (d Deps) lookWith(g game.Game, o game.Outages) time.Time {
	now := d.Clock()
	return g.NextLook(game.Seen{Red: now, Yellow: now}, noLook, d.Settings.CPUPace, o)
}

// readable loads a game that the caller may see.
func (s *Games) readable(ctx context.Context, c Caller, id game.ID) (game.Game, error) {
	g, err := s.deps.Games.Game(ctx, id)
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
	return s.deps.arrive(ctx, c, g, func() (game.Game, error) { return s.readable(ctx, c, g.ID) })
}

func (s *Games) view(ctx context.Context, c Caller, g game.Game, why end) (GameView, error) {
	outages, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return GameView{}, err
	}
	usual, polls := g.PollAfter(c.Profile)
	now := s.deps.Clock()
	return GameView{
		Game: g, Now: now, MySide: g.SideOf(c.Profile), CanMove: g.MayMove(c.Profile, now, outages),
		Deadline: g.DeadlineWith(outages), PollAfter: s.deps.pollAfter(usual, why), Polls: polls,
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
