package store

import (
	"context"
	"database/sql/driver"
	"testing"

	"github.com/stretchr/testify/require"
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

// SchemaOf returns what there is in the schema, a line each.
func SchemaOf(tb testing.TB, s *Store) []string {
	tb.Helper()
	found, err := rows[schemaLine](s.reader.WithContext(tb.Context()), s.dialect.schema)
	require.NoError(tb, err)
	lines := make([]string, 0, len(found))
	for _, row := range found {
		lines = append(lines, row.line)
	}
	return lines
}
