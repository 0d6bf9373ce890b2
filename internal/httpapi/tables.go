package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// OpenTable opens a table, or returns the one that the same request opened before.
func (s *server) OpenTable(ctx context.Context, r api.OpenTableRequestObject) (api.OpenTableResponseObject, error) {
	v, err := s.tables.Open(ctx, callerOf(ctx), newTableOf(r.Body))
	if err != nil {
		return nil, err
	}
	return api.OpenTable201JSONResponse{
		Body:    toTable(v),
		Headers: api.OpenTable201ResponseHeaders(located("/v1/tables/"+string(v.Table.ID), cacheAsk)),
	}, nil
}

func newTableOf(r *api.OpenTableRequest) service.NewTable {
	wish := service.NewTable{
		Visibility: "", Choices: service.Choices{FirstPlayer: nil, EndDeadPositions: nil}, ClientRef: "",
	}
	if r == nil {
		return wish
	}
	if r.Visibility != nil {
		wish.Visibility = table.Visibility(*r.Visibility)
	}
	if r.ClientRef != nil {
		wish.ClientRef = r.ClientRef.String()
	}
	if r.Settings != nil {
		wish.Choices = service.Choices{
			FirstPlayer: r.Settings.FirstPlayer, EndDeadPositions: r.Settings.EndDeadPositions,
		}
	}
	return wish
}

// ListTables returns a page of the lobby. The contract's defaults are in the request already.
func (s *server) ListTables(ctx context.Context, r api.ListTablesRequestObject) (api.ListTablesResponseObject, error) {
	page, err := s.tables.List(ctx, callerOf(ctx),
		table.Status(valueOf(r.Params.Status)), int(valueOf(r.Params.Limit)), valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	list := api.TableList{Items: make([]api.Table, 0, len(page.Tables)), NextCursor: optional(page.Next)}
	for _, v := range page.Tables {
		list.Items = append(list.Items, toTable(v))
	}
	return api.ListTables200JSONResponse{Body: list, Headers: api.ListTables200ResponseHeaders(personal())}, nil
}

// GetTable answers a poll of a table.
func (s *server) GetTable(ctx context.Context, r api.GetTableRequestObject) (api.GetTableResponseObject, error) {
	v, unchanged, err := s.tables.Follow(ctx, callerOf(ctx), table.ID(r.TableID.String()),
		pollOf(r.Params.AfterVersion, r.Params.Wait, r.Params.IfNoneMatch))
	if err != nil {
		return nil, err
	}
	if unchanged {
		return api.GetTable304Response{Headers: api.NotModifiedResponseHeaders(tagged(v.Table.Tag()))}, nil
	}
	return api.GetTable200JSONResponse{
		Body: toTable(v), Headers: api.GetTable200ResponseHeaders(tagged(v.Table.Tag())),
	}, nil
}
