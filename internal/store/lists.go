package store

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
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

func (s *Store) oneTable(ctx context.Context, condition string, args ...any) (table.Table, error) {
	row, err := one[seatedRow](ctx, s, "table", selectSeated+" WHERE "+condition, args...)
	if err != nil {
		return table.Table{}, err
	}
	return row.table()
}

const (
	lobby      = ` WHERE t.visibility = 'public' AND t.status = 'waiting' AND t.listed AND NOT t.quick`
	toWatch    = ` WHERE t.visibility = 'public' AND t.status = 'playing'`
	hostIsHere = ` AND p1.said_away IS NOT TRUE
AND CASE WHEN p1.last_seen > ? THEN p1.last_seen ELSE ? END + CAST(t.cover_grace_seconds AS bigint) * 1000000 > ?`
	lobbyAfter  = ` AND (t.created, t.id) < (?, ?)`
	newestFirst = ` ORDER BY t.created DESC, t.id DESC`
)

// PublicTables is that of service.TableStore. Tables that are neither waiting nor played at are in no list.
func (s *Store) PublicTables(
	ctx context.Context, status table.Status, after service.Place, limit int, now, upSince time.Time,
) ([]table.Table, error) {
	query, args := selectSeated+toWatch, []any(nil)
	if status == table.Waiting {
		query, args = selectSeated+lobby+hostIsHere, []any{micros(upSince), micros(upSince), micros(now)}
	}
	if after != (service.Place{}) {
		query, args = query+lobbyAfter, append(args, micros(after.At), after.ID)
	}
	return s.manyTables(ctx, query+newestFirst+" LIMIT ?", append(args, limit)...)
}

// TablesOf is that of service.TableStore.
func (s *Store) TablesOf(ctx context.Context, who profile.ID) ([]table.Table, error) {
	const seated = ` WHERE t.status <> 'closed' AND (t.seat1_profile = ? OR t.seat2_profile = ?)`
	return s.manyTables(ctx, selectSeated+seated+newestFirst, string(who), string(who))
}

func (s *Store) manyTables(ctx context.Context, query string, args ...any) ([]table.Table, error) {
	found, err := read[seatedRow](ctx, s, query, args...)
	if err != nil {
		return nil, err
	}
	return tablesFrom(found)
}
