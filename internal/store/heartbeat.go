package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
)

// beat touches the heartbeat unless it stood still too long, and never sets it back.
const beat = `UPDATE heartbeat SET beaten = CASE WHEN beaten < ? THEN ? ELSE beaten END WHERE id = 1 AND beaten >= ?`

// outageRow is a row of outages.
type outageRow struct {
	Began int64 `gorm:"column:began"`
	Ended int64 `gorm:"column:ended"`
}

// Beat is that of service.HeartbeatStore. Usually that is one UPDATE and one SELECT; only the first beat ever and the first
// one after an outage take more. Three that succeed let a file be written to again that was found malformed.
func (s *Store) Beat(ctx context.Context, now time.Time, gap time.Duration, since time.Time) (game.Outages, error) {
	var alive int64
	err := s.try(ctx, true, func(db *gorm.DB) (err error) {
		alive, err = affected(db, beat, micros(now), micros(now), micros(now.Add(-gap)))
		return err
	})
	if err == nil && alive == 0 {
		err = s.revive(ctx, now, gap)
	}
	if err != nil {
		return nil, err
	}
	found, err := read[outageRow](ctx, s, "SELECT began, ended FROM outages WHERE ended > ? ORDER BY began", micros(since))
	if err != nil {
		return nil, err
	}
	outages := make(game.Outages, 0, len(found))
	for _, row := range found {
		outages = append(outages, game.Outage{From: at(row.Began), To: at(row.Ended)})
	}
	s.pools.file.beaten()
	return outages, nil
}

// beatRow is the row of heartbeat.
type beatRow struct {
	Beaten int64 `gorm:"column:beaten"`
}

// revive stores the first beat ever, or the outage that ends by this beat. Of replicas that do so at the same time the
// others find that the first has.
func (s *Store) revive(ctx context.Context, now time.Time, gap time.Duration) error {
	return s.try(ctx, false, func(tx *gorm.DB) error {
		first, err := affected(tx, "INSERT INTO heartbeat (id, beaten) VALUES (1, ?) ON CONFLICT (id) DO NOTHING", micros(now))
		if err != nil || first == 1 {
			return err
		}
		last, err := rows[beatRow](tx, "SELECT beaten FROM heartbeat WHERE id = 1"+s.dialect.lockRow)
		if err != nil {
			return fmt.Errorf("lock the heartbeat: %w", err)
		}
		if last[0].Beaten >= micros(now.Add(-gap)) {
			return nil
		}
		if _, err = affected(tx, "INSERT INTO outages (began, ended) VALUES (?, ?)", last[0].Beaten, micros(now)); err != nil {
			return fmt.Errorf("store an outage: %w", err)
		}
		_, err = affected(tx, "UPDATE heartbeat SET beaten = ? WHERE id = 1", micros(now))
		return err
	})
}
