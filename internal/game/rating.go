package game

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Reason is why a finished game was rated or not; empty while it runs.
type Reason string

// The reasons. Of several that hold the first one counts, in this order.
const (
	CPUOpponent   Reason = "cpu_opponent"
	NotRanked     Reason = "not_ranked"
	NotAttended   Reason = "unattended"
	BeforeRatings Reason = "before_ratings" // it ended before this service kept ratings
	NeverCame     Reason = "never_came"     // the owner of a seat made no move
	TooShort      Reason = "too_short"      // resigned before ply 8
	PairLimit     Reason = "pair_limit"     // these two have played enough rated games lately
	Covered       Reason = "covered"        // the CPU made a move for the side that would gain
	Rated         Reason = "rated"
)

const (
	shortPly = 8 // a game resigned before it is too short
	// PairGames is how many rated games two players may play with each other …
	PairGames = 10
	// PairSpan is … in this time.
	PairSpan = 24 * time.Hour
)

// Rating is what became of both ratings by a finished game. The zero value is that of one that runs.
type Rating struct {
	Reason Reason
	Red    RatingChange // zero unless rated
	Yellow RatingChange // the same
}

// RatingChange is a player's rating before and after a game.
type RatingChange struct{ Before, After profile.Rating }

// Of returns the change of a side.
func (r Rating) Of(side board.Side) RatingChange {
	if side == board.Yellow {
		return r.Yellow
	}
	return r.Red
}

// Unrated returns why a finished game isn't rated, as far as the game alone tells; empty when it may be.
func (g Game) Unrated() Reason {
	switch {
	case g.VersusCPU():
		return CPUOpponent
	case !g.Ranked:
		return NotRanked
	case g.Unattended:
		return NotAttended
	case !g.madeMoves(board.Red, 'h') || !g.madeMoves(board.Yellow, 'h'):
		return NeverCame
	case g.Result.EndedBy == Resignation && g.Ply() < shortPly:
		return TooShort
	default:
		return ""
	}
}

// madeMoves reports whether somebody of a kind, a letter of Movers, made a ply of a side.
func (g Game) madeMoves(side board.Side, kind byte) bool {
	for i := range len(g.Movers) {
		if g.Movers[i] == kind && moverOf(i+1) == side {
			return true
		}
	}
	return false
}

// Rate returns what becomes of the ratings of both players, as they are now, by a finished game. Lately is how many
// rated games the two have played with each other in PairSpan before its end.
func (g Game) Rate(red, yellow profile.Rating, lately int) Rating {
	reason := g.Unrated()
	if reason == "" && lately >= PairGames {
		reason = PairLimit
	}
	gain := profile.Gain(red, yellow, g.ResultOf(board.Red))
	if reason == "" && (gain > 0 && g.madeMoves(board.Red, 'c') || gain < 0 && g.madeMoves(board.Yellow, 'c')) {
		reason = Covered
	}
	if reason != "" {
		return Rating{Reason: reason, Red: RatingChange{}, Yellow: RatingChange{}}
	}
	return Rating{
		Reason: Rated, Red: RatingChange{Before: red, After: red + gain}, Yellow: RatingChange{Before: yellow, After: yellow - gain},
	}
}

// ResultOf returns how a finished game counts for a side; an unattended one doesn't.
func (g Game) ResultOf(side board.Side) profile.Result {
	switch {
	case g.Unattended || !g.Over():
		return profile.NoResult
	case g.Result.Winner == board.NoSide:
		return profile.Drawn
	case g.Result.Winner == side:
		return profile.Won
	default:
		return profile.Lost
	}
}

// FinishedFor returns a finished game as it counts for a side. NewRival says that no game of the two was rated before.
func (g Game) FinishedFor(side board.Side, newRival bool) profile.Finished {
	return profile.Finished{
		Result: g.ResultOf(side), VersusCPU: g.VersusCPU(), Ranked: g.Ranked, Rated: g.Rating.Reason == Rated,
		After: g.Rating.Of(side).After, NewRival: newRival,
	}
}
