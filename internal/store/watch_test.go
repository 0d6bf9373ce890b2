package store_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestSlowStatementIsLoggedWithoutWhatItIsAbout(t *testing.T, db *testkit.Database) {
	tests := []struct {
		took time.Duration
		want bool
	}{{499 * time.Millisecond, false}, {500 * time.Millisecond, true}}
	for _, test := range tests {
		var log bytes.Buffer
		var seen []store.Statement
		s := db.Open(t, func(o *store.Options) {
			o.Logger = slog.New(slog.NewTextHandler(&log, nil))
			o.Clock = func() time.Time { return db.Clock.Advance(test.took) } // each reading of the clock takes that long
			o.Observe = func(_ context.Context, s store.Statement) { seen = append(seen, s) }
		})
		log.Reset()
		p, d := stranger(t, db, "Unmistakable")
		require.NoError(t, s.OpenProfile(t.Context(), p, d))

		require.Len(t, seen, 4)
		for _, statement := range seen {
			assert.Equal(t, test.took, statement.Took)
			assert.NoError(t, statement.Err)
		}
		assert.Equal(t, test.want, bytes.Contains(log.Bytes(), []byte("slow statement")), log.String())
		assert.NotContains(t, log.String(), "Unmistakable")
		assert.NotContains(t, log.String(), string(p.ID))
	}
}

func (conformance) TestFailedStatementIsObservedToo(t *testing.T, db *testkit.Database) {
	var mu sync.Mutex
	failed := map[store.Kind]int{}
	s := db.Open(t, func(o *store.Options) {
		o.Observe = func(_ context.Context, s store.Statement) {
			mu.Lock()
			defer mu.Unlock()
			if s.Err != nil {
				failed[s.Kind]++
			}
		}
	})
	p, d := stranger(t, db, "Ola")
	require.NoError(t, s.OpenProfile(t.Context(), p, d))
	require.Error(t, s.OpenProfile(t.Context(), p, d))
	assert.Equal(t, map[store.Kind]int{store.Write: 3}, failed, "a key that is taken is looked at again, twice")
}

func (conformance) TestPoolsAreThereToBeCounted(t *testing.T, db *testkit.Database) {
	waiting(t, db, guest(t, db, "Ola"), table.Public)
	most := 0
	for name, pool := range db.Store.Pools() {
		stats := pool.Stats()
		most += stats.MaxOpenConnections
		assert.True(t, name == "writer" || stats.InUse == 0, "%s keeps a connection", name)
	}
	assert.GreaterOrEqual(t, most, db.Config.Connections)
}
