package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// PairSearchers seats those together who wait for the same at two tables: they were not here at the same time when the
// later one came, but are now. Who came last moves to the table of somebody who waits longer. Each pair is one
// transaction, in the queue that those who ask are in.
func (s *Duty) PairSearchers(ctx context.Context) error {
	since := s.deps.Clock().Add(-seenWithin)
	searchers, err := s.deps.Tables.Searchers(ctx, since)
	if err != nil {
		return wrap(err, "look for who waits for a quick match")
	}
	waiting := map[table.Queue]int{}
	for _, one := range searchers {
		waiting[one.Queue]++
	}
	var fails []error
	for _, one := range searchers {
		if waiting[one.Queue] < 2 {
			continue
		}
		waiting[one.Queue]--
		switch err := s.pair(ctx, one, since); {
		case errors.Is(err, ErrChanged): // it has met somebody, is gone, or alone
		case err != nil:
			fails = append(fails, wrap(err, "pair %s, who waits for a quick match", one.Who))
		}
	}
	return errors.Join(fails...)
}

// pair lets somebody who waits move to another table of its queue. ErrChanged says that it doesn't wait there any more,
// or nobody else does.
func (s *Duty) pair(ctx context.Context, one Searcher, since time.Time) error {
	guest, err := s.deps.Profiles.Profile(ctx, one.Who)
	if errors.Is(err, fault.New(fault.Missing, fault.NotFound, "")) {
		return ErrChanged
	}
	if err != nil {
		return err
	}
	o, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return err
	}
	var (
		tables = NewTables(s.deps)
		look   time.Time
		left   table.Table
	)
	t, err := s.deps.Tables.Match(ctx, Matching{
		Who: one.Who, Rating: guest.Standing.Rating, Queue: one.Queue, SeenSince: since, AtMost: s.deps.Settings.OpenTables,
		Move: func(own, waiting table.Table) (leaves, sits TableChange, err error) {
			if host := own.Seats[game.HostSeat-1]; host.SaidAway || host.Seen.Before(since) {
				return TableChange{}, TableChange{}, ErrChanged
			}
			leaves, sits, err = tables.move(own, waiting, guest, o)
			left, look = leaves.Table, sits.Look
			return leaves, sits, err
		},
		Back: unpaired, Meet: unpaired,
		Wait: func() (table.Table, error) { return table.Table{}, ErrChanged },
	})
	if err != nil {
		return err
	}
	tables.wake(t, look)
	tables.wake(left, noLook)
	return nil
}

// unpaired leaves a table as it is.
func unpaired(table.Table) (TableChange, error) { return TableChange{}, ErrChanged }
