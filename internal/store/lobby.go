package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// What the lists of public tables read, each by indexes of their own: no more than they show. A table that waits has no
// game and nobody in seat 2; of one that is played at nobody asks when its owners were seen.
var (
	toJoin  = "SELECT " + selection("t", tableColumns) + ", p1.last_seen, p1.said_away FROM tables t "
	toWatch = "SELECT " + selection("t", tableColumns) + ", " + selection("g", gameColumns) + `
FROM tables t LEFT JOIN games g ON g.id = t.game_id WHERE t.visibility = 'public' AND t.status = 'playing'`
)

const (
	waitingTables = ` WHERE t.visibility = 'public' AND t.status = 'waiting' AND t.listed AND NOT t.quick`
	// hostIsAway asks for when the service was down last, twice, and for a moment.
	hostIsAway = `p1.said_away IS TRUE
OR CASE WHEN p1.last_seen > ? THEN p1.last_seen ELSE ? END + CAST(t.cover_grace_seconds AS bigint) * 1000000 <= ?`
)

// publicTables is the query of PublicTables.
func (s *Store) publicTables(l service.Lobby) (string, []any) {
	query, args := toWatch, []any(nil)
	if l.Status == table.Waiting {
		query = toJoin + s.dialect.host + waitingTables + " AND NOT (" + hostIsAway + ")"
		args = []any{micros(l.UpSince), micros(l.UpSince), micros(l.Now)}
	}
	if l.Ranked != nil {
		query, args = query+" AND t.ranked = ?", append(args, *l.Ranked)
	}
	if l.MoveTimeLimit != nil {
		query, args = query+" AND t.move_time_limit_seconds = ?", append(args, int64(*l.MoveTimeLimit/time.Second))
	}
	if l.After != (service.Place{}) {
		query, args = query+" AND (t.created, t.id) < (?, ?)", append(args, micros(l.After.At), l.After.ID)
	}
	return query + newestFirst + " LIMIT ?", append(args, l.Limit)
}

// PublicTables is that of service.TableStore. Tables that are neither waiting nor played at are in no list. Where some
// can't be read, those after them take their places.
func (s *Store) PublicTables(ctx context.Context, l service.Lobby) ([]table.Table, error) {
	limit := l.Limit
	list := make([]table.Table, 0, limit)
	for {
		l.Limit = limit - len(list)
		found, err := s.publicRows(ctx, l)
		if err != nil {
			return nil, err
		}
		list = append(list, readable(ctx, s, found, s.tableOf)...)
		if len(found) < l.Limit || len(list) == limit {
			return list, nil
		}
		last := found[len(found)-1].table.table
		l.After = service.Place{At: last.Created, ID: string(last.ID)}
	}
}

func (s *Store) publicRows(ctx context.Context, l service.Lobby) ([]seatedRow, error) {
	query, args := s.publicTables(l)
	var list []seatedRow
	if l.Status == table.Waiting {
		found, err := read[waitingRow](ctx, s, query, args...)
		for _, row := range found {
			list = append(list, seatedRow(row))
		}
		return list, err
	}
	found, err := read[playedRow](ctx, s, query, args...)
	for _, row := range found {
		list = append(list, seatedRow(row))
	}
	return list, err
}

// waitingRow is a table without a game, and what is known of its host's presence.
type waitingRow seatedRow

func (r *waitingRow) targets() []any {
	return append(targets(&r.table, tableColumns), targets(&r.table, hostPresence)...)
}

// playedRow is a table and its game.
type playedRow seatedRow

func (r *playedRow) targets() []any {
	return append(targets(&r.table, tableColumns), targets(&r.game, gameColumns)...)
}

// unlistAtOnce is how many tables one statement takes off the list.
const unlistAtOnce = 1000

// unlistAfter is how long a host has to be away for that. Who comes back lists its table again (SeeOwners); one that does
// so at the very moment is listed within a minute.
const unlistAfter = 10 * time.Second

// UnlistDeserted is that of service.TableStore.
func (s *Store) UnlistDeserted(ctx context.Context, now, upSince time.Time) error {
	unlist := `UPDATE tables SET listed = FALSE WHERE id IN (SELECT t.id
FROM tables t LEFT JOIN seat_presence p1 ON p1.table_id = t.id AND p1.seat = 1` + waitingTables + " AND (" + hostIsAway + ") ORDER BY t.id LIMIT ?)"
	return s.write(ctx, func(db *gorm.DB) error {
		_, err := affected(db, unlist, micros(upSince), micros(upSince), micros(now.Add(-unlistAfter)), unlistAtOnce)
		return err
	})
}

// listAgain lists the tables of hosts that are back.
func (s *Store) listAgain(ctx context.Context, seen []service.SeatSeen) error {
	back := slices.DeleteFunc(slices.Clone(seen), func(one service.SeatSeen) bool { return !one.Back })
	list := "UPDATE tables SET listed = TRUE WHERE NOT listed AND status = 'waiting' AND id IN (SELECT v.table_id FROM " +
		s.dialect.batch(seenColumns) + ")"
	for some := range slices.Chunk(latest(back), seenAtOnce) {
		batch, err := packed(s.dialect, seenColumns, some)
		if err != nil {
			return err
		}
		if err = s.write(ctx, func(db *gorm.DB) error { _, err := affected(db, list, batch...); return err }); err != nil {
			return fmt.Errorf("list tables again: %w", err)
		}
	}
	return nil
}
