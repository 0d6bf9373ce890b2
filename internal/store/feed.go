package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// The feed tells replicas of each other's changes, on PostgreSQL: whatever changes a game or a table writes a row of ids
// into it by the same transaction. A replica reads the rows that the snapshot of its last reading didn't show. Numbers
// of a sequence wouldn't do: a transaction that took an early one may commit late.
//
// There are two tables, written in turns of a minute. The other one is emptied when a snapshot of a while ago shows all
// of it; a replica that hasn't read for so long starts anew. Nothing depends on clocks that agree.
type feed struct {
	db     *sql.DB // one connection of its own, so that a new one is noticed; nil: there is no feed
	watch  *watch
	origin string // of this process's rows, which it doesn't read

	mu     sync.Mutex
	conn   *sql.Conn // of the last reading; nil: it was lost, or there was none
	last   position
	before position // of a while ago; what it shows can be thrown away
}

// position is a moment in the history of a database.
type position struct {
	Snapshot string    // what was visible
	Timeline string    // which history: another one after a restore or a failover
	asked    time.Time // by the process's clock, about
}

const (
	feedTurn     = time.Minute      // after which the other table is written
	readWithin   = 5 * time.Second  // readings further apart don't connect; with the time one takes less than …
	emptiedAfter = 15 * time.Second // … how long everybody had to read what is thrown away
	emptyingWait = "100ms"          // for the last writers; everybody else waits behind that
)

var feedTables = [...]string{"changes_a", "changes_b"}

func newFeed(db *sql.DB, w *watch) *feed {
	origin := strconv.Itoa(int(rand.Int32())) //nolint:gosec // two of a few replicas must not draw the same
	return &feed{db: db, watch: w, origin: origin, mu: sync.Mutex{}, conn: nil, last: position{}, before: position{}}
}

// written returns the table that is written at the moment, and the other one.
func (f *feed) written() (now, other string) {
	turn := f.watch.clock().UnixNano() / int64(feedTurn) % 2
	return feedTables[turn], feedTables[1-turn]
}

// publishing makes a statement that changes games or tables publish their ids to the other replicas, whether or not it
// finds anything to change: a wake-up too many does no harm. The statement must not begin with WITH.
func (f *feed) publishing(ids []string, statement string, args []any) (string, []any) {
	if f.db == nil || len(ids) == 0 {
		return statement, args
	}
	return "WITH published AS (" + f.insert() + ") " + statement, append([]any{postgresArray(ids)}, args...)
}

// publish tells the other replicas what has changed, when the transaction commits.
func (f *feed) publish(tx *gorm.DB, ids []string) error {
	if f.db == nil || len(ids) == 0 {
		return nil
	}
	if _, err := affected(tx, f.insert(), postgresArray(ids)); err != nil {
		return fmt.Errorf("publish changes: %w", err)
	}
	return nil
}

// publishRemoved tells the other replicas of devices that were removed, when the transaction commits.
func (f *feed) publishRemoved(tx *gorm.DB, devices []deviceRow) error {
	if f.db == nil || len(devices) == 0 {
		return nil
	}
	ids := make([]string, 0, len(devices))
	for _, row := range devices {
		ids = append(ids, row.ID)
	}
	now, _ := f.written()
	statement := "INSERT INTO " + now + " (topics, devices, origin) VALUES ('{}', CAST(? AS uuid[]), " + f.origin + ")"
	if _, err := affected(tx, statement, postgresArray(ids)); err != nil {
		return fmt.Errorf("publish removed devices: %w", err)
	}
	return nil
}

func (f *feed) insert() string {
	now, _ := f.written()
	return "INSERT INTO " + now + " (topics, origin) VALUES (CAST(? AS uuid[]), " + f.origin + ")"
}

// idsOf returns the ids that a change of a game is published by.
func idsOf(g game.Game) []string {
	ids := []string{string(g.ID), string(g.Table)}
	for _, p := range []game.Player{g.Red, g.Yellow} {
		if p.Profile != "" {
			ids = append(ids, string(p.Profile))
		}
	}
	return ids
}

