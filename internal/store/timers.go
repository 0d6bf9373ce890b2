package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
)

// setTimer makes a worker look at a game at a moment, or sooner if it was to do so. Whoever has claimed the timer
// can't set it later any more.
func setTimer(tx *gorm.DB, id game.ID, due time.Time) error {
	if _, err := affected(tx, setTimers("VALUES (?, ?, 1)"), string(id), micros(due)); err != nil {
		return fmt.Errorf("set the timer of game %s: %w", id, err)
	}
	return nil
}

func setTimers(of string) string {
	return "INSERT INTO game_timers (game_id, due, seq) " + of + ` ON CONFLICT (game_id) DO UPDATE SET
due = CASE WHEN excluded.due < game_timers.due THEN excluded.due ELSE game_timers.due END, seq = game_timers.seq + 1`
}

func dropTimer(tx *gorm.DB, id game.ID) error {
	if _, err := affected(tx, "DELETE FROM game_timers WHERE game_id = ?", string(id)); err != nil {
		return fmt.Errorf("remove the timer of game %s: %w", id, err)
	}
	return nil
}

// timerRow is a row of game_timers.
type timerRow struct {
	GameID string `gorm:"column:game_id"`
	Due    int64  `gorm:"column:due"`
	Seq    int64  `gorm:"column:seq"`
}

func (r timerRow) values() []any { return []any{r.GameID, r.Due, r.Seq} }

var timerColumns = []column{{"game_id", "uuid"}, {"due", "bigint"}, {"seq", "bigint"}}

// claim is which timers are to be claimed, and until when.
type claim struct {
	at, until int64
	limit     int
}

// claimSkipping claims timers in one statement and passes over those that somebody else is about to claim.
func claimSkipping(ctx context.Context, s *Store, c claim) (claimed []timerRow, err error) {
	const take = `WITH picked AS MATERIALIZED (
SELECT game_id, due FROM game_timers WHERE due <= ? ORDER BY due LIMIT ? FOR UPDATE SKIP LOCKED
) UPDATE game_timers t SET due = ?, seq = t.seq + 1 FROM picked WHERE t.game_id = picked.game_id
RETURNING t.game_id, picked.due, t.seq`
	err = s.write(ctx, func(db *gorm.DB) (err error) {
		claimed, err = rows[timerRow](db, take, c.at, c.limit, c.until)
		return err
	})
	return claimed, err
}

// claimAlone claims timers where there is one writer at a time, and where an UPDATE can't tell what was there before.
func claimAlone(ctx context.Context, s *Store, c claim) (claimed []timerRow, err error) {
	take := "UPDATE game_timers AS t SET due = ?, seq = t.seq + 1 FROM " + s.dialect.batch(timerColumns) + " WHERE t.game_id = v.game_id"
	err = s.inTransaction(ctx, func(tx *gorm.DB) (err error) {
		claimed, err = rows[timerRow](tx,
			"SELECT game_id, due, seq + 1 AS seq FROM game_timers WHERE due <= ? ORDER BY due LIMIT ?", c.at, c.limit)
		if err != nil || len(claimed) == 0 {
			return err
		}
		batch, err := packed(s.dialect, timerColumns, claimed)
		if err != nil {
			return err
		}
		_, err = affected(tx, take, append([]any{c.until}, batch...)...)
		return err
	})
	return claimed, err
}

// claimedRow is a game whose timer was claimed.
type claimedRow struct {
	game     gameRow
	due, seq int64
	red      *int64 // when its owner was last seen
	yellow   *int64
}

func (r *claimedRow) targets() []any {
	return append(r.game.targets(), &r.due, &r.seq, &r.red, &r.yellow)
}

// ClaimDue is that of service.TimerStore. The games are read when their timers have been claimed, and not with them: a
// game that was read before could miss a deadline that came nearer just then, and its timer would be set by that.
func (s *Store) ClaimDue(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]service.Claim, error) {
	timers, err := s.dialect.claim(ctx, s, claim{at: micros(now), until: micros(now.Add(lease)), limit: limit})
	if err != nil || len(timers) == 0 {
		return nil, err
	}
	batch, err := packed(s.dialect, timerColumns, timers)
	if err != nil {
		return nil, err
	}
	found, err := read[claimedRow](ctx, s, "SELECT "+selection("g", gameColumns)+`, v.due, v.seq, r.last_seen, y.last_seen FROM `+s.dialect.batch(timerColumns)+` JOIN games g ON g.id = v.game_id
LEFT JOIN seat_presence r ON r.table_id = g.table_id AND r.seat = g.red_seat
LEFT JOIN seat_presence y ON y.table_id = g.table_id AND y.seat = g.yellow_seat ORDER BY v.due, g.id`, batch...)
	if err != nil {
		return nil, err
	}
	return readable(ctx, s, found, s.claimOf), nil
}

func (s *Store) claimOf(ctx context.Context, row *claimedRow) (service.Claim, error) {
	g, err := s.gameOf(ctx, &row.game)
	seen := game.Seen{Red: when(row.red), Yellow: when(row.yellow)}
	return service.Claim{Game: g, Seq: row.seq, Due: at(row.due), Seen: seen}, err
}

// Rearm is that of service.TimerStore: one statement for all that go on, and one for all that are over.
func (s *Store) Rearm(ctx context.Context, timers []service.Timer) error {
	var later, over []timerRow
	for _, t := range timers {
		row := timerRow{GameID: string(t.Game), Due: 0, Seq: t.Seq}
		if t.Due.IsZero() {
			over = append(over, row)
			continue
		}
		row.Due = micros(t.Due)
		later = append(later, row)
	}
	batch := s.dialect.batch(timerColumns)
	if err := s.writeBatch(ctx, "UPDATE game_timers AS t SET due = v.due FROM "+batch+" WHERE t.game_id = v.game_id AND t.seq = v.seq", later); err != nil {
		return err
	}
	return s.writeBatch(ctx, "DELETE FROM game_timers WHERE (game_id, seq) IN (SELECT v.game_id, v.seq FROM "+batch+")", over)
}

// writeBatch runs a statement about timers, if there are any. They are named in one order by all who name many.
func (s *Store) writeBatch(ctx context.Context, statement string, timers []timerRow) error {
	if len(timers) == 0 {
		return nil
	}
	slices.SortFunc(timers, func(a, b timerRow) int { return strings.Compare(a.GameID, b.GameID) })
	batch, err := packed(s.dialect, timerColumns, timers)
	if err != nil {
		return err
	}
	return s.write(ctx, func(db *gorm.DB) error {
		_, err := affected(db, statement, batch...)
		return err
	})
}
