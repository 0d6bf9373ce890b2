package httpapi

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
)

// ListMyTables answers a poll of all the caller's tables.
func (s *server) ListMyTables(ctx context.Context, r api.ListMyTablesRequestObject) (api.ListMyTablesResponseObject, error) {
	mine, err := s.tables.Mine(ctx, callerOf(ctx), service.MyPoll{
		After: valueOf(r.Params.AfterState), Wait: time.Duration(valueOf(r.Params.Wait)) * time.Second,
		Turn: valueOf(r.Params.Turn) == api.TurnFilterMine,
	})
	if err != nil {
		return nil, err
	}
	list := api.MyTables{
		Items: make([]api.GameTable, 0, len(mine.Tables)), State: mine.State, PollAfterMs: int32Of(mine.PollAfter.Milliseconds()),
	}
	for _, v := range mine.Tables {
		list.Items = append(list.Items, toTable(v))
	}
	return api.ListMyTables200JSONResponse(list), nil
}
