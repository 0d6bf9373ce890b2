package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestTakeSeatStartsTheGame(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		for _, name := range names {
			room := waiting(t, db, guest(t, db, "Ola"), table.Private)
			room, g := room.Sit(seat(guest(t, db, name)), game.ID(newID(t)), false, db.Clock.Now())

			require.NoError(t, db.Store.TakeSeat(t.Context(), room, g, 1))

			gotTable, err := db.Store.Table(t.Context(), room.ID)
			require.NoError(t, err)
			assert.Empty(t, cmp.Diff(room, gotTable), "(-taken +read)")
			gotGame, err := db.Store.Game(t.Context(), g.ID)
			require.NoError(t, err)
			assert.Empty(t, cmp.Diff(g, gotGame), "(-started +read)")
		}
	})
}

func TestTakeSeatIsRefusedWhenTheTableHasChanged(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		tests := []struct {
			when      string
			meanwhile func(t *testing.T, room table.Table) table.Table
		}{
			{"somebody sat down", func(t *testing.T, room table.Table) table.Table {
				t.Helper()
				taken, g := room.Sit(seat(guest(t, db, "Иван")), game.ID(newID(t)), false, db.Clock.Now())
				require.NoError(t, db.Store.TakeSeat(t.Context(), taken, g, plenty))
				return room
			}},
			{"the host left", func(t *testing.T, room table.Table) table.Table {
				t.Helper()
				require.NoError(t, db.Store.CloseWaiting(t.Context(), room.Close(table.HostLeft)))
				return room
			}},
			{"it is another version", func(_ *testing.T, room table.Table) table.Table {
				room.Version++
				return room
			}},
			{"there is no such table", func(t *testing.T, room table.Table) table.Table {
				t.Helper()
				room.ID = table.ID(newID(t))
				return room
			}},
		}
		for _, test := range tests {
			t.Run(test.when, func(t *testing.T) {
				stored := waiting(t, db, guest(t, db, "Ola"), table.Public)
				room := test.meanwhile(t, stored)
				before, err := db.Store.Table(t.Context(), stored.ID)
				require.NoError(t, err)
				room, g := room.Sit(seat(guest(t, db, "李雷")), game.ID(newID(t)), false, db.Clock.Now())

				require.ErrorIs(t, db.Store.TakeSeat(t.Context(), room, g, plenty), service.ErrChanged)

				after, err := db.Store.Table(t.Context(), stored.ID)
				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(before, after), "nothing changed")
				_, err = db.Store.Game(t.Context(), g.ID)
				requireFault(t, err, fault.Missing, fault.NotFound)
			})
		}
	})
}

func TestGuestWithTooManyTablesTakesNothing(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		p := guest(t, db, "Иван")
		waiting(t, db, p, table.Public)
		stored := waiting(t, db, guest(t, db, "Ola"), table.Public)
		room, g := stored.Sit(seat(p), game.ID(newID(t)), false, db.Clock.Now())

		requireFault(t, db.Store.TakeSeat(t.Context(), room, g, 1), fault.Conflict, fault.TooManyTables)

		after, err := db.Store.Table(t.Context(), stored.ID)
		require.NoError(t, err)
		assert.Empty(t, cmp.Diff(stored, after), "nothing changed")
		_, err = db.Store.Game(t.Context(), g.ID)
		requireFault(t, err, fault.Missing, fault.NotFound)
	})
}
