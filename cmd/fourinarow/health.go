package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
)

const healthPatience = 3 * time.Second

// healthcheck asks the service that listens at LISTEN_ADDR whether it is ready.
func healthcheck(ctx context.Context, _ program, cfg config.Config) (err error) {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+cfg.Listen.Reachable()+"/readyz", http.NoBody)
	if err != nil {
		return fmt.Errorf("ask whether the service is ready: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask whether the service is ready: %w", err)
	}
	defer func() { err = joinClose(err, response.Body) }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the service is not ready: %s", response.Status)
	}
	return nil
}
