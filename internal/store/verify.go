package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// snapshot reads in one transaction.
type snapshot struct {
	tx      *gorm.DB
	dialect dialect
}

// Snapshot is that of service.VerifyStore. Nothing is locked: others write on, unseen.
func (s *Store) Snapshot(ctx context.Context, do func(service.Snapshot) error) error {
	tx := s.reader.WithContext(ctx).Begin(s.dialect.snapshot)
	if tx.Error != nil {
		return s.translateFor(ctx, fmt.Errorf("begin a snapshot: %w", tx.Error))
	}
	err := tx.Exec(s.dialect.unhurried).Error
	if err == nil {
		err = do(snapshot{tx: tx, dialect: s.dialect})
	}
	return s.translateFor(ctx, errors.Join(err, tx.Rollback().Error))
}

// StoredTimes is that of service.Snapshot.
func (s snapshot) StoredTimes(context.Context) (service.StoredTimes, error) {
	var times service.StoredTimes
	beats, err := rows[beatRow](s.tx, "SELECT beaten FROM heartbeat WHERE id = 1")
	if err != nil {
		return times, fmt.Errorf("read the heartbeat: %w", err)
	}
	for _, row := range beats {
		times.Beaten = at(row.Beaten)
	}
	outages, err := rows[outageRow](s.tx, "SELECT began, ended FROM outages ORDER BY began")
	if err != nil {
		return times, fmt.Errorf("read the outages: %w", err)
	}
	for _, row := range outages {
		times.Outages = append(times.Outages, game.Outage{From: at(row.Began), To: at(row.Ended)})
	}
	rated, err := rows[firstRow](s.tx, "SELECT min(finished) AS finished FROM games WHERE rating_reason IN ?",
		[]string{string(game.NeverCame), string(game.TooShort), string(game.PairLimit), string(game.Covered), string(game.Rated)})
	if err != nil {
		return times, fmt.Errorf("read when the first game was rated: %w", err)
	}
	times.Rated = when(rated[0].Finished)
	return times, nil
}

// firstRow is when the first of some games ended; NULL when there is none.
type firstRow struct {
	Finished *int64 `gorm:"column:finished"`
}

// storedTableRow is a table's score and last game with what its games make of them.
type storedTableRow struct {
	ID      string `gorm:"column:id"`
	Status  string `gorm:"column:status"`
	Wins1   int    `gorm:"column:seat1_wins"`
	Wins2   int    `gorm:"column:seat2_wins"`
	Draws   int    `gorm:"column:draws"`
	Last    int    `gorm:"column:last"`
	Games   int    `gorm:"column:games"`
	Newest  int    `gorm:"column:newest"`
	Running int    `gorm:"column:running"`
	Won1    int    `gorm:"column:won1"`
	Won2    int    `gorm:"column:won2"`
	Drawn   int    `gorm:"column:drawn"`
	Strange int    `gorm:"column:strange"`
	Astray  int    `gorm:"column:astray"`

	Settings string `gorm:"column:settings"`
	Clock    int    `gorm:"column:move_time_limit_seconds"`
	Grace    int    `gorm:"column:cover_grace_seconds"`
}

// stored is the table as verify looks at it.
func (r storedTableRow) stored() service.StoredTable {
	settings, broken := game.SettingsFrom(r.Settings)
	return service.StoredTable{
		ID: table.ID(r.ID), Status: table.Status(r.Status), Last: r.Last, Games: r.Games, Newest: r.Newest, Running: r.Running,
		Score:  table.Score{Games: 0, Wins: [2]int{r.Wins1, r.Wins2}, Draws: r.Draws},
		Played: table.Score{Games: 0, Wins: [2]int{r.Won1, r.Won2}, Draws: r.Drawn}, Strange: r.Strange, Astray: r.Astray > 0,
		Settings: settings, Broken: broken, Clock: time.Duration(r.Clock) * time.Second, Grace: time.Duration(r.Grace) * time.Second,
	}
}

