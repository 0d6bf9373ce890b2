package httpapi

import (
	"context"
	"fmt"

	"github.com/fourinarow/fourinarow/api"
)

// GetHealth says that the process answers.
func (*server) GetHealth(context.Context, api.GetHealthRequestObject) (api.GetHealthResponseObject, error) {
	return api.GetHealth200JSONResponse(api.Health{Status: "ok"}), nil
}

// GetReadiness says whether the service can work. The fault is unavailable.
func (s *server) GetReadiness(context.Context, api.GetReadinessRequestObject) (api.GetReadinessResponseObject, error) {
	if err := s.deps.Ready(); err != nil {
		return nil, fmt.Errorf("%w (%w)", away("the database stores nothing, or the service is about to stop"), err)
	}
	return api.GetReadiness200JSONResponse(api.Health{Status: "ready"}), nil
}
