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
// nobody can come any more. A player who named no clock waits for whatever the default is. One goroutine may call it at a
// time, as often as it likes: the database is asked where there can be such a table.
func (s *Matches) CloseUnoffered(ctx context.Context) error {
	rules, err := s.rules.Now(ctx)
	if err != nil {
		return err
	}
	offered, now := clocksOf(rules), s.clock()
	if !s.offer.due(offered, now) {
		return nil
	}
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
	s.offer.checked = now
	return nil
}

const (
	// offerSettles is how long another replica may still open tables by the house rules as they were.
	offerSettles = 3 * time.Second
	// offerAgain is how often tables are compared with what is on offer although nothing has changed: a replica may have
	// stood still for longer.
	offerAgain = 10 * time.Second
)

// clockOffer is which clocks are on offer, since when, and when the tables were last compared with them.
type clockOffer struct {
	clocks         []time.Duration
	since, checked time.Time
}

// due reports whether there can be a table that waits for a clock which isn't on offer.
func (o *clockOffer) due(clocks []time.Duration, now time.Time) bool {
	if o.since.IsZero() || !slices.Equal(o.clocks, clocks) {
		*o = clockOffer{clocks: clocks, since: now, checked: time.Time{}}
	}
	return now.Sub(o.since) < offerSettles || now.Sub(o.checked) >= offerAgain
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
