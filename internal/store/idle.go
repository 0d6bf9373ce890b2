package store

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/table"
)

// idleTables reads tables by one of two indexes: when somebody there last did something is at most when somebody was
// last seen.
func (s *Store) idleTables(which string) string {
	return "SELECT t.id, " + s.dialect.latest + `(t.active, coalesce(p1.last_seen, t.active), coalesce(p2.last_seen, t.active)) AS seen,
CAST(? AS bigint) AS since FROM tables t` + joinPresence + ` WHERE t.status IN ('waiting', 'between_games') AND ` + which + ` AND t.active <= ?`
}

// idRow is a row with an id.
type idRow struct {
	ID string `gorm:"column:id"`
}

// IdleTables is that of service.TableStore.
func (s *Store) IdleTables(ctx context.Context, now time.Time, limit int) ([]table.ID, error) {
	usual := micros(now.Add(-table.IdleLimit(table.Public, false)))
	private := micros(now.Add(-table.IdleLimit(table.Private, false)))
	found, err := read[idRow](ctx, s, "SELECT id FROM ("+
		s.idleTables("(t.visibility = 'public' OR t.seat2_level IS NOT NULL)")+" UNION ALL "+
		s.idleTables("t.visibility = 'private' AND t.seat2_level IS NULL")+
		") AS quiet WHERE seen <= since ORDER BY seen, id LIMIT ?", usual, usual, private, private, limit)
	if err != nil {
		return nil, err
	}
	ids := make([]table.ID, 0, len(found))
	for _, row := range found {
		ids = append(ids, table.ID(row.ID))
	}
	return ids, nil
}

// Sleeping is that of service.TimerStore.
func (s *Store) Sleeping(ctx context.Context) (int, error) {
	counted, err := read[countRow](ctx, s, "SELECT count(*) AS n FROM games WHERE asleep_since IS NOT NULL")
	if err != nil {
		return 0, err
	}
	return counted[0].N, nil
}
