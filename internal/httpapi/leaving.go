package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
)

// DeleteMe lets the caller leave for good.
func (s *server) DeleteMe(ctx context.Context, _ api.DeleteMeRequestObject) (api.DeleteMeResponseObject, error) {
	if err := s.leaving.Delete(ctx, callerOf(ctx)); err != nil {
		return nil, err
	}
	return api.DeleteMe204Response{}, nil
}
