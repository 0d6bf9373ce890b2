package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// TakeSeat seats the caller, or brings back who sits there already.
func (s *server) TakeSeat(ctx context.Context, r api.TakeSeatRequestObject) (api.TakeSeatResponseObject, error) {
	c, id := callerOf(ctx), table.ID(r.TableID.String())
	request := api.TakeSeatRequest{InviteCode: nil, SettingsVersion: nil}
	if r.Body != nil {
		request = *r.Body
	}
	var code table.InviteCode
	if request.InviteCode != nil {
		code = table.ParseInviteCode(*request.InviteCode)
	}
	var v service.TableView
	sit := func() (err error) {
		v, err = s.tables.TakeSeat(ctx, c, id, code, valueOf(request.SettingsVersion))
		return err
	}
	var err error
	if code == "" {
		err = sit()
	} else {
		err = s.limits.lookUpCode(ctx, c.Address, sit)
	}
	if err != nil {
		return nil, err
	}
	exchangeOf(ctx).repeats = !v.Begun
	return api.TakeSeat200JSONResponse(toTable(v)), nil
}

// LeaveSeat takes the caller away from a table.
func (s *server) LeaveSeat(ctx context.Context, r api.LeaveSeatRequestObject) (api.LeaveSeatResponseObject, error) {
	if err := s.tables.Leave(ctx, callerOf(ctx), table.ID(r.TableID.String())); err != nil {
		return nil, err
	}
	return api.LeaveSeat204Response{}, nil
}
