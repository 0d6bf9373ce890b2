package store

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
)

// ClockOffset returns how far the database's clock is ahead of a local one: what to add so that all replicas of one
// database agree on the time. SQLite has no clock of its own.
func (s *Store) ClockOffset(ctx context.Context, u config.DatabaseURL, local func() time.Time) (time.Duration, error) {
	if u.Dialect() != config.Postgres {
		return 0, nil
	}
	asked := local()
	micros, err := read[int64](ctx, s, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
	if err != nil {
		return 0, err
	}
	answered := local()
	return time.UnixMicro(micros[0]).Sub(asked.Add(answered.Sub(asked) / 2)), nil
}
