package service

import (
	"context"
	"io"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Tables is what a caller may ask about tables and seats.
type Tables struct {
	store      TableStore
	games      GameStore
	players    ProfileStore
	rules      *Catalogue
	saver      *gameSaver
	presence   *PresenceLog
	uptime     *Uptime
	polls      *polls
	wakeups    *wakeups
	observe    Observer
	clock      func() time.Time
	random     io.Reader
	openTables int    // a profile may have
	publicURL  string // see Settings
}

// TableStore keeps tables. A table always comes with its running or last game and with what is known of its owners'
// presence.
type TableStore interface {
	// OpenTable stores a new table, and its game and that game's timer when it has one. When its host opened one with
	// the same ClientRef since refsSince, it stores nothing and returns that one. The fault is too_many_tables: the
	// host is seated at atMost open tables already.
	OpenTable(ctx context.Context, t table.Table, due time.Time, atMost int, refsSince time.Time) (table.Table, error)
	// Table returns a table. The fault is not_found.
	Table(ctx context.Context, id table.ID) (table.Table, error)
	// TableByInvite returns the table with an invite code. The fault is not_found.
	TableByInvite(ctx context.Context, code table.InviteCode) (table.Table, error)
	// TableByRef returns the table that a host opened with a ClientRef since a moment. The fault is not_found.
	TableByRef(ctx context.Context, host profile.ID, ref string, since time.Time) (table.Table, error)
	// PublicTables returns public tables, newest first. Of those that wait only the ones that are listed and whose host is
	// here: not said away, and seen, or the service up only since, within the grace; and none of quick match.
	PublicTables(ctx context.Context, l Lobby) ([]table.Table, error)
	// TablesOf returns the open tables a profile has a seat at, newest first.
	TablesOf(ctx context.Context, who profile.ID) ([]table.Table, error)
	// ChangeTable locks a table and its game, lets decide say what becomes of them, and stores that, all in one
	// transaction. What decide returns as an error comes back as it is and nothing is stored. decide may be called
	// again when the database asks for it.
	ChangeTable(ctx context.Context, id table.ID, decide func(table.Table) (TableChange, error)) (table.Table, error)
	// PassOver says in the log that a table was left alone by who works on many, because of an error that is ErrUnreadable:
	// one line a cause and minute.
	PassOver(ctx context.Context, err error)
	// IdleTables returns tables that wait or are between games and where nobody seated was seen for
	// table.IdleLimit, longest idle first.
	IdleTables(ctx context.Context, at time.Time, limit int) ([]table.ID, error)
	// UnlistDeserted makes public tables that wait be listed no more when their hosts are away for some seconds longer than
	// the grace. SeeOwners lists them again.
	UnlistDeserted(ctx context.Context, now, upSince time.Time) error
}

// TableView is a table as one caller sees it.
type TableView struct {
	Table     table.Table
	MySeat    game.Seat     // NoSeat for a watcher, who is shown no invite code
	URL       string        // a link to share; empty when the service has no public address
	Deadline  time.Time     // when the running turn ends; zero: nothing ends it
	PollAfter time.Duration // when to ask again without waiting …
	Polls     bool          // … if ever: false when nothing will change any more
	Begun     bool          // the request that this answers opened the table, or began its game
}

// Tag names what the caller is shown.
func (v TableView) Tag() string { return v.Table.TagFor(v.MySeat) }

// Follow answers a poll of a table. After waits for the table's own version, a tag for that of its game too. When
// the caller has seen this state already and said so by its tag, that tag is the answer, without a view.
func (s *Tables) Follow(ctx context.Context, c Caller, id table.ID, p Poll) (view *TableView, seen string, err error) {
	f := s.polls.follow(c, p, TableTopic(id))
	defer f.end()
	for {
		t, err := s.read(ctx, c, id)
		if err != nil {
			return nil, "", err
		}
		now := state{tag: t.Tag(), news: p.fresh(t.Version, t.TagFor(t.SeatOf(c.Profile))), seats: seatsAt(c, *t)}
		answers, err := f.answers(ctx, now)
		if err != nil {
			return nil, "", err
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

func (s *Tables) followed(ctx context.Context, c Caller, p Poll, t *table.Table, why end) (*TableView, string, error) {
	outages, err := s.uptime.Known(ctx) // also of an unchanged state: it notices that the service was down
	if err != nil {
		return nil, "", err
	}
	if tag := t.TagFor(t.SeatOf(c.Profile)); p.unchanged(tag) {
		return nil, tag, nil
	}
	view := s.viewWith(c, *t, why, outages)
	return &view, "", nil
}

// seatsAt returns the seats that a waiting request about tables counts for: none where the caller said away.
func seatsAt(c Caller, tables ...table.Table) []seatHere {
	seats := make([]seatHere, 0, len(tables))
	for _, t := range tables {
		if seat := t.SeatOf(c.Profile); seat != game.NoSeat && !t.Seats[seat-1].SaidAway {
			seats = append(seats, seatHere{table: t.ID, seat: seat, grace: t.Settings.CoverGrace, searches: t.Searching()})
		}
	}
	return seats
}

// Invited returns the table behind an invite code: while it waits to everybody, then to its two seats.
func (s *Tables) Invited(ctx context.Context, c Caller, code table.InviteCode) (TableView, error) {
	t, err := s.store.TableByInvite(ctx, code)
	if err != nil {
		return TableView{}, err
	}
	if t.Status != table.Waiting && t.SeatOf(c.Profile) == game.NoSeat {
		return TableView{}, hidden("table")
	}
	if t, err = s.arrive(ctx, c, t); err != nil {
		return TableView{}, err
	}
	return s.view(ctx, c, t)
}

// visible loads a table that the caller may see; its owner is here by asking for it.
func (s *Tables) visible(ctx context.Context, c Caller, id table.ID) (table.Table, error) {
	t, err := s.store.Table(ctx, id)
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
	s.presence.heard(t.ID, seat, s.clock())
	if err := s.stillSearching(ctx, t, seat); err != nil {
		return table.Table{}, err
	}
	if seat == game.NoSeat || t.Game == nil {
		return t, nil
	}
	g, err := s.saver.arrive(ctx, c, *t.Game, func() (game.Game, error) { return s.games.Game(ctx, t.Game.ID) })
	if err != nil {
		return table.Table{}, err
	}
	t.Game = &g
	return t, nil
}

func (s *Tables) view(ctx context.Context, c Caller, t table.Table) (TableView, error) {
	outages, err := s.uptime.Known(ctx)
	if err != nil {
		return TableView{}, err
	}
	return s.viewWith(c, t, answered, outages), nil
}

func (s *Tables) viewWith(c Caller, t table.Table, why end, o game.Outages) TableView {
	usual, polls := t.PollAfter()
	seat := t.SeatOf(c.Profile)
	view := TableView{
		Table: t, MySeat: seat, URL: s.url(t, seat), Deadline: time.Time{},
		PollAfter: s.polls.askAgain(usual, why), Polls: polls, Begun: false,
	}
	if t.Game != nil {
		view.Deadline = t.Game.DeadlineWith(o)
	}
	return view
}

// url returns the link to a table: one that lets a friend in for the seated of a private table.
func (s *Tables) url(t table.Table, seat game.Seat) string {
	switch {
	case s.publicURL == "", t.Visibility == table.Private && seat == game.NoSeat:
		return ""
	case t.Visibility == table.Private:
		return s.publicURL + "/i/" + string(t.Invite)
	default:
		return s.publicURL + "/t/" + string(t.ID)
	}
}
