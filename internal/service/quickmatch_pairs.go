package service

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/table"
)

// PairSearchers seats those together who wait for the same at two tables: they were not here at the same time when the
// later one came, but are now. The last to come moves to the table of one who waits longer. Each pair is one
// transaction, in the queue that those who ask are in.
func (s *Matches) PairSearchers(ctx context.Context) error {
	rules, err := s.rules.Now(ctx)
	if err != nil {
		return err
	}
	since, clock := s.clock().Add(-seenWithin), game.Defaults(rules).MoveTimeLimit
	searchers, err := s.store.Searchers(ctx, since)
	if err != nil {
		return wrap(err, "list the players who wait for a quick match")
	}
	waiting := map[table.Queue]int{}
	for _, one := range searchers {
		waiting[one.Queue.At(clock)]++
	}
	var fails []error
	for _, one := range searchers {
		queue := one.Queue.At(clock)
		if waiting[queue] < 2 {
			continue
		}
		waiting[queue]--
		switch err := s.pair(ctx, one, since, rules); {
		case errors.Is(err, ErrChanged): // it has met somebody, is gone, or alone
		case err != nil:
			fails = append(fails, wrap(err, "pair player %s in quick match", one.Who))
		}
	}
	return errors.Join(fails...)
}

// pair lets a player who waits move to another table of its queue. The error is that of decideFor.
func (s *Matches) pair(ctx context.Context, one Searcher, since time.Time, rules houserule.Catalogue) error {
	guest, err := s.players.Profile(ctx, one.Who)
	if fault.Is(err, fault.NotFound) {
		return ErrChanged
	}
	if err != nil {
		return err
	}
	o, err := s.uptime.Outages(ctx)
	if err != nil {
		return err
	}
	m := &matching{ //nolint:exhaustruct // it opens no table
		tables: s.tables, guest: guest, queue: one.Queue, defaults: game.Defaults(rules), outages: o, seenSince: since,
	}
	if err = s.store.InMatch(ctx, one, m.defaults.MoveTimeLimit, m.decideFor); err != nil {
		return err
	}
	m.wake()
	return nil
}

// CloseUnoffered closes tables at which somebody waits for a quick match with a clock that an admin has taken off offer:
// nobody can come any more. A player who named no clock waits for whatever the default is.
func (s *Matches) CloseUnoffered(ctx context.Context) error {
	rules, err := s.rules.Now(ctx)
	if err != nil {
		return err
	}
	offered := clocksOf(rules)
	ids, err := s.store.UnofferedSearches(ctx, offered)
	if err != nil {
		return wrap(err, "list the tables that wait for a clock that is not on offer")
	}
	if _, err = s.tables.changeEach(ctx, ids, func(t table.Table) TableChange {
		change := TableChange{Table: t, Game: nil, Due: noTimer, Seated: "", AtMost: 0, Presence: nil}
		if t.Searching() && !t.AnyClock && !slices.Contains(offered, t.Settings.MoveTimeLimit) {
			change.Table = t.Close(table.NotOffered)
		}
		return change
	}); err != nil {
		return wrap(err, "close tables where nobody can come")
	}
	return nil
}

// clocksOf returns the clocks that a quick match may name.
func clocksOf(rules houserule.Catalogue) []time.Duration {
	var offered []time.Duration
	all, _ := houserule.Standard().Rule(houserule.MoveTimeLimit) // there is such a rule
	for _, option := range all.Options {
		seconds, err := strconv.Atoi(option)
		if err != nil {
			continue
		}
		if _, err = choose(rules, game.Defaults(rules), clockOf(&seconds)); err == nil {
			offered = append(offered, time.Duration(seconds)*time.Second)
		}
	}
	return offered
}
