package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Beat touches the heartbeat.
func (s *Duty) Beat(ctx context.Context) error { return s.deps.Uptime.Beat(ctx) }

// writeAgain is how long an owner who is heard of all the time isn't written again: with the pause between two calls
// of KeepAttendance less than a third of the shortest grace.
const writeAgain = 5 * time.Second

// KeepAttendance stores who was heard of, but for those it has stored lately.
func (s *Duty) KeepAttendance(ctx context.Context) error { return s.writeAttendance(ctx, writeAgain) }

// WriteAttendance stores who was heard of since the last time.
func (s *Duty) WriteAttendance(ctx context.Context) error { return s.writeAttendance(ctx, 0) }

func (s *Duty) writeAttendance(ctx context.Context, spare time.Duration) error {
	var fails []error
	if seen := s.deps.Attendance.take(s.deps.Clock(), spare); len(seen) > 0 {
		if err := s.deps.Duties.SeeOwners(ctx, seen); err != nil {
			s.deps.Attendance.giveBack(seen)
			fails = append(fails, wrap(err, "write who was here"))
		}
	}
	if hours := s.deps.Attendance.takeHours(); len(hours) > 0 {
		if err := s.deps.Duties.SeeDevices(ctx, hours); err != nil {
			s.deps.Attendance.giveHoursBack(hours)
			fails = append(fails, wrap(err, "write which devices were here"))
		}
	}
	return errors.Join(fails...)
}

// tagsAtOnce is how many topics one question to the database names.
const tagsAtOnce = 1000

// Compare wakes the requests that wait in this process for what another replica has changed.
func (s *Duty) Compare(ctx context.Context, hub Comparer) error {
	for topics := range slices.Chunk(hub.Watched(), tagsAtOnce) {
		tags, err := s.deps.Duties.Tags(ctx, topics)
		if err != nil {
			return wrap(err, "look for changes of %d topics", len(topics))
		}
		hub.Compare(tags)
	}
	return nil
}

// Comparer is the waiters of a process, to be compared with the database; internal/live has it.
type Comparer interface {
	Watched() []live.Topic
	Compare(tags map[live.Topic]string) int
}

// idleAtOnce is how many tables one round closes.
const idleAtOnce = 100

// CloseIdle closes tables where nobody seated did anything for long.
func (s *Duty) CloseIdle(ctx context.Context) error {
	now := s.deps.Clock()
	ids, err := s.deps.Duties.IdleTables(ctx, now, idleAtOnce)
	if err != nil {
		return wrap(err, "look for idle tables")
	}
	for _, id := range ids {
		t, err := s.deps.Tables.ChangeTable(ctx, id, func(t table.Table) (TableChange, error) { return closeIdle(t, now), nil })
		if err != nil {
			return wrap(err, "close idle table %s", id)
		}
		NewTables(s.deps).wake(t, noLook)
	}
	return nil
}

// closeIdle returns the change that closes a table, or none when somebody has come back.
func closeIdle(t table.Table, now time.Time) TableChange {
	change := TableChange{Table: t, Game: nil, Look: noLook, Seated: "", AtMost: 0, Presence: nil}
	if expires := t.Expires(); expires.IsZero() || now.Before(expires) {
		return change
	}
	change.Table = t.Close(table.Idle)
	change.Game = change.Table.Game
	return change
}

// Sleeping returns how many running games are asleep.
func (s *Duty) Sleeping(ctx context.Context) (int, error) { return s.deps.Duties.Sleeping(ctx) }
