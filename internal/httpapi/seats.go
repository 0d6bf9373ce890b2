package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/table"
)

// TakeSeat seats the caller, or returns the table to who sits there already.
func (s *server) TakeSeat(ctx context.Context, r api.TakeSeatRequestObject) (api.TakeSeatResponseObject, error) {
	c, id := callerOf(ctx), table.ID(r.TableID.String())
	var code table.InviteCode
	if r.Body != nil && r.Body.InviteCode != nil {
		code = table.ParseInviteCode(*r.Body.InviteCode)
	}
	v, err := s.tables.TakeSeat(ctx, c, id, code)
	if err != nil && code != "" {
		err = s.limits.countCode(c, err)
	}
	if err != nil {
		return nil, err
	}
	return api.TakeSeat200JSONResponse{Body: toTable(v), Headers: api.TakeSeat200ResponseHeaders(personal())}, nil
}

// LeaveSeat takes the caller away from a table.
func (s *server) LeaveSeat(ctx context.Context, r api.LeaveSeatRequestObject) (api.LeaveSeatResponseObject, error) {
	if err := s.tables.Leave(ctx, callerOf(ctx), table.ID(r.TableID.String())); err != nil {
		return nil, err
	}
	return api.LeaveSeat204Response{Headers: api.LeaveSeat204ResponseHeaders(personal())}, nil
}
