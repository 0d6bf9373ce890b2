package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestTableComesBackWhole(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		for _, name := range names {
			for _, visibility := range []table.Visibility{table.Public, table.Private} {
				want := newTable(t, db, guest(t, db, name), visibility)
				want.Settings = game.Settings{FirstPlayer: houserule.Random, EndDeadPositions: visibility == table.Private}
				want.ClientRef = newID(t)

				opened, err := db.Store.OpenTable(t.Context(), want, plenty, db.Clock.Now())

				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(want, opened), "(-wished +opened)")
				got, err := db.Store.Table(t.Context(), want.ID)
				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(want, got), "(-wished +read)")
			}
		}
	})
}

func TestTableShowsItsGame(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		for _, chance := range []bool{false, true} {
			room := waiting(t, db, guest(t, db, "Ola"), table.Public)
			room.Settings.FirstPlayer = houserule.Random
			room, g := room.Sit(seat(guest(t, db, "Иван")), game.ID(newID(t)), chance, db.Clock.Now())
			require.NoError(t, db.Store.TakeSeat(t.Context(), room, g, plenty))
			for _, column := range "4433" {
				got, err := db.Store.Table(t.Context(), room.ID)
				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(table.Summarise(g), got.Game))
				g = saved(t, db, g, string(column))
			}
		}
	})
}

func TestUnknownTableIsMissing(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		waiting(t, db, guest(t, db, "Ola"), table.Private)
		waiting(t, db, guest(t, db, "Ola"), table.Public)
		for _, id := range []table.ID{table.ID(newID(t)), "", "no-uuid"} {
			_, err := db.Store.Table(t.Context(), id)
			requireFault(t, err, fault.Missing, fault.NotFound)
		}
		for _, code := range []table.InviteCode{"", "0000000000", "%", "0000000000000"} {
			_, err := db.Store.TableByInvite(t.Context(), code)
			requireFault(t, err, fault.Missing, fault.NotFound)
		}
	})
}

func TestTableIsFoundByItsInviteCode(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		want := waiting(t, db, guest(t, db, "Ola"), table.Private)
		got, err := db.Store.TableByInvite(t.Context(), want.Invite)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	})
}

func TestOpenTableNeedsItsHost(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		nobody, _ := stranger(t, db, "Ola")
		_, err := db.Store.OpenTable(t.Context(), newTable(t, db, nobody, table.Public), plenty, db.Clock.Now())
		requireFault(t, err, fault.Missing, fault.NotFound)
	})
}

func TestRequestSentAgainOpensNoSecondTable(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		day := 24 * time.Hour
		host, ref := guest(t, db, "Ola"), newID(t)
		open := func(host profile.Profile, ref string, atMost int) (table.Table, error) {
			wish := newTable(t, db, host, table.Private)
			wish.ClientRef = ref
			return db.Store.OpenTable(t.Context(), wish, atMost, db.Clock.Now().Add(-day))
		}
		first, err := open(host, ref, 1)
		require.NoError(t, err)

		db.Clock.Advance(day)
		again, err := open(host, ref, 1)
		require.NoError(t, err, "also when there is no room for another table")
		assert.Equal(t, first, again)
		again, err = open(host, strings.ToUpper(ref), plenty)
		require.NoError(t, err)
		assert.Equal(t, first.ID, again.ID, "a UUID is the same in capitals")

		another, err := open(guest(t, db, "Иван"), ref, plenty)
		require.NoError(t, err)
		assert.NotEqual(t, first.ID, another.ID, "another player's name for a table is another name")
		another, err = open(host, newID(t), plenty)
		require.NoError(t, err)
		assert.NotEqual(t, first.ID, another.ID)
		for range 2 {
			unnamed, err := open(host, "", plenty)
			require.NoError(t, err)
			assert.NotEqual(t, first.ID, unnamed.ID, "no name at all is never the same")
		}

		db.Clock.Advance(time.Microsecond)
		later, err := open(host, ref, plenty)
		require.NoError(t, err)
		assert.NotEqual(t, first.ID, later.ID, "after a day the name is free again")
		again, err = open(host, ref, plenty)
		require.NoError(t, err)
		assert.Equal(t, later.ID, again.ID)
		freed, err := db.Store.Table(t.Context(), first.ID)
		require.NoError(t, err)
		assert.Empty(t, freed.ClientRef)
		assert.Equal(t, first.Version, freed.Version)
	})
}

