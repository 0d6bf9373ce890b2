package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

const takeSeat = `UPDATE tables SET version = ?, status = ?, seat2_profile = ?, seat2_name = ?, game_id = ?
WHERE id = ? AND version = ? AND status = 'waiting' AND seat2_profile IS NULL`

// TakeSeat is that of service.TableStore. Many may want one seat: they queue up at the table's row, the first gets it.
// One guest may want many: these queue up at its profile, which counts its tables, this one among them.
func (s *Store) TakeSeat(ctx context.Context, t table.Table, g game.Game, atMost int) error {
	guest := t.Seats[game.GuestSeat-1]
	return s.inTransaction(ctx, func(tx *gorm.DB) error {
		taken, err := affected(tx, takeSeat, t.Version, string(t.Status), nullable(guest.Profile), nullable(guest.Name), string(g.ID),
			string(t.ID), t.Version-1)
		if err != nil {
			return fmt.Errorf("take a seat at table %s: %w", t.ID, err)
		}
		if taken == 0 {
			return service.ErrChanged
		}
		row := newGameRow(g)
		if err = tx.Create(&row).Error; err != nil {
			return fmt.Errorf("insert game %s: %w", g.ID, err)
		}
		if err = s.lockProfile(tx, guest.Profile); err != nil {
			return err
		}
		open, err := openTablesOf(tx, guest.Profile)
		if err == nil && open > atMost {
			err = tooManyTables(atMost)
		}
		return err
	})
}

const closeWaiting = `UPDATE tables SET version = ?, status = 'closed', reason = ? WHERE id = ? AND version = ? AND status = 'waiting'`

// CloseWaiting is that of service.TableStore.
func (s *Store) CloseWaiting(ctx context.Context, t table.Table) error {
	return s.write(ctx, func(db *gorm.DB) error {
		closed, err := affected(db, closeWaiting, t.Version, nullable(t.Reason), string(t.ID), t.Version-1)
		if err != nil {
			return fmt.Errorf("close table %s: %w", t.ID, err)
		}
		if closed == 0 {
			return service.ErrChanged
		}
		return nil
	})
}
