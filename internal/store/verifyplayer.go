package store

import (
	"context"
	"fmt"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
)

// storedPlayerRow is what a player's games add up to, with how many there are.
type storedPlayerRow struct {
	Player  playerRow `gorm:"embedded"`
	Listed  int       `gorm:"column:listed"`
	Changes int       `gorm:"column:changes"`
	Deleted bool      `gorm:"column:is_deleted"`
	Erased  bool      `gorm:"column:is_erased"`
	Devices int       `gorm:"column:devices"`
	Named   int       `gorm:"column:named"`
}

// StoredPlayers is that of service.Snapshot.
func (s snapshot) StoredPlayers(_ context.Context, after profile.ID, limit int) ([]service.StoredPlayer, error) {
	found, err := rows[storedPlayerRow](s.tx, "SELECT "+named("p", playerColumns)+`,
(SELECT count(*) FROM profile_games l WHERE l.profile_id = p.id) AS listed,
(SELECT count(*) FROM rating_changes c WHERE c.profile_id = p.id) AS changes,
p.deleted IS NOT NULL AS is_deleted, p.erased AS is_erased,
(SELECT count(*) FROM devices d WHERE d.profile_id = p.id) AS devices,
CASE WHEN p.erased THEN (SELECT count(*) FROM games g WHERE g.red_profile = p.id AND g.red_name IS NOT NULL)
+ (SELECT count(*) FROM games g WHERE g.yellow_profile = p.id AND g.yellow_name IS NOT NULL)
+ (SELECT count(*) FROM tables t WHERE t.seat1_profile = p.id AND t.seat1_name <> '')
+ (SELECT count(*) FROM tables t WHERE t.seat2_profile = p.id AND t.seat2_name IS NOT NULL) ELSE 0 END AS named
FROM profiles p WHERE p.id > ? ORDER BY p.id LIMIT ?`, string(after), limit)
	if err != nil {
		return nil, fmt.Errorf("read players: %w", err)
	}
	players := make([]service.StoredPlayer, 0, len(found))
	for _, row := range found {
		players = append(players, service.StoredPlayer{
			ID: profile.ID(row.Player.ID), Standing: row.Player.Standing.standing(), Listed: row.Listed, Changes: row.Changes,
			Deleted: row.Deleted, Erased: row.Erased, Devices: row.Devices, Named: row.Named,
		})
	}
	return players, nil
}

// countedRow is a finished game as it is counted for a player.
type countedRow struct {
	game     gameRow
	n        int64
	opponent *string
	class    int
	change   *int64 // the number of the change of the rating
	rival    *string
	before   *int64
	after    *int64
	changed  *int64
	shown    *int64
}

func (r *countedRow) targets() []any {
	return append(r.game.targets(), &r.n, &r.opponent, &r.class, &r.change, &r.rival, &r.before, &r.after, &r.changed, &r.shown)
}

// CountedGames is that of service.Snapshot.
func (s snapshot) CountedGames(_ context.Context, of profile.ID, after int64, limit int) ([]service.CountedGame, error) {
	found, err := rows[countedRow](s.tx, "SELECT "+selection("g", gameColumns)+`, l.n, l.opponent_id, l.class,
c.n, c.opponent_id, c.before, c.after, c.changed,
CASE WHEN t.game_id = g.id OR (t.game_id = g.next_game AND t.status = 'playing')
THEN CASE WHEN t.seat1_profile = l.profile_id THEN t.seat1_rating ELSE t.seat2_rating END END
FROM profile_games l JOIN games g ON g.id = l.game_id JOIN tables t ON t.id = g.table_id
LEFT JOIN rating_changes c ON c.profile_id = l.profile_id AND c.game_id = l.game_id
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
	g, broken := r.game.restored()
	counted := service.CountedGame{
		N: r.n, Opponent: profile.ID(text(r.opponent)), Result: profile.Result(r.class / classResult), //nolint:gosec // 0 to 3, the database sees to it
		Ranked: r.class&classRanked != 0, Private: r.class&classPrivate != 0, Game: g, Broken: broken, Change: nil, Shown: nil,
	}
	if r.shown != nil {
		counted.Shown = new(rating(r.shown))
	}
	if r.change != nil {
		counted.Change = &service.NumberedStep{
			N: *r.change, Rival: profile.ID(text(r.rival)),
			Change: game.RatingChange{Before: rating(r.before), After: rating(r.after)}, At: when(r.changed),
		}
	}
	return counted
}
