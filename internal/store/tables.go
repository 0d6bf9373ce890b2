package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// OpenTable is that of service.TableStore. Parallel requests of one host queue up at its profile.
func (s *Store) OpenTable(ctx context.Context, t table.Table, due time.Time, atMost int, refsSince time.Time) (table.Table, error) {
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
			opened, err = earlier[0].restored()
			return err
		}
		opened, err = s.insertTable(tx, t, due, atMost)
		return err
	})
	if err != nil {
		return table.Table{}, err
	}
	return opened, nil
}

// forgetRef frees a client's name for a table whose day is over.
func forgetRef(tx *gorm.DB, t table.Table, since time.Time) error {
	if t.ClientRef == "" {
		return nil
	}
	_, err := affected(tx, "UPDATE tables SET client_ref = NULL, client_request = NULL WHERE seat1_profile = ? AND client_ref = ? AND created < ?",
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

// insertTable stores a table, its game and what is due there, if its host may have another. The host is there. The
// fault is too_many_tables.
func (s *Store) insertTable(tx *gorm.DB, t table.Table, due time.Time, atMost int) (table.Table, error) {
	open, err := openTablesOf(tx, t.Host())
	if err != nil {
		return table.Table{}, err
	}
	if open >= atMost {
		return table.Table{}, tooManyTables(atMost)
	}
	row := newTableRow(t)
	if err = insert(tx, "tables", &row, tableColumns); err != nil {
		return table.Table{}, fmt.Errorf("insert a table: %w", err)
	}
	if err = s.feed.publish(tx, idsAt(t)); err != nil {
		return table.Table{}, err
	}
	t = row.table
	t.Seats[game.HostSeat-1].Seen, t.Seats[game.HostSeat-1].SaidAway = t.Created, false
	if err = storePresence(tx, t.ID, service.PresenceSaid{Seat: game.HostSeat, Away: false, At: t.Created}); err != nil {
		return table.Table{}, err
	}
	if t.Game == nil {
		return t, nil
	}
	g, err := insertGame(tx, *t.Game)
	if t.Game = &g; err != nil || due.IsZero() {
		return t, err
	}
	return t, setTimer(tx, g.ID, due)
}

// lockProfile lets those wait who want to lock a caller's profile, until the transaction ends. The fault is
// unauthenticated: it is no more.
func (s *Store) lockProfile(tx *gorm.DB, id profile.ID) error {
	found, err := rows[idRow](tx, "SELECT id FROM profiles WHERE id = ? AND deleted IS NULL"+s.dialect.lockRow, string(id))
	if err != nil {
		return fmt.Errorf("lock profile %s: %w", id, err)
	}
	if len(found) == 0 {
		return gone()
	}
	return nil
}

// openTables counts by two indexes, one for each seat.
const openTables = `SELECT (SELECT count(*) FROM tables WHERE seat1_profile = ? AND status <> 'closed')
+ (SELECT count(*) FROM tables WHERE seat2_profile = ? AND status <> 'closed') AS n`

// countRow is a row with a count.
type countRow struct {
	N int `gorm:"column:n"`
}

// openTablesOf counts the tables at which a profile has a seat.
func openTablesOf(tx *gorm.DB, id profile.ID) (int, error) {
	counted, err := rows[countRow](tx, openTables, string(id), string(id))
	if err != nil {
		return 0, fmt.Errorf("count the open tables of profile %s: %w", id, err)
	}
	return counted[0].N, nil
}

func tooManyTables(atMost int) error {
	return fault.New(fault.TooManyTables, "a player has at most %d open tables", atMost)
}
