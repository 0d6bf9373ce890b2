package game

import (
	"fmt"
	"slices"

	"github.com/fourinarow/fourinarow/internal/board"
)

// Check plays a stored game again and returns, each as the end of a sentence about it, what of it doesn't follow from
// its moves: how it ended, its times, deadline and sleep, and what became of the ratings as far as the game alone tells;
// and what contradicts itself.
func (g Game) Check() []string {
	if values := g.Settings.ForeignValues(); len(values) > 0 {
		return []string{fmt.Sprintf("is played by %s %q, which this release doesn't know", values[0], g.Settings.Value(values[0]))}
	}
	for ply := range g.Ply() {
		if g.EndsAt(g.positionAt(ply)) {
			return []string{fmt.Sprintf("was decided at ply %d and goes on to ply %d", ply, g.Ply())}
		}
	}
	return slices.Concat(g.checkSides(), g.checkState(), g.checkResult(), g.checkTimes(), g.checkRating())
}

// checkResult compares how a game ended with its board.
func (g Game) checkResult() []string {
	decided, over := judge(g.position, g.Settings)
	switch {
	case !g.Over() && over:
		return []string{"runs, and its board is decided: " + decided.String()}
	case !g.Over() && g.Result != (Result{}):
		return []string{"runs, and has a result: " + g.Result.String()}
	case g.Over() && over && g.Result != decided:
		return []string{fmt.Sprintf("says %s, and its board %s", g.Result, decided)}
	case g.Over() && !over && !g.Result.given():
		return []string{fmt.Sprintf("says %s, and its board isn't decided", g.Result)}
	case g.Over() && g.Result.EndedBy == Timeout && g.Result.Winner == moverOf(g.Ply()+1):
		return []string{fmt.Sprintf("says %s, and it was the winner's turn", g.Result)}
	default:
		return nil
	}
}

// given reports whether a side gave the game to the other: by its word, or by its clock.
func (r Result) given() bool {
	return r.Outcome == Win && r.Winner != board.NoSide && (r.EndedBy == Resignation || r.EndedBy == Timeout)
}

// checkRating compares what became of the ratings with the game.
func (g Game) checkRating() []string {
	reason, unrated := g.Rating.Reason, g.Unrated()
	switch {
	case !g.Over() && g.Rating != (Rating{}):
		return []string{"runs, and says what became of the ratings: " + string(reason)}
	case !g.Over():
		return nil
	case reason != Rated && g.Rating != Rating{Reason: reason, Red: RatingChange{}, Yellow: RatingChange{}}:
		return []string{fmt.Sprintf("says %q about the ratings, and changed them", reason)}
	case reason == BeforeRatings && (unrated == "" || unrated == NeverCame || unrated == TooShort):
		return nil
	case unrated != "" && reason != unrated:
		return []string{fmt.Sprintf("says %q about the ratings, not %q", reason, unrated)}
	case unrated == "" && reason != Rated && reason != PairLimit && reason != Covered:
		return []string{fmt.Sprintf("says %q about the ratings, and may be rated", reason)}
	case reason == Rated && g.Rating != g.Rate(g.Rating.Red.Before, g.Rating.Yellow.Before, 0):
		return []string{fmt.Sprintf("changed the ratings %s, not %s", g.Rating, g.Rate(g.Rating.Red.Before, g.Rating.Yellow.Before, 0))}
	default:
		return nil
	}
}

// String returns how a game ended, for people who look for an error.
func (r Result) String() string {
	switch {
	case r == Result{}:
		return "nothing"
	case r.Winner == board.NoSide && r.EndedBy == "":
		return string(r.Outcome)
	default:
		return fmt.Sprintf("%s of %s by %s", r.Outcome, r.Winner, r.EndedBy)
	}
}

// String returns what became of the ratings, for people who look for an error.
func (r Rating) String() string {
	if r.Reason != Rated {
		return string(r.Reason)
	}
	return fmt.Sprintf("from %d to %d and from %d to %d", r.Red.Before, r.Red.After, r.Yellow.Before, r.Yellow.After)
}
