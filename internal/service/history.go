package service

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// HistoryStore keeps what finished games add up to.
type HistoryStore interface {
	// FinishedGames returns finished games of a player, the last counted first, with numbers below before.
	FinishedGames(ctx context.Context, f GameFilter, before int64, limit int) ([]FinishedGame, error)
	// RatingSteps returns changes of a player's rating, the last first, with numbers below before.
	RatingSteps(ctx context.Context, who profile.ID, before int64, limit int) ([]RatingStep, error)
	// HeadToHead counts the games that two players have finished with each other, from the first one's side.
	HeadToHead(ctx context.Context, who, against profile.ID) (HeadToHead, error)
	// Leaders returns a page of the leaderboard after a place; from the top when it is nil.
	Leaders(ctx context.Context, after *LeaderPlace, limit int) (Leaderboard, error)
	// LeadersAround returns the page of the leaderboard around a player. The fault is not_found: it isn't on it.
	LeadersAround(ctx context.Context, who profile.ID, limit int) (Leaderboard, error)
	// MakeLeaderboard makes the leaderboard anew, unless somebody has since a moment, or does right now.
	MakeLeaderboard(ctx context.Context, at, since time.Time) error
}

// GameFilter says which of a player's finished games are wanted.
type GameFilter struct {
	Of       profile.ID
	Opponent profile.ID     // empty: anybody
	Result   profile.Result // NoResult: any, and those that count nowhere
	Ranked   *bool          // nil: both
	Private  bool           // private ones too
}

// name names the list.
func (f GameFilter) name() string {
	ranked := "any"
	if f.Ranked != nil {
		ranked = fmt.Sprint(*f.Ranked)
	}
	return fmt.Sprintf("games %s %s %d %s", f.Of, f.Opponent, f.Result, ranked)
}

// FinishedGame is a finished game of a player.
type FinishedGame struct {
	N    int64 // its number among the player's
	Game game.Game
}

// RatingStep is a change of a player's rating by a game.
type RatingStep struct {
	N       int64 // its number among the player's
	Game    game.ID
	Private bool // the game is
	Rival   profile.ID
	Change  game.RatingChange
	At      time.Time
}

// HeadToHead is what two players have finished with each other, from one's side.
type HeadToHead struct {
	People profile.Tally
	Ranked profile.Tally // of these at ranked tables
}

// Leader is a line of the leaderboard.
type Leader struct {
	Profile profile.ID
	Name    profile.Name // of now
	Rank    int
	Rating  profile.Rating // as when the leaderboard was made
	Rated   int
}

// LeaderPlace is a place on the leaderboard: after this rating, and this player among those with the same.
type LeaderPlace struct {
	Rating  profile.Rating
	Profile profile.ID
}

// Leaderboard is a part of the leaderboard as it was made at a moment.
type Leaderboard struct {
	Made    time.Time // zero: never yet
	Leaders []Leader
	More    bool // whether others come after them
}

// GamesPage is a part of a player's finished games.
type GamesPage struct {
	Games []game.Game
	Next  string // where the next page begins; empty on the last one
}

// RatingsPage is a part of the changes of a player's rating.
type RatingsPage struct {
	Steps []RatingStep
	Next  string // where the next page begins; empty on the last one
}

// LeaderboardPage is a part of the leaderboard.
type LeaderboardPage struct {
	Leaderboard
	Next string // where the next page begins; empty on the last one
}

// History is what a caller may ask about finished games and what they add up to.
type History struct {
	store   HistoryStore
	players ProfileStore
	clock   func() time.Time
}

const leaderboardList = "leaderboard"

// Games returns finished games of a player, the last first. Private ones are in one's own list alone. The faults are
// not_found, and invalid_request about the cursor.
func (s *History) Games(ctx context.Context, c Caller, f GameFilter, limit int, cursor string) (GamesPage, error) {
	before, err := s.numbered(ctx, f.Of, f.name(), cursor)
	if err != nil {
		return GamesPage{}, err
	}
	if f.Opponent != "" { // of somebody who has left for good nothing is told by its id
		_, err = s.players.Profile(ctx, f.Opponent)
		switch {
		case fault.Is(err, fault.NotFound):
			return GamesPage{}, nil
		case err != nil:
			return GamesPage{}, err
		}
	}
	f.Private = c.Profile == f.Of
	found, err := s.store.FinishedGames(ctx, f, before, limit+1)
	if err != nil {
		return GamesPage{}, wrap(err, "list the games of %s", f.Of)
	}
	page := GamesPage{Games: make([]game.Game, 0, len(found)), Next: ""}
	if len(found) > limit {
		found = found[:limit]
		page.Next = formatKey(f.name(), listKey{number: found[limit-1].N, id: ""})
	}
	for _, one := range found {
		page.Games = append(page.Games, one.Game)
	}
	return page, nil
}

