package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
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
	PollAfter time.Duration // when to ask again without waiting …
	Polls     bool          // … if ever: false when nothing will change any more
}

// Choices are what a host chooses for a table; nil leaves it to the service's default.
type Choices struct {
	FirstPlayer      *string
	EndDeadPositions *bool
}

// NewTable is a wish for a table.
type NewTable struct {
	Visibility table.Visibility // empty: private
	Choices    Choices
	ClientRef  string // the client's own name for this request, a UUID; empty: it has none
}

// clientRefLifetime is how long a repeated request for a table is answered with the one it opened.
const clientRefLifetime = 24 * time.Hour

// Open opens a table with the caller in seat 1, or returns the one that an earlier request with the same ClientRef
// opened. The faults are rule_not_changeable, option_not_offered and too_many_tables.
func (s *Tables) Open(ctx context.Context, c Caller, wish NewTable) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	settings, err := choose(s.deps.Rules, wish.Choices)
	if err != nil {
		return TableView{}, err
	}
	host, err := s.deps.Profiles.Profile(ctx, c.Profile)
	if err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	now := s.deps.Clock()
	id, err := newID(now, s.deps.Random)
	if err != nil {
		return TableView{}, err
	}
	code, err := table.NewInviteCode(s.deps.Random)
	if err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	if wish.Visibility == "" {
		wish.Visibility = table.Private
	}
	t := table.Open(table.Opening{
		ID: table.ID(id), Host: table.Seat{Profile: host.ID, Name: host.Name}, Visibility: wish.Visibility,
		Invite: code, Settings: settings, ClientRef: wish.ClientRef,
	}, now)
	t, err = s.deps.Tables.OpenTable(ctx, t, s.deps.Settings.OpenTables, now.Add(-clientRefLifetime))
	if err != nil {
		return TableView{}, wrap(err, "open a table")
	}
	return s.view(c, t, answered), nil
}

// Follow answers a poll of a table. After waits for the table's own version, a tag for that of its game too. The
// second result is true when the caller has seen this state already and said so by a tag.
func (s *Tables) Follow(ctx context.Context, c Caller, id table.ID, p Poll) (TableView, bool, error) {
	t, why, err := watch(ctx, s.deps, c, p, []string{string(id)}, func() (table.Table, bool, error) {
		t, err := s.visible(ctx, c, id)
		return t, p.fresh(t.Version, t.Tag()), err
	})
	if err != nil {
		return TableView{}, false, err
	}
	return s.view(c, t, why), p.unchanged(t.Tag()), nil
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
	return s.view(c, t, answered), nil
}

// Page is a part of the lobby.
type Page struct {
	Tables []TableView
	Next   string // where the next page begins; empty on the last one
}

// List returns public tables that wait or are played at, newest first. The fault is invalid_request, about the
// cursor.
func (s *Tables) List(ctx context.Context, c Caller, status table.Status, limit int, cursor string) (Page, error) {
	list := "tables " + string(status)
	after, err := parseCursor(list, cursor)
	if err != nil {
		return Page{}, err
	}
	found, err := s.deps.Tables.PublicTables(ctx, status, after, limit+1)
	if err != nil {
		return Page{}, wrap(err, "list %s tables", status)
	}
	page := Page{Tables: make([]TableView, 0, limit), Next: ""}
	if len(found) > limit {
		found = found[:limit]
		last := found[limit-1]
		page.Next = formatCursor(list, Place{At: last.Created, ID: string(last.ID)})
	}
	for _, t := range found {
		page.Tables = append(page.Tables, s.view(c, t, answered))
	}
	return page, nil
}

// choose returns the settings of a table. The faults are those of houserule.Catalogue.Choose.
func choose(rules houserule.Catalogue, c Choices) (game.Settings, error) {
	settings := game.Defaults(rules)
	if c.FirstPlayer != nil {
		if err := rules.Choose(houserule.FirstPlayer, *c.FirstPlayer); err != nil {
			return game.Settings{}, err
		}
		settings.FirstPlayer = *c.FirstPlayer
	}
	if c.EndDeadPositions != nil {
		if err := rules.Choose(houserule.EndDeadPositions, houserule.Switch(*c.EndDeadPositions)); err != nil {
			return game.Settings{}, err
		}
		settings.EndDeadPositions = *c.EndDeadPositions
	}
	return settings, nil
}

// visible loads a table that the caller may see.
func (s *Tables) visible(ctx context.Context, c Caller, id table.ID) (table.Table, error) {
	t, err := s.deps.Tables.Table(ctx, id)
	if err != nil {
		return table.Table{}, err
	}
	if !t.VisibleTo(c.Profile) {
		return table.Table{}, table.Unknown()
	}
	return t, nil
}

func (s *Tables) view(c Caller, t table.Table, why end) TableView {
	usual, polls := t.PollAfter()
	seat := t.SeatOf(c.Profile)
	return TableView{
		Table: t, MySeat: seat, URL: s.deps.Settings.url(t, seat),
		PollAfter: s.deps.pollAfter(usual, why), Polls: polls,
	}
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

// conflict adds the table to a fault about its state, where the caller may read it.
func (s *Tables) conflict(c Caller, t table.Table, err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Kind == fault.Conflict && t.VisibleTo(c.Profile) {
		return &TableConflictError{Fault: f, Table: s.view(c, t, answered)}
	}
	return err
}
