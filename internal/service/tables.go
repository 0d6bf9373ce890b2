package service

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Tables is what a caller may ask about tables and seats.
type Tables struct{ deps Deps }

// NewTables returns the methods about tables.
func NewTables(d Deps) *Tables { return &Tables{deps: d} }

// TableView is a table as one caller sees it.
type TableView struct {
	Table     table.Table
	MySeat    game.Seat     // NoSeat for a watcher, who is shown no invite code
	URL       string        // a link to share; empty when the service has no public address
	Deadline  time.Time     // when the running turn ends; zero: nothing ends it
	PollAfter time.Duration // when to ask again without waiting …
	Polls     bool          // … if ever: false when nothing will change any more
}

// NewTable is a wish for a table.
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
func (s *Tables) Open(ctx context.Context, c Caller, wish NewTable) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	wish, err := opponent(wish)
	if err != nil {
		return TableView{}, err
	}
	rules, err := s.deps.Rules.Now(ctx)
	if err != nil {
		return TableView{}, err
	}
	settings, err := choose(rules, game.Defaults(rules), wish.Choices)
	if err != nil {
		return s.openedBefore(ctx, c, wish, err)
	}
	host, err := s.deps.own(ctx, c)
	if err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	o, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return TableView{}, err
	}
	t, err := s.newTable(host, settings, wish)
	if err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	look := noLook
	if t.Game != nil {
		look = s.deps.lookWith(*t.Game, o)
	}
	since := s.deps.Clock().Add(-clientRefLifetime)
	if t, err = s.deps.Tables.OpenTable(ctx, t, look, s.deps.Settings.OpenTables, since); err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	if err = wish.opened(t); err != nil {
		return TableView{}, err
	}
	s.deps.Attendance.heard(t.ID, game.HostSeat, s.deps.Clock())
	s.wake(t, look)
	return s.view(ctx, c, t, answered)
}

// Tag names what the caller is shown.
func (v TableView) Tag() string { return v.Table.TagFor(v.MySeat) }

// Follow answers a poll of a table. After waits for the table's own version, a tag for that of its game too. The
// second result is true when the caller has seen this state already and said so by a tag.
func (s *Tables) Follow(ctx context.Context, c Caller, id table.ID, p Poll) (*TableView, bool, error) {
	f := s.deps.follow(c, p, TableTopic(id))
	defer f.end()
	for {
		t, err := s.read(ctx, c, id)
		if err != nil {
			return nil, false, err
		}
		now := state{tag: t.Tag(), news: p.fresh(t.Version, t.TagFor(t.SeatOf(c.Profile))), seats: seatsAt(c, *t)}
		answers, err := f.answers(ctx, now)
		if err != nil {
			return nil, false, err
		}
		if answers {
			return s.followed(ctx, c, p, t, f.why)
		}
	}
}

func (s *Tables) read(ctx context.Context, c Caller, id table.ID) (*table.Table, error) {
	t, err := s.visible(ctx, c, id)
	return &t, err
}

func (s *Tables) followed(ctx context.Context, c Caller, p Poll, t *table.Table, why end) (*TableView, bool, error) {
	view, err := s.view(ctx, c, *t, why)
	return &view, p.unchanged(view.Tag()), err
}

// seatsAt returns the seats that a waiting request about tables counts for: none where the caller said away.
func seatsAt(c Caller, tables ...table.Table) []seatHere {
	seats := make([]seatHere, 0, len(tables))
	for _, t := range tables {
		if seat := t.SeatOf(c.Profile); seat != game.NoSeat && !t.Seats[seat-1].SaidAway {
			seats = append(seats, seatHere{table: t.ID, seat: seat, searches: t.Searching()})
		}
	}
	return seats
}

// Invited returns the table behind an invite code: while it waits to everybody, then to its two seats.
func (s *Tables) Invited(ctx context.Context, c Caller, code table.InviteCode) (TableView, error) {
	t, err := s.deps.Tables.TableByInvite(ctx, code)
	if err != nil {
		return TableView{}, err
	}
	if t.Status != table.Waiting && t.SeatOf(c.Profile) == game.NoSeat {
		return TableView{}, hidden("table")
	}
	if t, err = s.arrive(ctx, c, t); err != nil {
		return TableView{}, err
	}
	return s.view(ctx, c, t, answered)
}

// visible loads a table that the caller may see; its owner is here by asking for it.
func (s *Tables) visible(ctx context.Context, c Caller, id table.ID) (table.Table, error) {
	t, err := s.deps.Tables.Table(ctx, id)
	if err != nil {
		return table.Table{}, err
	}
	if !t.VisibleTo(c.Profile) {
		return table.Table{}, table.Unknown()
	}
	return s.arrive(ctx, c, t)
}

// arrive notes that the caller has talked about a table, and lets its game follow.
func (s *Tables) arrive(ctx context.Context, c Caller, t table.Table) (table.Table, error) {
	seat := t.SeatOf(c.Profile)
	s.deps.Attendance.heard(t.ID, seat, s.deps.Clock())
	if err := s.stillSearching(ctx, t, seat); err != nil {
		return table.Table{}, err
	}
	if seat == game.NoSeat || t.Game == nil {
		return t, nil
	}
	g, err := s.deps.arrive(ctx, c, *t.Game, func() (game.Game, error) { return s.deps.Games.Game(ctx, t.Game.ID) })
	if err != nil {
		return table.Table{}, err
	}
	t.Game = &g
	return t, nil
}

// wake wakes requests that wait for a table, its game or a list with it, and the worker when it has to look.
func (s *Tables) wake(t table.Table, look time.Time) {
	s.deps.Waiters.Wake(topicsAt(t)...)
	if !look.IsZero() {
		s.deps.Due(look)
	}
}

func (s *Tables) view(ctx context.Context, c Caller, t table.Table, why end) (TableView, error) {
	outages, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return TableView{}, err
	}
	return s.viewWith(c, t, why, outages), nil
}

func (s *Tables) viewWith(c Caller, t table.Table, why end, o game.Outages) TableView {
	usual, polls := t.PollAfter()
	seat := t.SeatOf(c.Profile)
	view := TableView{
		Table: t, MySeat: seat, URL: s.deps.Settings.url(t, seat), Deadline: time.Time{},
		PollAfter: s.deps.pollAfter(usual, why), Polls: polls,
	}
	if t.Game != nil {
		view.Deadline = t.Game.DeadlineWith(o)
	}
	return view
}

// url returns the link to a table: one that lets a friend in for the seated of a private table.
func (s Settings) url(t table.Table, seat game.Seat) string {
	switch {
	case s.PublicURL == "", t.Visibility == table.Private && seat == game.NoSeat:
		return ""
	case t.Visibility == table.Private:
		return s.PublicURL + "/i/" + string(t.Invite)
	default:
		return s.PublicURL + "/t/" + string(t.ID)
	}
}