// numbered makes sure that a player is there, and returns the number that a cursor of a list of its names.
func (s *History) numbered(ctx context.Context, who profile.ID, list, cursor string) (int64, error) {
	at, given, err := parseKey(list, cursor)
	if err != nil {
		return 0, err
	}
	if _, err = s.players.Profile(ctx, who); err != nil {
		return 0, err
	}
	if !given {
		return math.MaxInt32, nil
	}
	return min(max(at.number, 0), math.MaxInt32), nil
}

// Ratings returns the changes of a player's rating, the last first. Which private game made one is told to the two who
// played it alone. The faults are not_found, and invalid_request about the cursor.
func (s *History) Ratings(ctx context.Context, c Caller, who profile.ID, limit int, cursor string) (RatingsPage, error) {
	list := "ratings " + string(who)
	before, err := s.numbered(ctx, who, list, cursor)
	if err != nil {
		return RatingsPage{}, err
	}
	found, err := s.store.RatingSteps(ctx, who, before, limit+1)
	if err != nil {
		return RatingsPage{}, wrap(err, "list the ratings of %s", who)
	}
	page := RatingsPage{Steps: found, Next: ""}
	if len(found) > limit {
		page.Steps = found[:limit]
		page.Next = formatKey(list, listKey{number: found[limit-1].N, id: ""})
	}
	for i, step := range page.Steps {
		if step.Private && (c.Anonymous() || c.Profile != who && c.Profile != step.Rival) {
			page.Steps[i].Game = ""
		}
	}
	return page, nil
}

// Record counts what two players have finished with each other. The faults are not_found, and invalid_request: nobody
// plays against itself.
func (s *History) Record(ctx context.Context, who, against profile.ID) (HeadToHead, error) {
	if who == against {
		return HeadToHead{}, fault.At("/query/against", fault.InvalidRequest, "nobody plays against itself")
	}
	for _, id := range []profile.ID{who, against} {
		if _, err := s.players.Profile(ctx, id); err != nil {
			return HeadToHead{}, err
		}
	}
	return s.store.HeadToHead(ctx, who, against)
}

// Leaderboard returns a page of the leaderboard: after a cursor, around a player, or its top. The faults are
// invalid_request, about the cursor or about both at once, and not_found about a player who isn't on it.
func (s *History) Leaderboard(ctx context.Context, around profile.ID, limit int, cursor string) (LeaderboardPage, error) {
	at, given, err := parseKey(leaderboardList, cursor)
	switch {
	case err != nil:
		return LeaderboardPage{}, err
	case given && around != "":
		return LeaderboardPage{}, fault.At("/query/around", fault.InvalidRequest, "a page begins at a cursor or lies around a player")
	}
	var found Leaderboard
	switch {
	case around != "":
		found, err = s.store.LeadersAround(ctx, around, limit)
	case given:
		found, err = s.store.Leaders(ctx, &LeaderPlace{Rating: profile.Rating(at.number), Profile: profile.ID(at.id)}, limit)
	default:
		found, err = s.store.Leaders(ctx, nil, limit)
	}
	if err != nil {
		return LeaderboardPage{}, wrap(err, "read the leaderboard")
	}
	page := LeaderboardPage{Leaderboard: found, Next: ""}
	if found.More {
		last := found.Leaders[len(found.Leaders)-1]
		page.Next = formatKey(leaderboardList, listKey{number: int64(last.Rating), id: string(last.Profile)})
	}
	return page, nil
}

// leaderboardAge is how old the leaderboard is before it is made anew: almost as long as the pause between two rounds.
const leaderboardAge = 50 * time.Second

// MakeLeaderboard makes the leaderboard anew, unless another replica has done so lately.
func (s *History) MakeLeaderboard(ctx context.Context) error {
	now := s.clock()
	if err := s.store.MakeLeaderboard(ctx, now, now.Add(-leaderboardAge)); err != nil {
		return wrap(err, "make the leaderboard")
	}
	return nil
}
