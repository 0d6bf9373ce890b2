package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/table"
)

// Page is a part of the lobby.
type Page struct {
	Tables []TableView
	Next   string // where the next page begins; empty on the last one
}

// List returns public tables that are played at, or wait and have their host there, newest first. The fault is
// invalid_request, about the cursor.
func (s *Tables) List(ctx context.Context, c Caller, status table.Status, limit int, cursor string) (Page, error) {
	list := "tables " + string(status)
	after, err := parseCursor(list, cursor)
	if err != nil {
		return Page{}, err
	}
	o, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return Page{}, err
	}
	found, err := s.deps.Tables.PublicTables(ctx, status, after, limit+1, s.deps.Clock(), o.UpSince())
	if err != nil {
		return Page{}, wrap(err, "list %s tables", status)
	}
	page := Page{Tables: nil, Next: ""}
	if len(found) > limit {
		found = found[:limit]
		last := found[limit-1]
		page.Next = formatCursor(list, Place{At: last.Created, ID: string(last.ID)})
	}
	page.Tables, err = s.views(ctx, c, found, answered)
	return page, err
}

func (s *Tables) views(ctx context.Context, c Caller, tables []table.Table, why end) ([]TableView, error) {
	o, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return nil, err
	}
	views := make([]TableView, 0, len(tables))
	for _, t := range tables {
		views = append(views, s.viewWith(c, t, why, o))
	}
	return views, nil
}