func TestRequestSentAgainShowsTheTableAsItIsNow(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		wish := newTable(t, db, guest(t, db, "Ola"), table.Public)
		wish.ClientRef = newID(t)
		room, err := db.Store.OpenTable(t.Context(), wish, plenty, db.Clock.Now())
		require.NoError(t, err)
		room, g := room.Sit(seat(guest(t, db, "Иван")), game.ID(newID(t)), false, db.Clock.Now())
		require.NoError(t, db.Store.TakeSeat(t.Context(), room, g, plenty))

		wish.ID = table.ID(newID(t))
		again, err := db.Store.OpenTable(t.Context(), wish, plenty, wish.Created)

		require.NoError(t, err)
		assert.Empty(t, cmp.Diff(room, again))
	})
}

func TestOpenTablesAreLimitedOverBothSeats(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		const atMost = 3
		p := guest(t, db, "Ola")
		open := func() (table.Table, error) {
			return db.Store.OpenTable(t.Context(), newTable(t, db, p, table.Public), atMost, db.Clock.Now())
		}
		join := func() error {
			room := waiting(t, db, guest(t, db, "Иван"), table.Public)
			room, g := room.Sit(seat(p), game.ID(newID(t)), false, db.Clock.Now())
			return db.Store.TakeSeat(t.Context(), room, g, atMost)
		}
		require.NoError(t, join())
		second, err := open()
		require.NoError(t, err)
		require.NoError(t, join())

		_, err = open()
		requireFault(t, err, fault.Conflict, fault.TooManyTables)
		assert.Contains(t, err.Error(), "at most 3 ")
		err = join()
		requireFault(t, err, fault.Conflict, fault.TooManyTables)
		assert.Contains(t, err.Error(), "at most 3 ")

		require.NoError(t, db.Store.CloseWaiting(t.Context(), second.Close(table.HostLeft)))
		require.NoError(t, join(), "a closed table counts no more")
		_, err = open()
		requireFault(t, err, fault.Conflict, fault.TooManyTables)
	})
}

func TestClosingIsRefusedWhenTheTableHasChanged(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		tests := []struct {
			when      string
			meanwhile func(t *testing.T, room table.Table)
		}{
			{"somebody sat down", func(t *testing.T, room table.Table) {
				t.Helper()
				room, g := room.Sit(seat(guest(t, db, "Иван")), game.ID(newID(t)), false, db.Clock.Now())
				require.NoError(t, db.Store.TakeSeat(t.Context(), room, g, plenty))
			}},
			{"it closed", func(t *testing.T, room table.Table) {
				t.Helper()
				require.NoError(t, db.Store.CloseWaiting(t.Context(), room.Close(table.PlayerLeft)))
			}},
		}
		for _, test := range tests {
			t.Run(test.when, func(t *testing.T) {
				room := waiting(t, db, guest(t, db, "Ola"), table.Private)
				test.meanwhile(t, room)
				before, err := db.Store.Table(t.Context(), room.ID)
				require.NoError(t, err)

				require.ErrorIs(t, db.Store.CloseWaiting(t.Context(), room.Close(table.HostLeft)), service.ErrChanged)

				after, err := db.Store.Table(t.Context(), room.ID)
				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(before, after), "nothing changed")
			})
		}
	})
}

func TestClosedTableComesBackWhole(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		want := waiting(t, db, guest(t, db, "Ola"), table.Private).Close(table.HostLeft)
		require.NoError(t, db.Store.CloseWaiting(t.Context(), want))
		got, err := db.Store.TableByInvite(t.Context(), want.Invite)
		require.NoError(t, err)
		assert.Empty(t, cmp.Diff(want, got))
	})
}
