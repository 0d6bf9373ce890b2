package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// AgreeRematch takes an agreement to another game.
func (s *server) AgreeRematch(ctx context.Context, r api.AgreeRematchRequestObject) (api.AgreeRematchResponseObject, error) {
	v, err := s.tables.Agree(ctx, callerOf(ctx), table.ID(r.TableID.String()), game.ID(r.Body.GameID.String()),
		valueOf(r.Body.SettingsVersion))
	if err != nil {
		return nil, err
	}
	exchangeOf(ctx).repeats = !v.Begun
	return api.AgreeRematch200JSONResponse(toTable(v)), nil
}

// WithdrawRematch takes an agreement back.
func (s *server) WithdrawRematch(ctx context.Context, r api.WithdrawRematchRequestObject) (api.WithdrawRematchResponseObject, error) {
	v, err := s.tables.TakeBack(ctx, callerOf(ctx), table.ID(r.TableID.String()), game.ID(r.Params.GameID.String()))
	if err != nil {
		return nil, err
	}
	return api.WithdrawRematch200JSONResponse(toTable(v)), nil
}
