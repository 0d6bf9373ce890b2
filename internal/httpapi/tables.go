package httpapi

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// OpenTable opens a table, or returns the one that the same request opened before.
func (s *server) OpenTable(ctx context.Context, r api.OpenTableRequestObject) (api.OpenTableResponseObject, error) {
	v, err := s.tables.Open(ctx, callerOf(ctx), newTableOf(r.Body))
	if err != nil {
		return nil, err
	}
	exchangeOf(ctx).repeats = !v.Begun
	return api.OpenTable201JSONResponse{
		Body:    toTable(v),
		Headers: api.OpenTable201ResponseHeaders{Location: "/v1/tables/" + string(v.Table.ID)},
	}, nil
}

func newTableOf(r *api.OpenTableRequest) service.NewTable {
	request := service.NewTable{
		Visibility: "", Opponent: "", CPULevel: "", Ranked: false, Choices: choicesOf(nil), ClientRef: "",
	}
	if r == nil {
		return request
	}
	request.Visibility = table.Visibility(valueOf(r.Visibility))
	request.Opponent, request.CPULevel = opponentOf(r.Opponent), string(valueOf(r.CPULevel))
	request.Ranked = valueOf(r.Ranked)
	request.Choices = choicesOf(r.Settings)
	if r.ClientRef != nil {
		request.ClientRef = r.ClientRef.String()
	}
	return request
}

// opponentOf reads whom to play against; a person when it is not said.
func opponentOf(o *api.OpponentChoice) game.Kind {
	if valueOf(o) == api.OpponentChoiceCPU {
		return game.CPU
	}
	return game.Human
}

func intOf(n *int32) *int {
	if n == nil {
		return nil
	}
	return new(int(*n))
}

// listedStatus returns which tables of the lobby are asked for; those that wait unless said.
func listedStatus(s *api.TableListStatus) table.Status {
	if s == nil {
		return table.Waiting
	}
	return table.Status(*s)
}

// UpdateTable changes the settings of a table.
func (s *server) UpdateTable(ctx context.Context, r api.UpdateTableRequestObject) (api.UpdateTableResponseObject, error) {
	v, err := s.tables.Change(ctx, callerOf(ctx), table.ID(r.TableID.String()), service.Edit{
		SettingsVersion: r.Body.SettingsVersion, Choices: choicesOf(r.Body.Settings), Ranked: r.Body.Ranked,
	})
	if err != nil {
		return nil, err
	}
	return api.UpdateTable200JSONResponse(toTable(v)), nil
}

// ListTables returns a page of the lobby.
func (s *server) ListTables(ctx context.Context, r api.ListTablesRequestObject) (api.ListTablesResponseObject, error) {
	wanted := service.Lobby{
		Status: listedStatus(r.Params.Status), Ranked: r.Params.Ranked, MoveTimeLimit: nil, After: service.Place{},
		Limit: pageSize(r.Params.Limit), Now: time.Time{}, UpSince: time.Time{},
	}
	if limit := r.Params.MoveTimeLimitSeconds; limit != nil {
		wanted.MoveTimeLimit = new(time.Duration(*limit) * time.Second)
	}
	page, err := s.tables.List(ctx, callerOf(ctx), wanted, valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	list := api.TableList{Items: make([]api.GameTable, 0, len(page.Tables)), NextCursor: optional(page.Next)}
	for _, v := range page.Tables {
		list.Items = append(list.Items, toTable(v))
	}
	return api.ListTables200JSONResponse(list), nil
}

// GetTable answers a poll of a table.
func (s *server) GetTable(ctx context.Context, r api.GetTableRequestObject) (api.GetTableResponseObject, error) {
	v, seen, err := s.tables.Follow(ctx, callerOf(ctx), table.ID(r.TableID.String()),
		pollOf(r.Params.AfterVersion, r.Params.Wait, r.Params.IfNoneMatch))
	if err != nil {
		return nil, err
	}
	if v == nil {
		return api.GetTable304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(seen)}}, nil
	}
	return followedTable(v), nil
}

// followedTable is the answer to a poll. It is made apart, so that one that waits keeps no room for it on its stack.
func followedTable(v *service.TableView) api.GetTableResponseObject {
	return api.GetTable200JSONResponse{
		Body: toTable(*v), Headers: api.GetTable200ResponseHeaders{ETag: etag(v.Tag())},
	}
}
