package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// OpenTable is that of service.TableStore. Parallel requests of one host queue up at its profile.
func (s *Store) OpenTable(ctx context.Context, t table.Table, atMost int, refsSince time.Time) (table.Table, error) {
	var opened table.Table
	err := s.inTransaction(ctx, func(tx *gorm.DB) error {
		if err := forgetRef(tx, t, refsSince); err != nil { // tables before profiles
			return err
		}
		if err := s.lockProfile(tx, t.Host()); err != nil {
			return err
		}
		earlier, err := sameRef(tx, t)
		if err != nil {
			return err
		}
		if len(earlier) > 0 {
			opened = earlier[0].table()
			return nil
		}
		opened, err = insertTable(tx, t, atMost)
		return err
	})
	return opened, err
}

// forgetRef frees a client's name for a table whose day is over.
func forgetRef(tx *gorm.DB, t table.Table, since time.Time) error {
	if t.ClientRef == "" {
		return nil
	}
	_, err := affected(tx, "UPDATE tables SET client_ref = NULL WHERE seat1_profile = ? AND client_ref = ? AND created < ?",
		string(t.Host()), canonical(t.ClientRef), micros(since))
	if err != nil {
		return fmt.Errorf("free a client's name for a table: %w", err)
	}
	return nil
}

// sameRef returns the table that an earlier request of the same name opened, if there is one.
func sameRef(tx *gorm.DB, t table.Table) ([]seatedRow, error) {
	if t.ClientRef == "" {
		return nil, nil
	}
	found, err := rows[seatedRow](tx, selectSeated+" WHERE t.seat1_profile = ? AND t.client_ref = ?", string(t.Host()), canonical(t.ClientRef))
	if err != nil {
		return nil, fmt.Errorf("look for a table by its client's name: %w", err)
	}
	return found, nil
}

// insertTable stores a table if its host may have another. The fault is too_many_tables.
func insertTable(tx *gorm.DB, t table.Table, atMost int) (table.Table, error) {
	open, err := openTablesOf(tx, t.Host())
	if err != nil {
		return table.Table{}, err
	}
	if open >= atMost {
		return table.Table{}, tooManyTables(atMost)
	}
	row := newTableRow(t)
	if err = tx.Create(&row).Error; err != nil {
		return table.Table{}, fmt.Errorf("insert a table: %w", err)
	}
	return seatedRow{tableRow: row, GameNumber: nil, GameStatus: nil, GamePly: nil, GameVersion: nil, GameRedSeat: nil}.table(), nil
}

// lockProfile lets those wait who want to lock the same profile, until the transaction ends. The fault is not_found.
func (s *Store) lockProfile(tx *gorm.DB, id profile.ID) error {
	found, err := rows[profileRow](tx, "SELECT "+profileColumns+" FROM profiles WHERE id = ?"+s.dialect.lockRow, string(id))
	if err != nil {
		return fmt.Errorf("lock profile %s: %w", id, err)
	}
	if len(found) == 0 {
		return missing("profile")
	}
	return nil
}

// openTables counts by two indexes, one for each seat.
const openTables = `SELECT (SELECT count(*) FROM tables WHERE seat1_profile = ? AND status <> 'closed')
+ (SELECT count(*) FROM tables WHERE seat2_profile = ? AND status <> 'closed') AS open`

// countRow is a row with a count of open tables.
type countRow struct{ Open int }

func (r *countRow) targets() []any { return []any{&r.Open} }

// openTablesOf counts the tables at which a profile has a seat.
func openTablesOf(tx *gorm.DB, id profile.ID) (int, error) {
	counted, err := rows[countRow](tx, openTables, string(id), string(id))
	if err != nil {
		return 0, fmt.Errorf("count the open tables of profile %s: %w", id, err)
	}
	return counted[0].Open, nil
}

func tooManyTables(atMost int) error {
	return fault.New(fault.Conflict, fault.TooManyTables, "a player has at most %d open tables", atMost)
}

// Table is that of service.TableStore.
func (s *Store) Table(ctx context.Context, id table.ID) (table.Table, error) {
	row, err := one[seatedRow](ctx, s, "table", selectSeated+" WHERE t.id = ?", string(id))
	if err != nil {
		return table.Table{}, err
	}
	return row.table(), nil
}

// TableByInvite is that of service.TableStore.
func (s *Store) TableByInvite(ctx context.Context, code table.InviteCode) (table.Table, error) {
	row, err := one[seatedRow](ctx, s, "table", selectSeated+" WHERE t.invite_code = ?", string(code))
	if err != nil {
		return table.Table{}, err
	}
	return row.table(), nil
}

const (
	lobby      = selectSeated + ` WHERE t.visibility = 'public' AND t.status <> 'closed' AND t.status = ?`
	lobbyAfter = ` AND (t.created, t.id) < (?, ?)`
	lobbyOrder = ` ORDER BY t.created DESC, t.id DESC LIMIT ?`
)

// PublicTables is that of service.TableStore. Closed tables are in no list.
func (s *Store) PublicTables(ctx context.Context, status table.Status, after service.Place, limit int) ([]table.Table, error) {
	query, args := lobby+lobbyOrder, []any{string(status), limit}
	if after != (service.Place{}) {
		query, args = lobby+lobbyAfter+lobbyOrder, []any{string(status), micros(after.At), after.ID, limit}
	}
	found, err := read[seatedRow](ctx, s, query, args...)
	if err != nil {
		return nil, err
	}
	list := make([]table.Table, 0, len(found))
	for _, row := range found {
		list = append(list, row.table())
	}
	return list, nil
}
