package store

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
)

// feedRow is a moment, and whether a table of the feed can be emptied.
type feedRow struct {
	Snapshot string `gorm:"column:snapshot"`
	Old      bool   `gorm:"column:old"`
}

// trimmable asks whether there is something in a table of the feed, and a snapshot shows all of it.
func trimmable(name string) string {
	return "SELECT pg_current_snapshot()::text AS snapshot, EXISTS (SELECT FROM " + name + ") AND NOT EXISTS (SELECT FROM " + name +
		` WHERE xid >= pg_snapshot_xmin(CAST(CAST(? AS text) AS pg_snapshot)) AND xid < pg_snapshot_xmax(pg_current_snapshot())
AND NOT pg_visible_in_snapshot(xid, CAST(CAST(? AS text) AS pg_snapshot))) AS old`
}

// nothingVisible is a snapshot from before the first transaction.
const nothingVisible = "1:1:"

// errNotYet says that there is something in a table that some replica may not have read.
var errNotYet = errors.New("not everybody had the time to read it")

// TrimNews is that of service.DutyStore.
func (s *Store) TrimNews(ctx context.Context) error {
	if s.feed.db == nil {
		return nil
	}
	_, other := s.feed.written()
	before := s.feed.longAgo()
	found, err := read[feedRow](ctx, s, trimmable(other), before.Snapshot, before.Snapshot)
	if err != nil {
		return err
	}
	now := s.feed.watch.clock()
	if now.Sub(before.asked) < emptiedAfter {
		return nil
	}
	s.feed.remember(position{Snapshot: found[0].Snapshot, Timeline: "", asked: now})
	if !found[0].Old {
		return nil
	}
	return s.empty(ctx, other, before.Snapshot)
}

// empty empties a table of the feed if a snapshot shows all of it. Whoever still writes to it is left to finish.
func (s *Store) empty(ctx context.Context, name, snapshot string) error {
	err := s.inTransaction(ctx, func(tx *gorm.DB) error {
		if _, err := affected(tx, "SET LOCAL lock_timeout = '"+emptyingWait+"'"); err != nil {
			return err
		}
		if _, err := affected(tx, "LOCK TABLE "+name+" IN ACCESS EXCLUSIVE MODE"); err != nil {
			return err
		}
		found, err := rows[feedRow](tx, trimmable(name), snapshot, snapshot)
		if err != nil {
			return err
		}
		if !found[0].Old {
			return errNotYet
		}
		_, err = affected(tx, "TRUNCATE "+name)
		return err
	})
	if errors.Is(err, errNotYet) || hasState(err, "55P03") {
		return nil
	}
	return err
}

func (f *feed) longAgo() position {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.before.Snapshot == "" {
		return position{Snapshot: nothingVisible, Timeline: "", asked: time.Time{}}
	}
	return f.before
}

func (f *feed) remember(p position) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = p
}
