package service

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// NewTable is a request for a table.
type NewTable struct {
	Visibility table.Visibility // empty: private
	Opponent   game.Kind        // empty: another person
	CPULevel   string           // of the CPU to play against; empty: medium
	Ranked     bool
	Choices    Choices
	ClientRef  string // the client's own name for this request, a UUID; empty: it has none
}

// Open opens a table with the caller in seat 1, or returns the one that an earlier request with the same ClientRef
// opened. A table against the CPU starts at once. The faults are invalid_request (a level without the CPU),
// rule_not_changeable, option_not_offered, cpu_table_not_ranked, client_ref_reused and too_many_tables.
func (s *Tables) Open(ctx context.Context, c Caller, request NewTable) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	request, err := opponent(request)
	if err != nil {
		return TableView{}, err
	}
	rules, err := s.rules.Now(ctx)
	if err != nil {
		return TableView{}, err
	}
	settings, err := choose(rules, game.Defaults(rules), request.Choices)
	if err != nil {
		return s.openedBefore(ctx, c, request, err)
	}
	host, err := own(ctx, s.players, c)
	if err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	o, err := s.uptime.Outages(ctx)
	if err != nil {
		return TableView{}, err
	}
	t, err := s.newTable(host, settings, request)
	if err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	drawn, due := t.ID, noTimer
	if t.Game != nil {
		due = s.saver.nextDue(*t.Game, o)
	}
	since := s.clock().Add(-clientRefLifetime)
	if t, err = s.store.OpenTable(ctx, t, due, s.openTables, since); err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	if err = request.opened(t); err != nil {
		return TableView{}, err
	}
	s.presence.heard(t.ID, game.HostSeat, s.clock())
	s.wakeups.table(t, due)
	view, err := s.view(ctx, c, t)
	view.Begun = t.ID == drawn
	return view, err
}

// newTable makes a table as requested; one against the CPU with its first game.
func (s *Tables) newTable(host profile.Profile, settings game.Settings, request NewTable) (table.Table, error) {
	now := s.clock()
	id, err := newID(now, s.random)
	if err != nil {
		return table.Table{}, err
	}
	code, err := table.NewInviteCode(s.random)
	if err != nil {
		return table.Table{}, wrap(err, "open a table")
	}
	if request.Visibility == "" {
		request.Visibility = table.Private
	}
	opening := table.Opening{
		ID: table.ID(id), Host: person(host, now), Visibility: request.Visibility, Invite: code, Ranked: request.Ranked,
		Settings: settings, ClientRef: request.ClientRef, ClientRequest: request.asked(),
	}
	if request.Opponent != game.CPU {
		return table.Open(opening, now), nil
	}
	gameID, err := newID(now, s.random)
	if err != nil {
		return table.Table{}, err
	}
	opponent := table.Seat{Kind: game.CPU, Level: request.CPULevel} //nolint:exhaustruct // the CPU has no presence
	return table.OpenSeated(opening, opponent, game.ID(gameID), draw(s.random)%2 == 1, now), nil
}

// person returns the seat of a person who sits down at a moment.
func person(p profile.Profile, at time.Time) table.Seat {
	return table.Seat{
		Kind: game.Human, Profile: p.ID, Name: p.Name, Rating: p.Standing.Rating, Level: "", Left: false, Seen: at, SaidAway: false,
	}
}
