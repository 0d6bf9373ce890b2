package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/table"
)

// SetPresence says that the caller is at a table or away from it.
func (s *server) SetPresence(ctx context.Context, r api.SetPresenceRequestObject) (api.SetPresenceResponseObject, error) {
	v, err := s.tables.SetPresence(ctx, callerOf(ctx), table.ID(r.TableID.String()), r.Body.State == api.PresenceChoiceAway)
	if err != nil {
		return nil, err
	}
	return api.SetPresence200JSONResponse(toTable(v)), nil
}
