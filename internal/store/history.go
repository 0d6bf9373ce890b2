package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
)

// finishedRow is a finished game of a player.
type finishedRow struct {
	n    int64
	game gameRow
}

func (r *finishedRow) targets() []any { return append([]any{&r.n}, r.game.targets()...) }

// FinishedGames is that of service.HistoryStore. Each class of games is a range of an index, read in the order of the
// list, and the ranges are merged: so few rows are read that aren't wanted, whatever is filtered. Where some can't be read,
// those after them take their places.
func (s *Store) FinishedGames(ctx context.Context, f service.GameFilter, before int64, limit int) ([]service.FinishedGame, error) {
	games := make([]service.FinishedGame, 0, limit)
	for {
		wanted := limit - len(games)
		query, args := finishedGames(f, before, wanted)
		found, err := read[finishedRow](ctx, s, query, args...)
		if err != nil {
			return nil, err
		}
		games = append(games, readable(ctx, s, found, s.finishedOf)...)
		if len(found) < wanted || len(games) == limit {
			return games, nil
		}
		before = found[len(found)-1].n
	}
}

func (s *Store) finishedOf(ctx context.Context, row *finishedRow) (service.FinishedGame, error) {
	g, err := s.gameOf(ctx, &row.game)
	return service.FinishedGame{N: row.n, Game: g}, err
}

func finishedGames(f service.GameFilter, before int64, limit int) (string, []any) {
	numbers, args := numbersOf(f, before, limit)
	return "SELECT m.n, " + selection("g", gameColumns) + " FROM (" + numbers +
		") AS m JOIN games g ON g.id = m.game_id ORDER BY m.n DESC", args
}

// numbersOf selects the numbers of a player's games that pass a filter. Each range has a limit of its own: so PostgreSQL
// merges them as they are read, and doesn't sort all there is.
func numbersOf(f service.GameFilter, before int64, limit int) (string, []any) {
	const lastFirst = " ORDER BY n DESC LIMIT ?"
	query, args := "SELECT n, game_id FROM profile_games WHERE profile_id = ? AND n < ?", []any{string(f.Of), before}
	if f.Opponent != "" {
		query, args = query+" AND opponent_id = ?", append(args, string(f.Opponent))
	}
	classes := classesOf(f)
	if len(classes) == allClasses && f.Opponent == "" {
		return query + lastFirst, append(args, limit)
	}
	ranges, all := make([]string, 0, len(classes)), []any(nil)
	for i, class := range classes {
		ranges = append(ranges, fmt.Sprintf("SELECT * FROM (%s AND class = ?%s) AS class%d", query, lastFirst, i))
		all = append(append(all, args...), class, limit)
	}
	return strings.Join(ranges, " UNION ALL ") + lastFirst, append(all, limit)
}

// allClasses is how many there are.
const allClasses = 16

// classesOf returns the classes of games that pass a filter.
func classesOf(f service.GameFilter) []int {
	results := []profile.Result{profile.NoResult, profile.Won, profile.Lost, profile.Drawn}
	if f.Result != profile.NoResult {
		results = []profile.Result{f.Result}
	}
	classes := make([]int, 0, allClasses)
	for _, result := range results {
		for _, ranked := range []bool{false, true} {
			if f.Ranked != nil && *f.Ranked != ranked {
				continue
			}
			classes = append(classes, classOf(result, ranked, false))
			if f.Private {
				classes = append(classes, classOf(result, ranked, true))
			}
		}
	}
	return classes
}

// stepRow is a change of a rating with what is told of its game.
type stepRow struct {
	Change  ratingChangeRow `gorm:"embedded"`
	Private bool            `gorm:"column:private"`
}

const ratingSteps = `SELECT c.profile_id, c.n, c.game_id, c.opponent_id, c.before, c.after, c.changed, g.private
FROM rating_changes c JOIN games g ON g.id = c.game_id WHERE c.profile_id = ? AND c.n < ? ORDER BY c.n DESC LIMIT ?`

// RatingSteps is that of service.HistoryStore.
func (s *Store) RatingSteps(ctx context.Context, who profile.ID, before int64, limit int) ([]service.RatingStep, error) {
	found, err := read[stepRow](ctx, s, ratingSteps, string(who), before, limit)
	if err != nil {
		return nil, err
	}
	steps := make([]service.RatingStep, 0, len(found))
	for _, row := range found {
		steps = append(steps, service.RatingStep{
			N: int64(row.Change.N), Game: game.ID(row.Change.GameID), Private: row.Private, Rival: profile.ID(row.Change.OpponentID),
			Change: game.RatingChange{Before: profile.Rating(row.Change.Before), After: profile.Rating(row.Change.After)},
			At:     at(row.Change.Changed),
		})
	}
	return steps, nil
}

// classRow is how many games of a class there are.
type classRow struct {
	Class int `gorm:"column:class"`
	Games int `gorm:"column:games"`
}

// HeadToHead is that of service.HistoryStore. The index of a pair's games is all it reads.
func (s *Store) HeadToHead(ctx context.Context, who, against profile.ID) (service.HeadToHead, error) {
	found, err := read[classRow](ctx, s,
		"SELECT class, count(*) AS games FROM profile_games WHERE profile_id = ? AND opponent_id = ? GROUP BY class", string(who), string(against))
	if err != nil {
		return service.HeadToHead{}, err
	}
	var people, ranked [allClasses / classResult]int
	for _, row := range found {
		people[row.Class/classResult] += row.Games
		if row.Class&classRanked != 0 {
			ranked[row.Class/classResult] += row.Games
		}
	}
	return service.HeadToHead{People: tallyOf(people), Ranked: tallyOf(ranked)}, nil
}

func tallyOf(games [allClasses / classResult]int) profile.Tally {
	return profile.Tally{Wins: games[profile.Won], Losses: games[profile.Lost], Draws: games[profile.Drawn]}
}
