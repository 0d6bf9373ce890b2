package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// GetInvite returns the table behind an invite code.
func (s *server) GetInvite(ctx context.Context, r api.GetInviteRequestObject) (api.GetInviteResponseObject, error) {
	c := callerOf(ctx)
	var v service.TableView
	err := s.limits.lookUpCode(ctx, c.Address, func() (err error) {
		v, err = s.tables.Invited(ctx, c, table.ParseInviteCode(r.InviteCode))
		return err
	})
	if err != nil {
		return nil, err
	}
	return api.GetInvite200JSONResponse(toTable(v)), nil
}
