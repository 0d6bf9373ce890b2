package service

import (
	"context"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// StoredPlayer is what a player's games add up to, as stored.
type StoredPlayer struct {
	ID       profile.ID
	Standing profile.Standing
	Listed   int // finished games in its list
	Changes  int // of its rating
	Deleted  bool
	Erased   bool // its name has been taken off everything
	Devices  int
	Named    int // its sides and seats, in games and at tables, that have a name; counted of erased players only
}

// CountedGame is a finished game as it is counted for a player.
type CountedGame struct {
	N        int64
	Opponent profile.ID // empty: the CPU
	Result   profile.Result
	Ranked   bool
	Private  bool
	Game     game.Game
	Broken   error         // why the game can't be read; nil: it can
	Change   *NumberedStep // of the player's rating; nil: none
	// Shown is the player's rating at the table of the game; nil: another game has ended there since.
	Shown *profile.Rating
}

// NumberedStep is a change of a player's rating.
type NumberedStep struct {
	N      int64
	Rival  profile.ID
	Change game.RatingChange
	At     time.Time
}

// auditor adds the games of players up again.
type auditor struct {
	differs func(Difference)
	// ratings are those that the first player of a game had when it ended without being rated, by the game: what the
	// second one's has to be compared with. Rated games say so themselves.
	ratings map[game.ID]profile.Rating
	lines   int // of players' lists that were looked at
}

// account is one player whose games are added up again.
type account struct {
	*auditor
	who      profile.ID
	standing profile.Standing
	rated    map[profile.ID][]time.Time // when rated games with an opponent ended
	had      map[profile.Rating]bool    // the ratings it had so far
}

func newAccount(a *auditor, who profile.ID) *account {
	newcomer := profile.Newcomer()
	return &account{
		auditor: a, who: who, standing: newcomer, rated: make(map[profile.ID][]time.Time), had: map[profile.Rating]bool{newcomer.Rating: true},
	}
}

// checkGone checks that nothing tells any more who a deleted player was.
func (a *account) checkGone(p StoredPlayer) {
	if p.Deleted && p.Devices > 0 {
		a.says("is deleted and has %d devices", p.Devices)
	}
	if p.Erased && p.Named > 0 {
		a.says("is erased, and its name is in %d places", p.Named)
	}
}

func (a *account) says(format string, args ...any) {
	a.differs(Difference{About: "profile " + string(a.who), What: fmt.Sprintf(format, args...)})
}

// player adds one player's games up and compares.
func (a *auditor) player(ctx context.Context, all Snapshot, p StoredPlayer) error {
	own := newAccount(a, p.ID)
	own.checkGone(p)
	last, more := int64(0), p.Listed > 0
	for more {
		games, err := all.CountedGames(ctx, p.ID, last, verifyAtOnce)
		if err != nil {
			return err
		}
		a.lines += len(games)
		for _, counted := range games {
			own.count(counted)
			last = counted.N
		}
		more = len(games) == verifyAtOnce
	}
	if own.standing != p.Standing {
		own.says("has %+v, and its games make %+v", p.Standing, own.standing)
	}
	if p.Changes != own.standing.Rated {
		own.says("has %d changes of its rating and %d rated games", p.Changes, own.standing.Rated)
	}
	return nil
}

// count adds a game to what the ones before make.
func (a *account) count(c CountedGame) {
	if int(c.N) != a.standing.Games+1 {
		a.says("has a game %d after game %d", c.N, a.standing.Games)
		a.standing.Games = int(c.N) - 1 // and go on from there
	}
	if c.Broken != nil {
		a.says("has game %d, which can't be read: %v", c.N, c.Broken)
		return
	}
	side := c.Game.SidePlayedBy(a.who)
	if side == board.NoSide || !c.Game.Over() {
		a.says("is said to have finished game %s", c.Game.ID)
		return
	}
	rival := c.Game.Player(side.Other()).Profile
	if c.Result != c.Game.ResultOf(side) || c.Ranked != c.Game.Ranked || c.Private != c.Game.Private || c.Opponent != rival {
		a.says("has game %s in its list otherwise than it was", c.Game.ID)
	}
	if began := c.Game.Player(side).Rating; !a.had[began] { // it began before it ended: by what was counted so far
		a.says("began game %s with %d, which it never had before", c.Game.ID, began)
	}
	a.rate(c, side, rival)
	_, met := a.rated[rival]
	a.standing = a.standing.After(c.Game.FinishedFor(side, !met))
	if c.Shown != nil && *c.Shown != a.standing.Rating {
		a.says("is shown with %d at table %s, and had %d after its last game", *c.Shown, c.Game.Table, a.standing.Rating)
	}
	if c.Game.Rating.Reason == game.Rated {
		a.rated[rival] = append(a.rated[rival], c.Game.Finished)
		a.had[a.standing.Rating] = true
	}
}

// rate checks what a game did to the rating.
func (a *account) rate(c CountedGame, side board.Side, rival profile.ID) {
	g, lately := c.Game, a.lately(c.Game, rival)
	is := g.Rating.Of(side)
	switch {
	case g.Rating.Reason != game.Rated && c.Change != nil:
		a.says("has a change of its rating by game %s, which wasn't rated", g.ID)
	case g.Rating.Reason == game.Rated && c.Change == nil: // told of with the game
	case g.Rating.Reason == game.Rated && (c.Change.Change != is || c.Change.Rival != rival):
		a.says("has another change of its rating by game %s than the game says", g.ID)
	case g.Rating.Reason == game.Rated && !c.Change.At.Equal(g.Finished):
		a.says("has a change of its rating at %s by game %s, which ended at %s", said(c.Change.At), g.ID, said(g.Finished))
	case g.Rating.Reason == game.Rated && int(c.Change.N) != a.standing.Rated+1:
		a.says("has change %d of its rating after change %d", c.Change.N, a.standing.Rated)
	}
	switch {
	case g.Rating.Reason == game.Rated && is.Before != a.standing.Rating:
		a.says("had %d before game %s, which begins with %d", a.standing.Rating, g.ID, is.Before)
	case g.Rating.Reason == game.Rated && lately >= game.PairGames:
		a.says("has game %s rated, the %dth with the same opponent in a day", g.ID, lately+1)
	case g.Rating.Reason != game.Rated && g.Rating.Reason != game.BeforeRatings && g.Unrated() == "":
		a.unrated(g, side, lately)
	}
}

// lately returns how many rated games with an opponent ended in the time before the end of a game.
func (a *account) lately(g game.Game, rival profile.ID) int {
	since, n := g.Finished.Add(-game.PairSpan), 0
	for _, ended := range a.rated[rival] {
		if ended.After(since) {
			n++
		}
	}
	return n
}

// unrated checks, when the ratings of both players are known, that a game had a reason not to be rated.
func (a *account) unrated(g game.Game, side board.Side, lately int) {
	other, known := a.ratings[g.ID]
	if !known {
		a.ratings[g.ID] = a.standing.Rating
		return
	}
	delete(a.ratings, g.ID)
	red, yellow := a.standing.Rating, other
	if side == board.Yellow {
		red, yellow = other, a.standing.Rating
	}
	if want := g.Rate(red, yellow, lately); want != g.Rating {
		a.differs(Difference{About: "game " + string(g.ID), What: fmt.Sprintf("says %q about the ratings, not %q", g.Rating.Reason, want.Reason)})
	}
}
