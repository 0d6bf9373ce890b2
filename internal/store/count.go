package store

import (
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// playerRow is a row of profiles as far as a finished game concerns it.
type playerRow struct {
	ID       string      `gorm:"column:id"`
	Standing standingRow `gorm:"embedded"`
}

// playerEntry is the same in a batch.
type playerEntry struct {
	ID string
	standingRow
}

func (e playerEntry) values() []any { return append([]any{e.ID}, e.standingRow.values()...) }

// profileGameRow is a row of profile_games.
type profileGameRow struct {
	ProfileID  string  `gorm:"column:profile_id"`
	N          int     `gorm:"column:n"`
	GameID     string  `gorm:"column:game_id"`
	OpponentID *string `gorm:"column:opponent_id"`
	Class      int     `gorm:"column:class"`
}

func (profileGameRow) TableName() string { return "profile_games" }

// ratingChangeRow is a row of rating_changes.
type ratingChangeRow struct {
	ProfileID  string `gorm:"column:profile_id"`
	N          int    `gorm:"column:n"`
	GameID     string `gorm:"column:game_id"`
	OpponentID string `gorm:"column:opponent_id"`
	Before     int64  `gorm:"column:before"`
	After      int64  `gorm:"column:after"`
	Changed    int64  `gorm:"column:changed"`
}

func (ratingChangeRow) TableName() string { return "rating_changes" }

// counted is a finished game as it counts for its players, to be stored with it.
type counted struct {
	game    game.Game // with what became of the ratings
	players []playerEntry
	games   []profileGameRow
	changes []ratingChangeRow
	dialect dialect
}

// count lets a finished game count for its players, whose rows are locked until the transaction ends, lower id first. So
// each of a player's games is counted after the one before, whatever finished them.
func (s *Store) count(tx *gorm.DB, g game.Game) (counted, error) {
	players, err := s.lockPlayers(tx, g)
	if err != nil {
		return counted{}, err
	}
	pair := pairRow{}
	if g.Unrated() == "" {
		if pair, err = pairOf(tx, g); err != nil {
			return counted{}, err
		}
	}
	g.Rating = g.Rate(players[g.Red.Profile].Rating, players[g.Yellow.Profile].Rating, pair.Lately)
	c := counted{game: g, players: nil, games: nil, changes: nil, dialect: s.dialect}
	for _, side := range []board.Side{board.Red, board.Yellow} {
		if g.Player(side).Kind == game.Human {
			c.add(side, players[g.Player(side).Profile].After(g.FinishedFor(side, !pair.Met)))
		}
	}
	return c, nil
}

// lockPlayers returns the standings of those who played a game.
func (s *Store) lockPlayers(tx *gorm.DB, g game.Game) (map[profile.ID]profile.Standing, error) {
	ids := playersOf(g)
	found, err := rows[playerRow](tx, "SELECT "+strings.Join(playerColumns, ", ")+" FROM profiles WHERE id IN ? ORDER BY id"+s.dialect.lockRow, ids)
	if err != nil {
		return nil, fmt.Errorf("lock the players of game %s: %w", g.ID, err)
	}
	if len(found) != len(ids) {
		return nil, fmt.Errorf("game %s has %d players, and %d of them are there", g.ID, len(ids), len(found))
	}
	standings := make(map[profile.ID]profile.Standing, len(found))
	for _, row := range found {
		standings[profile.ID(row.ID)] = row.Standing.standing()
	}
	return standings, nil
}

// playersOf returns the ids of the people who play a game.
func playersOf(g game.Game) []string {
	ids := make([]string, 0, 2)
	for _, p := range []game.Player{g.Red, g.Yellow} {
		if p.Kind == game.Human {
			ids = append(ids, string(p.Profile))
		}
	}
	return ids
}

var playerColumns = slices.Concat([]string{"id"}, standingColumns)

// pairRow is what two players have played with each other for rating.
type pairRow struct {
	Lately int  `gorm:"column:lately"`
	Met    bool `gorm:"column:met"`
}

// pairOf reads what the two players of a game have played with each other for rating before. They are locked.
func pairOf(tx *gorm.DB, g game.Game) (pairRow, error) {
	const pair = `SELECT (SELECT count(*) FROM rating_changes WHERE profile_id = ? AND opponent_id = ? AND changed > ?) AS lately,
EXISTS (SELECT 1 FROM rating_changes WHERE profile_id = ? AND opponent_id = ?) AS met`
	red, yellow := string(g.Red.Profile), string(g.Yellow.Profile)
	found, err := rows[pairRow](tx, pair, red, yellow, micros(g.Finished.Add(-game.PairSpan)), red, yellow)
	if err != nil {
		return pairRow{}, fmt.Errorf("count the games of a pair: %w", err)
	}
	return found[0], nil
}

// add notes what a player's games add up to with this one.
func (c *counted) add(side board.Side, after profile.Standing) {
	id, opponent := string(c.game.Player(side).Profile), c.game.Player(side.Other()).Profile
	c.players = append(c.players, playerEntry{ID: id, standingRow: newStandingRow(after)})
	c.games = append(c.games, profileGameRow{
		ProfileID: id, N: after.Games, GameID: string(c.game.ID), OpponentID: nullable(opponent),
		Class: classOf(c.game.ResultOf(side), c.game.Ranked, c.game.Private),
	})
	if c.game.Rating.Reason != game.Rated {
		return
	}
	change := c.game.Rating.Of(side)
	c.changes = append(c.changes, ratingChangeRow{
		ProfileID: id, N: after.Rated, GameID: string(c.game.ID), OpponentID: string(opponent),
		Before: int64(change.Before), After: int64(change.After), Changed: micros(c.game.Finished),
	})
}

// ratings returns what the players' ratings are after the game.
func (c counted) ratings() map[profile.ID]profile.Rating {
	now := make(map[profile.ID]profile.Rating, len(c.players))
	for _, p := range c.players {
		now[profile.ID(p.ID)] = profile.Rating(p.Rating)
	}
	return now
}

// The classes of finished games: a result, and whether the game was ranked and private.
const (
	classPrivate = 1
	classRanked  = 2
	classResult  = 4 // times a profile.Result
)

func classOf(r profile.Result, ranked, private bool) int {
	class := classResult * int(r)
	if ranked {
		class += classRanked
	}
	if private {
		class += classPrivate
	}
	return class
}

var standingBatch = func() []column {
	columns := []column{{"id", "uuid"}}
	for _, name := range standingColumns {
		columns = append(columns, column{name, "bigint"})
	}
	return columns
}()

// updatePlayers is the statement that stores what games add up to, for a batch of players.
func updatePlayers(d dialect) string {
	set := make([]string, 0, len(standingColumns))
	for _, name := range standingColumns {
		set = append(set, name+" = v."+name)
	}
	return "UPDATE profiles AS p SET " + strings.Join(set, ", ") + " FROM " + d.batch(standingBatch) + " WHERE p.id = v.id"
}

// store stores how the game counts. Its players are locked.
func (c counted) store(tx *gorm.DB) error {
	batch, err := packed(c.dialect, standingBatch, c.players)
	if err != nil {
		return err
	}
	if _, err = affected(tx, updatePlayers(c.dialect), batch...); err != nil {
		return fmt.Errorf("count game %s: %w", c.game.ID, err)
	}
	if err = tx.Create(&c.games).Error; err != nil {
		return fmt.Errorf("list game %s: %w", c.game.ID, err)
	}
	if len(c.changes) == 0 {
		return nil
	}
	if err = tx.Create(&c.changes).Error; err != nil {
		return fmt.Errorf("store the changes of ratings by game %s: %w", c.game.ID, err)
	}
	return nil
}
