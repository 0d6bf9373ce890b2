package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
)

// StartQuickMatch seats the caller with somebody who wants the same, now or as soon as somebody comes.
func (s *server) StartQuickMatch(ctx context.Context, r api.StartQuickMatchRequestObject) (api.StartQuickMatchResponseObject, error) {
	request := service.QuickRequest{Ranked: false, MoveTimeLimitSeconds: nil}
	if r.Body != nil {
		request.Ranked, request.MoveTimeLimitSeconds = valueOf(r.Body.Ranked), intOf(r.Body.MoveTimeLimitSeconds)
	}
	v, err := s.matches.QuickMatch(ctx, callerOf(ctx), request)
	if err != nil {
		return nil, err
	}
	exchangeOf(ctx).repeats = !v.Begun
	return api.StartQuickMatch200JSONResponse(toTable(v)), nil
}

// StopQuickMatch gives up.
func (s *server) StopQuickMatch(ctx context.Context, _ api.StopQuickMatchRequestObject) (api.StopQuickMatchResponseObject, error) {
	if err := s.matches.StopQuickMatch(ctx, callerOf(ctx)); err != nil {
		return nil, err
	}
	return api.StopQuickMatch204Response{}, nil
}