// idsAt returns the ids that a change of a table is published by, from what it was and is.
func idsAt(states ...table.Table) []string {
	var ids []string
	for _, t := range states {
		ids = append(ids, string(t.ID))
		for _, seat := range t.Seats {
			if seat.Profile != "" {
				ids = append(ids, string(seat.Profile))
			}
		}
		if t.Game != nil {
			ids = append(ids, string(t.Game.ID))
		}
	}
	return distinct(ids)
}

func distinct(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// News is that of service.DutyStore.
func (s *Store) News(ctx context.Context) (service.News, error) {
	if s.feed.db == nil {
		return service.News{}, nil
	}
	limited, cancel := context.WithTimeout(ctx, s.readTimeout)
	defer cancel()
	news, err := s.feed.read(limited)
	return news, s.translateFor(ctx, err)
}

// newsSince reads what isn't visible in a snapshot. Rows of a database that this one was restored from may have ids of
// transactions that haven't begun here; with both bounds the planner takes the index without statistics.
func newsSince(origin string) string {
	const of = ` WHERE xid >= pg_snapshot_xmin($1::text::pg_snapshot) AND xid < pg_snapshot_xmax(pg_current_snapshot())
AND NOT pg_visible_in_snapshot(xid, $1::text::pg_snapshot) AND origin <> `
	const topics = "SELECT array_to_string(topics, ' ') AS topics, array_to_string(devices, ' ') AS devices FROM "
	return `SELECT here.snapshot, here.timeline, coalesce(news.topics, ''), coalesce(news.devices, '') FROM (` + feedPosition + `) AS here LEFT JOIN (` +
		topics + feedTables[0] + of + origin + ` UNION ALL ` + topics + feedTables[1] + of + origin + `) AS news ON TRUE`
}

const feedPosition = "SELECT pg_current_snapshot()::text AS snapshot, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline"

// read returns the news since the last reading. When they may be incomplete they are Lost.
func (f *feed) read(ctx context.Context) (service.News, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last, now := f.last, position{Snapshot: "", Timeline: "", asked: f.watch.clock()}
	f.last = position{} // an error makes the next reading begin anew
	idle := now.asked.Sub(last.asked)
	if idle > idleTime { // the network may have forgotten the connection
		f.drop()
	}
	fresh := f.conn == nil || last.Snapshot == "" || idle > readWithin
	if fresh {
		last = position{}
	}
	news, err := f.ask(ctx, last, &now)
	if err != nil {
		f.drop()
		return service.News{}, fmt.Errorf("read the feed of changes: %w", err)
	}
	f.last = now
	if fresh || !now.follows(last) {
		return service.News{IDs: nil, Removed: nil, Lost: true}, nil
	}
	return news, nil
}

// ask sends one statement, about what came after a position; its own is put into now.
func (f *feed) ask(ctx context.Context, last position, now *position) (news service.News, err error) {
	if f.conn == nil {
		if f.conn, err = f.db.Conn(ctx); err != nil {
			return service.News{}, err
		}
	}
	query := newsSince(f.origin)
	found, err := f.conn.QueryContext(ctx, query, sql.NullString{String: last.Snapshot, Valid: last.Snapshot != ""})
	f.watch.done(ctx, Read, query, now.asked, err)
	if err != nil {
		return service.News{}, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var topics, devices string
		if err = found.Scan(&now.Snapshot, &now.Timeline, &topics, &devices); err != nil {
			return service.News{}, err
		}
		news.IDs = append(news.IDs, strings.Fields(topics)...)
		for id := range strings.FieldsSeq(devices) {
			news.Removed = append(news.Removed, profile.DeviceID(id))
		}
	}
	news.IDs = distinct(news.IDs)
	return news, found.Err()
}

// drop closes the connection: what is wrong with it shows on a new one again.
func (f *feed) drop() {
	if f.conn != nil {
		_ = f.conn.Close() // it is broken anyway
		f.conn = nil
	}
}

func (f *feed) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.db == nil {
		return nil
	}
	f.drop()
	return f.db.Close()
}

// follows reports whether a position comes after another one in the same history.
func (p position) follows(last position) bool {
	return p.Timeline == last.Timeline && p.end() >= last.end()
}

// end is the first transaction that hadn't begun.
func (p position) end() uint64 {
	parts := strings.SplitN(p.Snapshot, ":", 3)
	if len(parts) < 3 {
		return 0
	}
	end, err := strconv.ParseUint(parts[1], 10, 64)
	if err != nil {
		return 0
	}
	return end
}
