package store

import (
	"context"
	"fmt"
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
	if err = s.queueUp(tx, m); err != nil {
		return table.Table{}, nil, err
	}
	own, err := s.ownMatch(tx, m.Who)
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

// comeBack lets a player go on at the table that quick match has given to it, which is locked; or, while it waits there
// and somebody else at another table of the same queue, move to that.
func (s *Store) comeBack(tx *gorm.DB, own table.Table, m service.Matching) (kept table.Table, refusal, err error) {
	if !own.Searching() || own.Queue() != m.Queue { // another queue is not locked
		return s.decided(tx, own, m.Back)
	}
	met, err := s.candidate(tx, m)
	switch {
	case err != nil:
		return table.Table{}, nil, err
	case met == nil:
		return s.decided(tx, own, m.Back)
	}
	leaves, sits, err := m.Move(withOwnGame(own), withOwnGame(*met))
	if err != nil {
		return table.Table{}, err, err
	}
	if _, err = s.keep(tx, own, leaves); err != nil { // first: it makes room for the other one
		return table.Table{}, nil, err
	}
	kept, err = s.keep(tx, *met, sits)
	return kept, nil, err
}

// waitAt stores the table at which a player waits.
func (s *Store) waitAt(tx *gorm.DB, t table.Table, atMost int) (table.Table, error) {
	if err := s.lockProfile(tx, t.Host()); err != nil {
		return table.Table{}, err
	}
	kept, err := insertTable(tx, t, time.Time{}, atMost)
	if err != nil {
		return table.Table{}, err
	}
	return kept.table()
}

func (s *Store) queueUp(tx *gorm.DB, m service.Matching) error {
	if s.dialect.serial == "" {
		return nil
	}
	for _, name := range []string{
		"quick match of " + string(m.Who),
		"quick match " + strconv.FormatBool(m.Queue.Ranked) + " " + m.Queue.MoveTimeLimit.String(),
	} {
		if _, err := affected(tx, s.dialect.serial, name); err != nil {
			return fmt.Errorf("queue up for a quick match: %w", err)
		}
	}
	return nil
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

// ownMatch locks and returns the table that quick match has given to a player; nil when there is none.
func (s *Store) ownMatch(tx *gorm.DB, who profile.ID) (*table.Table, error) {
	const own = `SELECT t.id FROM tables t LEFT JOIN games g ON g.id = t.game_id
WHERE t.status <> 'closed' AND (t.seat1_profile = ? OR t.seat2_profile = ?) AND t.quick
AND (t.status = 'waiting' OR t.status = 'playing' AND g.number = 1)`
	found, err := rows[idRow](tx, own, string(who), string(who))
	if err != nil {
		return nil, fmt.Errorf("look for the quick match of profile %s: %w", who, err)
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

// candidate locks and returns the table whose owner a player meets; nil when there is none.
func (s *Store) candidate(tx *gorm.DB, m service.Matching) (*table.Table, error) {
	const waiting = `SELECT t.id, h.rating, p.last_seen, t.created FROM (
SELECT id, seat1_profile, created FROM tables WHERE quick AND status = 'waiting' AND ranked = ? AND move_time_limit_seconds = ?
ORDER BY created DESC LIMIT ?) AS t
JOIN profiles h ON h.id = t.seat1_profile
JOIN seat_presence p ON p.table_id = t.id AND p.seat = 1 WHERE t.seat1_profile <> ? AND NOT p.said_away`
	found, err := rows[candidateRow](tx, waiting,
		m.Queue.Ranked, int64(m.Queue.MoveTimeLimit/time.Second), candidatesRead, string(m.Who))
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
	Who       string `gorm:"column:seat1_profile"`
	Ranked    bool   `gorm:"column:ranked"`
	MoveLimit int64  `gorm:"column:move_time_limit_seconds"`
}

// Searchers is that of service.MatchStore. The index of tables that wait is all it reads of tables.
func (s *Store) Searchers(ctx context.Context, seenSince time.Time) ([]service.Searcher, error) {
	const here = `SELECT t.seat1_profile, t.ranked, t.move_time_limit_seconds FROM tables t
JOIN seat_presence p ON p.table_id = t.id AND p.seat = 1
WHERE t.quick AND t.status = 'waiting' AND p.last_seen >= ? AND NOT p.said_away ORDER BY t.created DESC, t.id DESC LIMIT ?`
	found, err := read[searcherRow](ctx, s, here, micros(seenSince), candidatesRead)
	searchers := make([]service.Searcher, 0, len(found))
	for _, row := range found {
		searchers = append(searchers, service.Searcher{
			Who:   profile.ID(row.Who),
			Queue: table.Queue{Ranked: row.Ranked, MoveTimeLimit: time.Duration(row.MoveLimit) * time.Second},
		})
	}
	return searchers, err
}
