package httpapi

import (
	"context"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/api"
)

// readyWithin is how long the database has to answer before the service counts as not ready.
const readyWithin = 2 * time.Second

// GetHealth says that the process answers.
func (*server) GetHealth(context.Context, api.GetHealthRequestObject) (api.GetHealthResponseObject, error) {
	return api.GetHealth200JSONResponse(api.Health{Status: "ok"}), nil
}

// GetReadiness says whether the service can work. The fault is unavailable.
func (s *server) GetReadiness(ctx context.Context, _ api.GetReadinessRequestObject) (api.GetReadinessResponseObject, error) {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	if err := s.deps.Ready(ctx); err != nil {
		return nil, fmt.Errorf("%w (%w)", away("the database does not answer, or the service is about to stop"), err)
	}
	return api.GetReadiness200JSONResponse(api.Health{Status: "ready"}), nil
}
