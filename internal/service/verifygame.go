package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/game"
)

// StoredTimes is what the times of all games are measured by.
type StoredTimes struct {
	Beaten  time.Time    // when the service last said that it is there; zero: never
	Outages game.Outages // all there were
	Rated   time.Time    // when the first game ended that the ratings were asked about; zero: none has
}

// StoredGame is a game and what else there is of it.
type StoredGame struct {
	Game    game.Game
	Broken  error // why it can't be read; nil: it can
	Timers  int
	Due     time.Time // of its timer; zero: it has none
	Listed  int       // in the lists of its own players
	Changes int       // of its own players' ratings
}

func (v *Verifier) games(ctx context.Context, all Snapshot, seen *Verified) error {
	times, err := all.StoredTimes(ctx)
	if err != nil {
		return err
	}
	last := game.ID(firstID)
	for {
		games, err := all.StoredGames(ctx, last, verifyAtOnce)
		if err != nil || len(games) == 0 {
			return err
		}
		for _, g := range games {
			for _, what := range g.check(times) {
				v.differs(Difference{About: "game " + string(g.Game.ID), What: what})
			}
		}
		last = games[len(games)-1].Game.ID
		seen.Games += len(games)
		v.progress(*seen)
	}
}

// check returns what is wrong with a game and what belongs to it.
func (s StoredGame) check(times StoredTimes) []string {
	if s.Broken != nil {
		return []string{"can't be read: " + s.Broken.Error()}
	}
	g := s.Game
	wrong := g.Check()
	if !g.Settings.Understood() { // what should be due isn't known
		return wrong
	}
	wrong = slices.Concat(wrong, s.checkDue(times), s.checkReason(times), s.checkLevels())
	timers, listed, changes := 1, 0, 0
	if g.Over() {
		timers, listed = 0, 2
		if g.VersusCPU() {
			listed = 1
		}
	}
	if g.Rating.Reason == game.Rated {
		changes = 2
	}
	for _, count := range []struct {
		of        string
		got, want int
	}{{"timers", s.Timers, timers}, {"lines in the lists of its players", s.Listed, listed}, {"changes of ratings", s.Changes, changes}} {
		if count.got != count.want {
			wrong = append(wrong, fmt.Sprintf("is %s and has %d %s, not %d", g.Status, count.got, count.of, count.want))
		}
	}
	return wrong
}

// slowestPace is the longest that the setting for the CPU's pace may be: nobody knows here what it is.
const slowestPace = 10 * time.Second

// checkDue compares when a worker will look at a running game with when it has to. A worker that has claimed the game
// looks again when its lease is over.
func (s StoredGame) checkDue(times StoredTimes) []string {
	due := s.Game.LatestDue(slowestPace, times.Outages)
	if due.IsZero() || s.Due.IsZero() {
		return nil
	}
	if claimed := times.Beaten.Add(outageGap + lease); claimed.After(due) {
		due = claimed
	}
	if !s.Due.After(due) {
		return nil
	}
	return []string{fmt.Sprintf("is looked at by a worker at %s, and has to be by %s", said(s.Due), said(due))}
}

// checkReason compares a game that isn't rated because there were no ratings yet with when there were.
func (s StoredGame) checkReason(times StoredTimes) []string {
	if s.Game.Rating.Reason != game.BeforeRatings || times.Rated.IsZero() || s.Game.Finished.Before(times.Rated.Add(clocksApart)) {
		return nil
	}
	return []string{fmt.Sprintf("says %q about the ratings and ended at %s, after a game at %s that they were asked about",
		game.BeforeRatings, said(s.Game.Finished), said(times.Rated))}
}

// checkLevels names levels that this program doesn't know, so that it can't play on.
func (s StoredGame) checkLevels() []string {
	var wrong []string
	for _, side := range []game.Player{s.Game.Red, s.Game.Yellow} {
		if _, err := level.Of(level.Name(side.Level)); err != nil && side.Kind == game.CPU && !s.Game.Over() {
			wrong = append(wrong, fmt.Sprintf("runs against the CPU: %v", err))
		}
	}
	return wrong
}

// clocksApart is how far the clocks of two replicas may be apart.
const clocksApart = time.Second

// said is a moment for people who look for an error.
func said(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
