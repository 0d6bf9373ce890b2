package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Match is that of service.MatchStore. All replicas queue up at locks with a name: first the player's, since it may ask
// twice, then the queue's. Within a process they queue up before, so that they don't keep every connection waiting.
func (s *Store) Match(ctx context.Context, m service.Matching) (table.Table, error) {
	select {
	case s.matches <- struct{}{}:
		defer func() { <-s.matches }()
	case <-ctx.Done():
		return table.Table{}, fmt.Errorf("wait for others to be matched: %w", ctx.Err())
	}
	var (
		matched table.Table
		refusal error
	)
	err := s.inTransaction(ctx, func(tx *gorm.DB) (err error) {
		matched, refusal, err = s.match(tx, m)
		return err
	})
	if refusal != nil { // as it is
		return table.Table{}, refusal
	}
	return matched, err
}

// match returns a refusal of one of the decisions apart.
func (s *Store) match(tx *gorm.DB, m service.Matching) (matched table.Table, refusal, err error) {
	own, err := s.ownMatch(tx, m)
	switch {
	case err != nil:
		return table.Table{}, nil, err
	case own != nil:
		return s.comeBack(tx, *own, m)
	}
	met, err := s.candidate(tx, m)
	switch {
	case err != nil:
		return table.Table{}, nil, err
	case met != nil:
		return s.decided(tx, *met, m.Meet)
	}
	t, refusal := m.Wait()
	if refusal != nil {
		return table.Table{}, refusal, refusal
	}
	matched, err = s.waitAt(tx, t, m.AtMost)
	return matched, nil, err
}

// comeBack lets a player go on at the table that quick match has given to it, which is locked; or, while it waits there,
// move to another one: of somebody who waits for what it wants, or its own when it wants something else.
func (s *Store) comeBack(tx *gorm.DB, own table.Table, m service.Matching) (kept table.Table, refusal, err error) {
	if !own.Searching() {
		return s.decided(tx, own, m.Back)
	}
	met, err := s.candidate(tx, m)
	switch {
	case err != nil:
		return table.Table{}, nil, err
	case met != nil:
		leaves, sits, err := m.Move(withOwnGame(own), withOwnGame(*met))
		if err != nil {
			return table.Table{}, err, err
		}
		if _, err = s.keep(tx, own, leaves); err != nil { // first: it makes room for the other one
			return table.Table{}, nil, err
		}
		kept, err = s.keep(tx, *met, sits)
		return kept, nil, err
	case own.Queue() == m.Queue:
		return s.decided(tx, own, m.Back)
	}
	leaves, waits, err := m.Anew(withOwnGame(own))
	if err != nil {
		return table.Table{}, err, err
	}
	if _, err = s.keep(tx, own, leaves); err != nil { // the same
		return table.Table{}, nil, err
	}
	kept, err = s.waitAt(tx, waits, m.AtMost)
	return kept, nil, err
}

// waitAt stores the table at which a player waits.
func (s *Store) waitAt(tx *gorm.DB, t table.Table, atMost int) (table.Table, error) {
	if err := s.lockProfile(tx, t.Host()); err != nil {
		return table.Table{}, err
	}
	return insertTable(tx, t, time.Time{}, atMost)
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

// decided stores what is decided about a table that is locked.
func (s *Store) decided(tx *gorm.DB, t table.Table, decide func(table.Table) (service.TableChange, error)) (kept table.Table, refusal, err error) {
	change, err := decide(withOwnGame(t))
	if err != nil {
		return table.Table{}, err, err
	}
	kept, err = s.keep(tx, t, change)
	return kept, nil, err
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

// ownMatch locks and returns the table that quick match has given to a player; nil when there is none. Before, it queues
// up: at the player, then at what it wants and at what it waits for, together, so that two who change between two
// queues don't wait for each other.
func (s *Store) ownMatch(tx *gorm.DB, m service.Matching) (*table.Table, error) {
	const own = "SELECT t.id, " + queueColumns + ` FROM tables t LEFT JOIN games g ON g.id = t.game_id
WHERE t.status <> 'closed' AND (t.seat1_profile = ? OR t.seat2_profile = ?) AND t.quick
AND (t.status = 'waiting' OR t.status = 'playing' AND g.number = 1)`
	if err := s.queueUp(tx, "of "+string(m.Who)); err != nil {
		return nil, err
	}
	found, err := rows[matchRow](tx, own, string(m.Who), string(m.Who))
	if err != nil {
		return nil, fmt.Errorf("look for the quick match of profile %s: %w", m.Who, err)
	}
	queues := []string{queueName(m.Queue.At(m.Clock))}
	for _, row := range found {
		queues = append(queues, queueName(row.Queue.queue().At(m.Clock)))
	}
	if err = s.queueUp(tx, queues...); err != nil {
		return nil, err
	}
	for _, row := range found {
		t, err := s.lockTableAndGame(tx, table.ID(row.ID))
		if err != nil {
			return nil, err
		}
		if t.QuickMatch() {
			return &t, nil
		}
	}
	return nil, nil
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

// candidates is the query for tables whose owners a player may meet: who wants the default, whatever it is, too when that
// is what the player wants. Each has an index.
func candidates(m service.Matching) (string, []any) {
	const waiting = "SELECT * FROM (SELECT id, seat1_profile, created FROM tables WHERE quick AND status = 'waiting'"
	wanted := m.Queue.At(m.Clock)
	query := waiting + " AND NOT any_clock AND ranked = ? AND move_time_limit_seconds = ? ORDER BY created DESC LIMIT ?) AS named"
	args := []any{wanted.Ranked, int64(wanted.MoveTimeLimit / time.Second), candidatesRead}
	if wanted.MoveTimeLimit == m.Clock {
		query += " UNION ALL " + waiting + " AND any_clock AND ranked = ? ORDER BY created DESC LIMIT ?) AS whatever"
		args = append(args, wanted.Ranked, candidatesRead)
	}
	return "SELECT t.id, h.rating, p.last_seen, t.created FROM (" + query + `) AS t JOIN profiles h ON h.id = t.seat1_profile
JOIN seat_presence p ON p.table_id = t.id AND p.seat = 1 WHERE t.seat1_profile <> ? AND NOT p.said_away`, append(args, string(m.Who))
}

// candidate locks and returns the table whose owner a player meets; nil when there is none.
func (s *Store) candidate(tx *gorm.DB, m service.Matching) (*table.Table, error) {
	query, args := candidates(m)
	found, err := rows[candidateRow](tx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("look for who waits for a quick match: %w", err)
	}
	candidates := make([]table.Candidate, 0, len(found))
	for _, row := range found {
		candidates = append(candidates, table.Candidate{
			ID: table.ID(row.ID), Rating: profile.Rating(row.Rating), Seen: at(row.Seen), Since: at(row.Since),
		})
	}
	for _, id := range table.Nearest(m.Rating, candidates, m.SeenSince) {
		t, err := s.lockTableAndGame(tx, id)
		if err != nil {
			return nil, err
		}
		if t.Searching() { // its owner hasn't given up meanwhile
			return &t, nil
		}
	}
	return nil, nil
}

// searcherRow is who waits for a quick match.
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
