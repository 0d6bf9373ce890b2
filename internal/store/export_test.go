package store

import (
	"context"
	"database/sql/driver"
)

// HoldUpdates lets updates of running games gather, until release sends them. Gathered says how many there are.
func (s *Store) HoldUpdates() (gathered func() int, release func()) {
	m := s.updates
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running = true
	gathered = func() int {
		m.mu.Lock()
		defer m.mu.Unlock()
		return len(m.next)
	}
	return gathered, m.goOn
}

// MigrateThrough migrates by connections that another connector opens.
func (s *Store) MigrateThrough(ctx context.Context, through func(driver.Connector) driver.Connector) error {
	usual := s.pools.migrator
	defer func() { s.pools.migrator = usual }()
	s.pools.migrator = through(usual)
	return s.Migrate(ctx)
}
