package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestCancelledCallerIsToldSo(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := db.Store.Table(cancelled, room.ID)
	require.ErrorIs(t, err, context.Canceled)
	requireNoFault(t, err)
	_, err = db.Store.SaveGame(cancelled, g, played(t, db, g, "4"), noTimer)
	require.ErrorIs(t, err, context.Canceled)
	requireNoFault(t, err)
	expired, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err = db.Store.Table(expired, room.ID)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	requireNoFault(t, err)
	now, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Empty(t, now.Moves)
}

// Clients go away in the middle of everything; what had begun is finished, and nothing stays open.
func (conformance) TestCancelledCallersLeaveNoTransactionOpen(t *testing.T, db *testkit.Database) {
	for _, at := range []store.Kind{store.Begin, store.Write, store.Read} {
		ctx, cancel := context.WithCancel(t.Context())
		impatient := db.Open(t, func(o *store.Options) {
			o.Observe = func(_ context.Context, s store.Statement) {
				if s.Kind == at {
					cancel()
				}
			}
		})
		room, p := waiting(t, db, guest(t, db, "Ola"), table.Public), guest(t, db, "Иван")

		room, err := impatient.ChangeTable(ctx, room.ID, sitting(db, p, game.ID(newID(t)), false, plenty))

		require.NoError(t, err, "cancelled at its %s", at)
		stored, err := db.Store.Game(t.Context(), room.Game.ID)
		require.NoError(t, err)
		saved(t, db, stored, "4") // the writer is free
		for name, pool := range impatient.Pools() {
			assert.True(t, name == "writer" || pool.Stats().InUse == 0, "%s keeps a connection", name)
		}
		assert.Zero(t, idleInTransaction(t, db))
	}
}

func requireNoFault(tb testing.TB, err error) {
	tb.Helper()
	var f *fault.Error
	require.False(tb, errors.As(err, &f), "no fault: %v", err)
}
