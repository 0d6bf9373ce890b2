package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// sayPresence stores what an owner said, and lists its table again. Who says that it goes is not seen by that.
func sayPresence(tx *gorm.DB, id table.ID, said service.PresenceSaid) error {
	if err := storePresence(tx, id, said); err != nil || said.Away || said.Seat != game.HostSeat {
		return err
	}
	if _, err := affected(tx, "UPDATE tables SET listed = TRUE WHERE id = ? AND NOT listed", string(id)); err != nil {
		return fmt.Errorf("list table %s again: %w", id, err)
	}
	return nil
}

func storePresence(tx *gorm.DB, id table.ID, said service.PresenceSaid) error {
	const say = `INSERT INTO seat_presence (table_id, seat, last_seen, said_away) VALUES (?, ?, ?, ?)
ON CONFLICT (table_id, seat) DO UPDATE SET said_away = excluded.said_away, last_seen = CASE
WHEN NOT excluded.said_away AND excluded.last_seen > seat_presence.last_seen THEN excluded.last_seen ELSE seat_presence.last_seen END`
	if _, err := affected(tx, say, string(id), int(said.Seat), micros(said.At), said.Away); err != nil {
		return fmt.Errorf("store a presence at table %s: %w", id, err)
	}
	return nil
}

// seenAtOnce is how many owners one statement is about.
const seenAtOnce = 500

// seenEntry is an owner in a batch.
type seenEntry struct {
	Table string
	Seat  int
	At    int64
}

func (e seenEntry) values() []any { return []any{e.Table, e.Seat, e.At} }

var seenColumns = []column{{"table_id", "uuid"}, {"seat", "integer"}, {"last_seen", "bigint"}}

// SeeOwners is that of service.PresenceStore. Owners are written in one order, so that replicas that write the same ones
// wait for each other and not in a circle. A table that is no more is nobody's.
func (s *Store) SeeOwners(ctx context.Context, seen []service.SeatSeen) error {
	see := `INSERT INTO seat_presence (table_id, seat, last_seen, said_away)
SELECT v.table_id, v.seat, v.last_seen, FALSE FROM ` + s.dialect.batch(seenColumns) + ` JOIN tables t ON t.id = v.table_id
WHERE TRUE ORDER BY v.table_id, v.seat
ON CONFLICT (table_id, seat) DO UPDATE SET last_seen = excluded.last_seen WHERE excluded.last_seen > seat_presence.last_seen`
	for some := range slices.Chunk(latest(seen), seenAtOnce) {
		batch, err := packed(s.dialect, seenColumns, some)
		if err != nil {
			return err
		}
		err = s.write(ctx, func(db *gorm.DB) error {
			_, err := affected(db, see, batch...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.listAgain(ctx, seen)
}

// latest is when each owner was last seen, in the order of tables and seats.
func latest(seen []service.SeatSeen) []seenEntry {
	entries := make([]seenEntry, 0, len(seen))
	for _, one := range seen {
		entries = append(entries, seenEntry{Table: string(one.Table), Seat: int(one.Seat), At: micros(one.At)})
	}
	slices.SortFunc(entries, func(a, b seenEntry) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Seat, b.Seat), cmp.Compare(b.At, a.At))
	})
	return slices.CompactFunc(entries, func(a, b seenEntry) bool { return a.Table == b.Table && a.Seat == b.Seat })
}
