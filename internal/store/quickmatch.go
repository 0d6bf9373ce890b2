package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// InMatch is that of service.MatchStore. All replicas queue up at locks with a name: first the player's, since it may ask
// twice, then the queue's. Within a process they queue up before, so that they don't keep every connection waiting.
func (s *Store) InMatch(
	ctx context.Context, who service.Searcher, clock time.Duration, decide func(tx service.MatchTx) error,
) error {
	select {
	case s.matches <- struct{}{}:
		defer func() { <-s.matches }()
	case <-ctx.Done():
		return fmt.Errorf("wait for others to be matched: %w", ctx.Err())
	}
	var refusal error
	err := s.inTransaction(ctx, func(tx *gorm.DB) error {
		m := &matchTx{store: s, tx: tx, who: who, clock: clock, locked: make(map[table.ID]table.Table), failed: false}
		err := decide(m)
		if refusal = nil; !m.failed {
			refusal = err
		}
		return err
	})
	if refusal != nil { // as it is
		return refusal
	}
	return err
}

// matchTx is that of service.MatchTx.
type matchTx struct {
	store  *Store
	tx     *gorm.DB
	who    service.Searcher
	clock  time.Duration // the service's default
	locked map[table.ID]table.Table
	failed bool // a statement has
}

// Own is that of service.MatchTx. Before, it queues up: at the player, then at what it wants and at what it waits for,
// together, so that two who change between two queues don't wait for each other.
func (m *matchTx) Own() (own *table.Table, err error) {
	defer m.note(&err)
	const given = "SELECT t.id, " + queueColumns + ` FROM tables t LEFT JOIN games g ON g.id = t.game_id
WHERE t.status <> 'closed' AND (t.seat1_profile = ? OR t.seat2_profile = ?) AND t.quick
AND (t.status = 'waiting' OR t.status = 'playing' AND g.number = 1)`
	who := string(m.who.Who)
	if err = m.store.queueUp(m.tx, "of "+who); err != nil {
		return nil, err
	}
	found, err := rows[matchRow](m.tx, given, who, who)
	if err != nil {
		return nil, fmt.Errorf("look for the quick match of profile %s: %w", who, err)
	}
	queues := []string{queueName(m.who.Queue.At(m.clock))}
	for _, row := range found {
		queues = append(queues, queueName(row.Queue.queue().At(m.clock)))
	}
	if err = m.store.queueUp(m.tx, queues...); err != nil {
		return nil, err
	}
	for _, row := range found {
		t, err := m.Lock(table.ID(row.ID))
		switch {
		case errors.Is(err, service.ErrUnreadable): // the player is as well off without it
			continue
		case err != nil:
			return nil, err
		}
		if t.QuickMatch() {
			return &t, nil
		}
	}
	return nil, nil
}

// note remembers that the database, not a decision, is what an error is about.
func (m *matchTx) note(err *error) { m.failed = m.failed || *err != nil }

// Lock is that of service.MatchTx.
func (m *matchTx) Lock(id table.ID) (t table.Table, err error) {
	t, err = m.store.lockTableAndGame(m.tx, id)
	switch {
	case errors.Is(err, service.ErrUnreadable):
		m.store.PassOver(m.tx.Statement.Context, err)
		return table.Table{}, service.ErrUnreadable
	case err != nil:
		m.note(&err)
		return table.Table{}, err
	}
	m.locked[id] = t
	return withOwnGame(t), nil
}

// Apply is that of service.MatchTx.
func (m *matchTx) Apply(id table.ID, change service.TableChange) (t table.Table, err error) {
	defer m.note(&err)
	before, found := m.locked[id]
	if !found {
		return table.Table{}, fmt.Errorf("table %s is not locked", id)
	}
	return m.store.keep(m.tx, before, change)
}

// Open is that of service.MatchTx.
func (m *matchTx) Open(t table.Table, atMost int) (opened table.Table, err error) {
	defer m.note(&err)
	if err = m.store.lockProfile(m.tx, t.Host()); err != nil {
		return table.Table{}, err
	}
	return m.store.insertTable(m.tx, t, time.Time{}, atMost)
}

// queueUp lets those wait who send the same names, in one order whoever sends them.
func (s *Store) queueUp(tx *gorm.DB, names ...string) error {
	if s.dialect.serial == "" {
		return nil
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if _, err := affected(tx, s.dialect.serial, "quick match "+name); err != nil {
			return fmt.Errorf("queue up for a quick match: %w", err)
		}
	}
	return nil
}

// queueName is what those send who meet by quick match.
func queueName(q table.Queue) string {
	return strconv.FormatBool(q.Ranked) + " " + q.MoveTimeLimit.String()
}

// matchRow is a table that quick match has given to a player.
type matchRow struct {
	ID    string   `gorm:"column:id"`
	Queue queueRow `gorm:"embedded"`
}

