package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/table"
)

// idleAtOnce is how many tables one round closes.
const idleAtOnce = 100

// CloseIdle closes tables where nobody seated did anything for long. Those that can't be read stay idle, and take no place
// of others.
func (s *Tables) CloseIdle(ctx context.Context) error {
	now, unread := s.clock(), 0
	for {
		limit := idleAtOnce + unread
		ids, err := s.store.IdleTables(ctx, now, limit)
		if err != nil {
			return wrap(err, "look for idle tables")
		}
		before := unread
		unread, err = s.changeEach(ctx, ids, func(t table.Table) TableChange { return closeIdle(t, now) })
		if err != nil {
			return wrap(err, "close idle tables")
		}
		if unread == before || len(ids) < limit {
			return nil
		}
	}
}

// changeEach stores what decide makes of each of some tables, and wakes the requests that wait for it. One that fails
// doesn't keep the others as they are. It returns how many were passed over because they can't be read.
func (s *Tables) changeEach(ctx context.Context, ids []table.ID, decide func(table.Table) TableChange) (unread int, err error) {
	var fails []error
	for _, id := range ids {
		t, err := s.store.ChangeTable(ctx, id, func(t table.Table) (TableChange, error) { return decide(t), nil })
		switch {
		case errors.Is(err, ErrUnreadable):
			s.store.PassOver(ctx, err)
			unread++
		case err != nil:
			fails = append(fails, wrap(err, "table %s", id))
		default:
			s.wakeups.table(t, noTimer)
		}
	}
	return unread, errors.Join(fails...)
}

// closeIdle returns the change that closes a table, or none when somebody has come back.
func closeIdle(t table.Table, now time.Time) TableChange {
	change := TableChange{Table: t, Game: nil, Due: noTimer, Seated: "", AtMost: 0, Presence: nil}
	if expires := t.Expires(); expires.IsZero() || now.Before(expires) {
		return change
	}
	change.Table = t.Close(table.Idle)
	change.Game = change.Table.Game
	return change
}