// StoredTables is that of service.Snapshot.
func (s snapshot) StoredTables(_ context.Context, after game.TableID, limit int) ([]service.StoredTable, error) {
	const winner = "CASE WHEN g.unattended THEN 0 WHEN g.winner = 'red' THEN g.red_seat WHEN g.winner = 'yellow' THEN g.yellow_seat ELSE 0 END"
	never := func(seat string) string {
		return "CASE WHEN t." + seat + "_rating = ? OR t." + seat + "_rating IS NULL OR EXISTS (SELECT 1 FROM rating_changes c WHERE c.profile_id = t." +
			seat + "_profile AND c.after = t." + seat + "_rating) THEN 0 ELSE 1 END"
	}
	const own = "t.id, t.status, t.seat1_wins, t.seat2_wins, t.draws, t.settings, t.move_time_limit_seconds, t.cover_grace_seconds"
	found, err := rows[storedTableRow](s.tx, "SELECT "+own+`, count(g.id) AS games,
coalesce(max(CASE WHEN g.id = t.game_id THEN g.number END), 0) AS last, coalesce(max(g.number), 0) AS newest,
count(CASE WHEN g.status = 'in_progress' THEN 1 END) AS running,
count(CASE WHEN `+winner+` = 1 THEN 1 END) AS won1, count(CASE WHEN `+winner+` = 2 THEN 1 END) AS won2,
count(CASE WHEN g.outcome = 'draw' AND NOT g.unattended THEN 1 END) AS drawn, max(t.strange) AS strange, max(t.astray) AS astray
FROM (SELECT `+own+", t.game_id, "+never("seat1")+" + "+never("seat2")+` AS strange,
CASE WHEN m.seat1_profile = t.seat1_profile OR m.seat2_profile = t.seat1_profile OR m.id IS NULL THEN 0 ELSE 1 END AS astray
FROM tables t LEFT JOIN tables m ON m.id = t.moved_to WHERE t.id > ? ORDER BY t.id LIMIT ?) AS t
LEFT JOIN games g ON g.table_id = t.id
GROUP BY `+own+" ORDER BY t.id",
		int64(profile.FirstRating), int64(profile.FirstRating), string(after), limit)
	if err != nil {
		return nil, fmt.Errorf("read tables: %w", err)
	}
	tables := make([]service.StoredTable, 0, len(found))
	for _, row := range found {
		tables = append(tables, row.stored())
	}
	return tables, nil
}

// storedGameRow is a game with what else there is of it.
type storedGameRow struct {
	game    gameRow
	timers  int
	due     *int64
	listed  int
	changes int
}

func (r *storedGameRow) targets() []any {
	return append(r.game.targets(), &r.timers, &r.due, &r.listed, &r.changes)
}

// StoredGames is that of service.Snapshot.
func (s snapshot) StoredGames(_ context.Context, after game.ID, limit int) ([]service.StoredGame, error) {
	found, err := rows[storedGameRow](s.tx, "SELECT "+selection("g", gameColumns)+`,
(SELECT count(*) FROM game_timers t WHERE t.game_id = g.id) AS timers,
(SELECT max(t.due) FROM game_timers t WHERE t.game_id = g.id) AS due,
(SELECT count(*) FROM profile_games l WHERE l.profile_id IN (g.red_profile, g.yellow_profile) AND l.game_id = g.id) AS listed,
(SELECT count(*) FROM rating_changes c WHERE c.profile_id IN (g.red_profile, g.yellow_profile) AND c.game_id = g.id) AS changes
FROM games g WHERE g.id > ? ORDER BY g.id LIMIT ?`, string(after), limit)
	if err != nil {
		return nil, fmt.Errorf("read games: %w", err)
	}
	games := make([]service.StoredGame, 0, len(found))
	for _, row := range found {
		g, broken := row.game.restored()
		g.ID = row.game.game.ID
		games = append(games, service.StoredGame{
			Game: g, Broken: broken, Timers: row.timers, Due: when(row.due), Listed: row.listed, Changes: row.changes,
		})
	}
	return games, nil
}
