package service

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// gameSaver stores what becomes of running games, sets the timers that it makes due, and wakes their subscribers.
type gameSaver struct {
	store    GameStore
	uptime   *Uptime
	presence *PresenceLog
	wakeups  *wakeups
	observe  Observer
	clock    func() time.Time
	pace     time.Duration // the CPU's disc comes no sooner after the one before
}

// save stores a changed game that ran, sets the timer it makes due, and wakes its subscribers. The fault is
// unavailable where the game's settings aren't understood.
func (s *gameSaver) save(ctx context.Context, before, after game.Game) (game.Game, error) {
	if err := before.Settings.Check(); err != nil {
		return game.Game{}, err
	}
	if after.Over() {
		saved, _, err := s.store.SaveEnd(ctx, before, after)
		if err != nil {
			return game.Game{}, s.perhaps(err, after)
		}
		s.wakeups.game(saved)
		return saved, nil
	}
	due := noTimer
	if game.NeedsTimer(before, after) {
		outages, err := s.uptime.Outages(ctx)
		if err != nil {
			return game.Game{}, err
		}
		due = s.nextDue(after, outages)
	}
	saved, err := s.store.SaveGame(ctx, before, after, due)
	if err != nil {
		return game.Game{}, s.perhaps(err, after)
	}
	if !due.IsZero() {
		s.wakeups.due(due)
	}
	s.wakeups.game(saved)
	return saved, nil
}

// perhaps wakes the subscribers of a game when nobody knows whether a change of it was stored: the same request sent
// again finds nothing left to change, and would wake nobody.
func (s *gameSaver) perhaps(err error, g game.Game) error {
	if fault.Is(err, fault.OutcomeUnknown) {
		s.wakeups.game(g)
	}
	return err
}

// noTimer leaves a game's timer as it is.
var noTimer = time.Time{}

// firstDue returns when a worker has to look at a game that has just begun, by when its owners were seen.
func (s *gameSaver) firstDue(t table.Table, o game.Outages) time.Time {
	seen := game.Seen{Red: t.Seats[t.Game.Red.Seat-1].Seen, Yellow: t.Seats[t.Game.Yellow.Seat-1].Seen}
	return t.Game.NextDue(seen, o.UpSince(), s.pace, o)
}

// nextDue returns when a worker has to look at a game that has just changed: its owners count as seen now, and
// the worker will find out when they were.
func (s *gameSaver) nextDue(g game.Game, o game.Outages) time.Time {
	now := s.clock()
	return g.NextDue(game.Seen{Red: now, Yellow: now}, noTimer, s.pace, o)
}

// arrive notes that the caller has talked about a game. When its owner was away by silence, it is here again, and
// that is stored before the request is answered, unless the database stores nothing now. read loads the game again when somebody else was faster.
func (s *gameSaver) arrive(ctx context.Context, c Caller, g game.Game, read func() (game.Game, error)) (game.Game, error) {
	s.heard(c, g)
	side := g.SideOf(c.Profile)
	if side == board.NoSide || g.Over() || g.Player(side).Presence != game.Silent || !g.Settings.Understood() {
		return g, nil
	}
	first := true
	back, err := decide(func() (game.Game, error) {
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
		back, _ := g.SetPresence(side, game.Here, s.clock())
		return s.saveFlip(ctx, g, back, game.Here)
	})
	if fault.Is(err, fault.Away) { // it is shown as it is stored; the next request tries again
		return g, nil
	}
	return back, err
}

// heard notes that the caller has talked about a game.
func (s *gameSaver) heard(c Caller, g game.Game) {
	if side := g.SideOf(c.Profile); side != board.NoSide {
		s.presence.heard(g.Table, g.Player(side).Seat, s.clock())
	}
}

// saveFlip stores a flip of presence, sets the timer it makes due and wakes subscribers.
func (s *gameSaver) saveFlip(ctx context.Context, before, after game.Game, to game.Presence) (game.Game, error) {
	outages, err := s.uptime.Outages(ctx)
	if err != nil {
		return game.Game{}, err
	}
	due := s.nextDue(after, outages)
	saved, err := s.store.SaveGame(ctx, before, after, due)
	if err != nil {
		return game.Game{}, s.perhaps(err, after)
	}
	s.observe.Flipped(to)
	s.wakeups.due(due)
	s.wakeups.game(saved)
	return saved, nil
}