// queueRow is what somebody wants of quick match.
type queueRow struct {
	Ranked    bool  `gorm:"column:ranked"`
	MoveLimit int64 `gorm:"column:move_time_limit_seconds"`
	AnyClock  bool  `gorm:"column:any_clock"`
}

const queueColumns = "t.ranked, t.move_time_limit_seconds, t.any_clock"

func (r queueRow) queue() table.Queue {
	q := table.Queue{Ranked: r.Ranked, MoveTimeLimit: time.Duration(r.MoveLimit) * time.Second, AnyClock: r.AnyClock}
	if r.AnyClock {
		q.MoveTimeLimit = 0
	}
	return q
}

// candidateRow is a table that waits for a quick match.
type candidateRow struct {
	ID     string `gorm:"column:id"`
	Rating int64  `gorm:"column:rating"`
	Seen   int64  `gorm:"column:last_seen"`
	Since  int64  `gorm:"column:created"`
}

// candidatesRead is how many tables of a queue are looked at, the newest: who has been here all the time would have met
// everybody who came since, so those that wait longer are deserted.
const candidatesRead = 500

// Candidates is that of service.MatchTx: also of those who want the default, whatever it is, when that is what the player
// wants. Each of the two has an index.
func (m *matchTx) Candidates() (all []table.Candidate, err error) {
	defer m.note(&err)
	query, args := m.candidates()
	found, err := rows[candidateRow](m.tx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("look for the searchers of a quick match: %w", err)
	}
	all = make([]table.Candidate, 0, len(found))
	for _, row := range found {
		all = append(all, table.Candidate{
			ID: table.ID(row.ID), Rating: profile.Rating(row.Rating), Seen: at(row.Seen), Since: at(row.Since),
		})
	}
	return all, nil
}

func (m *matchTx) candidates() (query string, args []any) {
	const waiting = "SELECT * FROM (SELECT id, seat1_profile, created FROM tables WHERE quick AND status = 'waiting'"
	wanted := m.who.Queue.At(m.clock)
	query = waiting + " AND NOT any_clock AND ranked = ? AND move_time_limit_seconds = ? ORDER BY created DESC LIMIT ?) AS named"
	args = []any{wanted.Ranked, int64(wanted.MoveTimeLimit / time.Second), candidatesRead}
	if wanted.MoveTimeLimit == m.clock {
		query += " UNION ALL " + waiting + " AND any_clock AND ranked = ? ORDER BY created DESC LIMIT ?) AS whatever"
		args = append(args, wanted.Ranked, candidatesRead)
	}
	return "SELECT t.id, h.rating, p.last_seen, t.created FROM (" + query + `) AS t JOIN profiles h ON h.id = t.seat1_profile
JOIN seat_presence p ON p.table_id = t.id AND p.seat = 1 WHERE t.seat1_profile <> ? AND NOT p.said_away`, append(args, string(m.who.Who))
}

// searcherRow is a player who waits for a quick match.
type searcherRow struct {
	Who   string   `gorm:"column:seat1_profile"`
	Queue queueRow `gorm:"embedded"`
}

// Searchers is that of service.MatchStore. Who named a clock and who didn't are read by an index each.
func (s *Store) Searchers(ctx context.Context, seenSince time.Time) ([]service.Searcher, error) {
	const (
		waiting = `SELECT id, seat1_profile, ranked, move_time_limit_seconds, any_clock, created FROM tables
WHERE quick AND status = 'waiting'`
		here = "SELECT t.seat1_profile, " + queueColumns + " FROM (" + waiting + " AND NOT any_clock UNION ALL " + waiting + ` AND any_clock) AS t
JOIN seat_presence p ON p.table_id = t.id AND p.seat = 1
WHERE p.last_seen >= ? AND NOT p.said_away ORDER BY t.created DESC, t.id DESC LIMIT ?`
	)
	found, err := read[searcherRow](ctx, s, here, micros(seenSince), candidatesRead)
	searchers := make([]service.Searcher, 0, len(found))
	for _, row := range found {
		searchers = append(searchers, service.Searcher{Who: profile.ID(row.Who), Queue: row.Queue.queue()})
	}
	return searchers, err
}

// UnofferedSearches is that of service.MatchStore, in the order of the index that it reads.
func (s *Store) UnofferedSearches(ctx context.Context, offered []time.Duration) ([]table.ID, error) {
	seconds := make([]int64, 0, len(offered))
	for _, clock := range offered {
		seconds = append(seconds, int64(clock/time.Second))
	}
	found, err := read[idRow](ctx, s, `SELECT id FROM tables
WHERE quick AND status = 'waiting' AND NOT any_clock AND move_time_limit_seconds NOT IN ? ORDER BY ranked, move_time_limit_seconds, created LIMIT ?`, seconds, candidatesRead)
	ids := make([]table.ID, 0, len(found))
	for _, row := range found {
		ids = append(ids, table.ID(row.ID))
	}
	return ids, err
}
