package store

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
)

// snapshot reads in one transaction.
type snapshot struct{ tx *gorm.DB }

// Snapshot is that of service.VerifyStore. Nothing is locked: others write on, unseen.
func (s *Store) Snapshot(ctx context.Context, look func(service.Snapshot) error) error {
	tx := s.reader.WithContext(ctx).Begin(s.dialect.snapshot)
	if tx.Error != nil {
		return s.translateFor(ctx, fmt.Errorf("begin a snapshot: %w", tx.Error))
	}
	err := look(snapshot{tx: tx})
	return s.translateFor(ctx, errors.Join(err, tx.Rollback().Error))
}

// storedGameRow is a game with what else there is of it.
type storedGameRow struct {
	Game    gameRow `gorm:"embedded"`
	Timers  int     `gorm:"column:timers"`
	Listed  int     `gorm:"column:listed"`
	Changes int     `gorm:"column:changes"`
}

// StoredGames is that of service.Snapshot.
func (s snapshot) StoredGames(_ context.Context, after game.ID, limit int) ([]service.StoredGame, error) {
	found, err := rows[storedGameRow](s.tx, "SELECT "+selection("g", "", gameColumns)+`,
(SELECT count(*) FROM game_timers t WHERE t.game_id = g.id) AS timers,
(SELECT count(*) FROM profile_games l WHERE l.profile_id IN (g.red_profile, g.yellow_profile) AND l.game_id = g.id) AS listed,
(SELECT count(*) FROM rating_changes c WHERE c.profile_id IN (g.red_profile, g.yellow_profile) AND c.game_id = g.id) AS changes
FROM games g WHERE g.id > ? ORDER BY g.id LIMIT ?`, string(after), limit)
	if err != nil {
		return nil, fmt.Errorf("read games: %w", err)
	}
	games := make([]service.StoredGame, 0, len(found))
	for _, row := range found {
		g, broken := row.Game.game()
		g.ID = game.ID(row.Game.ID)
		games = append(games, service.StoredGame{
			Game: g, Broken: broken, Ply: row.Game.Ply, Timers: row.Timers, Listed: row.Listed, Changes: row.Changes,
		})
	}
	return games, nil
}

// storedPlayerRow is what a player's games add up to, with how many there are.
type storedPlayerRow struct {
	Player  playerRow `gorm:"embedded"`
	Listed  int       `gorm:"column:listed"`
	Changes int       `gorm:"column:changes"`
}

// StoredPlayers is that of service.Snapshot.
func (s snapshot) StoredPlayers(_ context.Context, after profile.ID, limit int) ([]service.StoredPlayer, error) {
	found, err := rows[storedPlayerRow](s.tx, "SELECT "+selection("p", "", playerColumns)+`,
(SELECT count(*) FROM profile_games l WHERE l.profile_id = p.id) AS listed,
(SELECT count(*) FROM rating_changes c WHERE c.profile_id = p.id) AS changes
FROM profiles p WHERE p.id > ? ORDER BY p.id LIMIT ?`, string(after), limit)
	if err != nil {
		return nil, fmt.Errorf("read players: %w", err)
	}
	players := make([]service.StoredPlayer, 0, len(found))
	for _, row := range found {
		players = append(players, service.StoredPlayer{
			ID: profile.ID(row.Player.ID), Standing: row.Player.Standing.standing(), Listed: row.Listed, Changes: row.Changes,
		})
	}
	return players, nil
}

// countedRow is a finished game as it is counted for a player.
type countedRow struct {
	Game       gameRow `gorm:"embedded"`
	N          int64   `gorm:"column:n"`
	OpponentID *string `gorm:"column:opponent_id"`
	Class      int     `gorm:"column:class"`
	ChangeN    *int64  `gorm:"column:change_n"`
	Rival      *string `gorm:"column:rival"`
	Before     *int64  `gorm:"column:was"`
	After      *int64  `gorm:"column:became"`
}

// CountedGames is that of service.Snapshot.
func (s snapshot) CountedGames(_ context.Context, of profile.ID, after int64, limit int) ([]service.CountedGame, error) {
	found, err := rows[countedRow](s.tx, "SELECT "+selection("g", "", gameColumns)+`, l.n, l.opponent_id, l.class,
c.n AS change_n, c.opponent_id AS rival, c.before AS was, c.after AS became
FROM profile_games l JOIN games g ON g.id = l.game_id LEFT JOIN rating_changes c ON c.profile_id = l.profile_id AND c.game_id = l.game_id
WHERE l.profile_id = ? AND l.n > ? ORDER BY l.n LIMIT ?`, string(of), after, limit)
	if err != nil {
		return nil, fmt.Errorf("read the games of profile %s: %w", of, err)
	}
	games := make([]service.CountedGame, 0, len(found))
	for _, row := range found {
		games = append(games, row.counted())
	}
	return games, nil
}

func (r countedRow) counted() service.CountedGame {
	g, broken := r.Game.game()
	counted := service.CountedGame{
		N: r.N, Opponent: profile.ID(text(r.OpponentID)), Result: profile.Result(r.Class / classResult), //nolint:gosec // 0 to 3, the database sees to it
		Ranked: r.Class&classRanked != 0, Private: r.Class&classPrivate != 0, Game: g, Broken: broken, Change: nil,
	}
	if r.ChangeN != nil {
		counted.Change = &service.NumberedStep{
			N: *r.ChangeN, Rival: profile.ID(text(r.Rival)),
			Change: game.RatingChange{Before: rating(r.Before), After: rating(r.After)},
		}
	}
	return counted
}
