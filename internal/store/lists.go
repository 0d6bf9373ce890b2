package store

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Table is that of service.TableStore.
func (s *Store) Table(ctx context.Context, id table.ID) (table.Table, error) {
	return s.oneTable(ctx, "t.id = ?", string(id))
}

// TableByInvite is that of service.TableStore.
func (s *Store) TableByInvite(ctx context.Context, code table.InviteCode) (table.Table, error) {
	return s.oneTable(ctx, "t.invite_code = ?", string(code))
}

// TableByRef is that of service.TableStore.
func (s *Store) TableByRef(ctx context.Context, host profile.ID, ref string, since time.Time) (table.Table, error) {
	return s.oneTable(ctx, "t.seat1_profile = ? AND t.client_ref = ? AND t.created >= ?", string(host), canonical(ref), micros(since))
}

func (s *Store) oneTable(ctx context.Context, condition string, args ...any) (table.Table, error) {
	row, err := one[seatedRow](ctx, s, "table", selectSeated+" WHERE "+condition, args...)
	if err != nil {
		return table.Table{}, err
	}
	return s.tableOf(ctx, &row)
}

const newestFirst = ` ORDER BY t.created DESC, t.id DESC`

// TablesOf is that of service.TableStore.
func (s *Store) TablesOf(ctx context.Context, who profile.ID) ([]table.Table, error) {
	const seated = ` WHERE t.status <> 'closed' AND (t.seat1_profile = ? OR t.seat2_profile = ?)`
	return s.manyTables(ctx, selectSeated+seated+newestFirst, string(who), string(who))
}

// manyTables reads tables, and passes over those that can't be read.
func (s *Store) manyTables(ctx context.Context, query string, args ...any) ([]table.Table, error) {
	found, err := read[seatedRow](ctx, s, query, args...)
	if err != nil {
		return nil, err
	}
	return readable(ctx, s, found, s.tableOf), nil
}
