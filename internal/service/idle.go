package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/table"
)

// idleAtOnce is how many tables one round closes.
const idleAtOnce = 100

// CloseIdle closes tables where nobody seated did anything for long.
func (s *Tables) CloseIdle(ctx context.Context) error {
	now := s.clock()
	ids, err := s.store.IdleTables(ctx, now, idleAtOnce)
	if err != nil {
		return wrap(err, "look for idle tables")
	}
	var fails []error
	for _, id := range ids {
		t, err := s.store.ChangeTable(ctx, id, func(t table.Table) (TableChange, error) { return closeIdle(t, now), nil })
		if err != nil { // one that can't be read must not keep the others open
			fails = append(fails, wrap(err, "close idle table %s", id))
			continue
		}
		s.wakeups.table(t, noTimer)
	}
	return errors.Join(fails...)
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
