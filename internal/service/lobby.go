package service

import (
	"context"
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/table"
)

// Page is a part of the lobby.
type Page struct {
	Tables []TableView
	Next   string // where the next page begins; empty on the last one
}

// Lobby is which public tables are wanted.
type Lobby struct {
	Status        table.Status   // Waiting or Playing
	Ranked        *bool          // nil: whether they are or not
	MoveTimeLimit *time.Duration // nil: whatever it is
	After         Place
	Limit         int
	Now           time.Time // a host who was silent for the grace before it is away …
	UpSince       time.Time // … but for the silence before this
}

// list names the list that a cursor belongs to.
func (l Lobby) list() string {
	name := "tables " + string(l.Status)
	if l.Ranked != nil {
		name += " ranked " + strconv.FormatBool(*l.Ranked)
	}
	if l.MoveTimeLimit != nil {
		name += " clock " + strconv.Itoa(int(*l.MoveTimeLimit/time.Second))
	}
	return name
}

// List returns public tables that are played at, or wait and have their host there, newest first: at most l.Limit from a
// cursor on. The fault is invalid_request, about the cursor.
func (s *Tables) List(ctx context.Context, c Caller, l Lobby, cursor string) (Page, error) {
	var err error
	if l.After, err = parseCursor(l.list(), cursor); err != nil {
		return Page{}, err
	}
	o, err := s.uptime.Known(ctx)
	if err != nil {
		return Page{}, err
	}
	limit := l.Limit
	l.Limit, l.Now, l.UpSince = limit+1, s.clock(), o.UpSince()
	found, err := s.store.PublicTables(ctx, l)
	if err != nil {
		return Page{}, wrap(err, "list %s tables", l.Status)
	}
	page := Page{Tables: nil, Next: ""}
	if len(found) > limit {
		found = found[:limit]
		last := found[limit-1]
		page.Next = formatCursor(l.list(), Place{At: last.Created, ID: string(last.ID)})
	}
	page.Tables, err = s.views(ctx, c, found, answered)
	return page, err
}

// UnlistDeserted takes tables off the lobby whose hosts are away for long, so that nobody has to read past them.
func (s *Tables) UnlistDeserted(ctx context.Context) error {
	o, err := s.uptime.Outages(ctx)
	if err != nil {
		return err
	}
	return s.store.UnlistDeserted(ctx, s.clock(), o.UpSince())
}

func (s *Tables) views(ctx context.Context, c Caller, tables []table.Table, why end) ([]TableView, error) {
	o, err := s.uptime.Known(ctx)
	if err != nil {
		return nil, err
	}
	views := make([]TableView, 0, len(tables))
	for _, t := range tables {
		views = append(views, s.viewWith(c, t, why, o))
	}
	return views, nil
}
