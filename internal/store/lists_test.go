package store_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestLobbyListsWhatIsPublicAndOfTheStatus(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		host := guest(t, db, "Ola")
		first := waiting(t, db, host, table.Public)
		db.Clock.Advance(time.Microsecond)
		second := waiting(t, db, host, table.Public)
		waiting(t, db, host, table.Private)
		closed := waiting(t, db, host, table.Public)
		require.NoError(t, db.Store.CloseWaiting(t.Context(), closed.Close(table.HostLeft)))
		played, g := playing(t, db)
		hidden := waiting(t, db, host, table.Private)
		hidden, h := hidden.Sit(seat(guest(t, db, "Иван")), game.ID(newID(t)), false, db.Clock.Now())
		require.NoError(t, db.Store.TakeSeat(t.Context(), hidden, h, plenty))
		over, last := playing(t, db)
		_, err := db.Store.SaveEnd(t.Context(), last, resigned(t, db, last), table.GameOver)
		require.NoError(t, err)
		g = saved(t, db, g, "4")
		played.Game = table.Summarise(g)

		tests := []struct {
			status table.Status
			want   []table.Table
		}{
			{table.Waiting, []table.Table{second, first}},
			{table.Playing, []table.Table{played}},
			{table.Closed, []table.Table{}},
		}
		for _, test := range tests {
			t.Run(string(test.status), func(t *testing.T) {
				got, err := db.Store.PublicTables(t.Context(), test.status, service.Place{}, 100)
				require.NoError(t, err)
				assert.Equal(t, test.want, got)
				assert.NotContains(t, got, over)
			})
		}
	})
}

// Many tables of one moment, pages that split them, new ones between the pages: every old one comes exactly once.
func TestPagesMissNothingAndRepeatNothing(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		const old, added, page = 1000, 100, 7
		host := guest(t, db, "Ola")
		want := map[table.ID]int{}
		for _, id := range copies(t, db, waiting(t, db, host, table.Public), old) {
			want[id] = 1
		}
		came := 0
		read := pages(t, db, page, func() {
			if came < added {
				came += len(copies(t, db, waiting(t, db, host, table.Public), 5)) // of the same moment
			}
		})
		require.Equal(t, added, came)
		got := map[table.ID]int{}
		for _, one := range read {
			if want[one.ID] == 1 { // not a new one
				got[one.ID]++
			}
		}
		assert.Equal(t, want, got)
		assert.True(t, slices.IsSortedFunc(read, newestFirst))
	})
}

// copies stores a table many times over, around the Store since that is faster, and returns the ids of all.
func copies(tb testing.TB, db *testkit.Database, original table.Table, many int) []table.ID {
	tb.Helper()
	const insert = `INSERT INTO tables
		(id, version, status, visibility, first_player, end_dead_positions, seat1_profile, seat1_name, created)
		SELECT $1, version, status, visibility, first_player, end_dead_positions, seat1_profile, seat1_name, created
		FROM tables WHERE id = $2`
	tx, err := db.SQL(tb).BeginTx(tb.Context(), nil)
	require.NoError(tb, err)
	ids := []table.ID{original.ID}
	for len(ids) < many {
		id := newID(tb)
		_, err = tx.ExecContext(tb.Context(), insert, id, string(original.ID))
		require.NoError(tb, err)
		ids = append(ids, table.ID(id))
	}
	require.NoError(tb, tx.Commit())
	return ids
}

// pages reads the whole lobby page by page, and lets something happen after each.
func pages(tb testing.TB, db *testkit.Database, size int, meanwhile func()) []table.Table {
	tb.Helper()
	var (
		all   []table.Table
		place service.Place
	)
	for {
		list, err := db.Store.PublicTables(tb.Context(), table.Waiting, place, size)
		require.NoError(tb, err)
		all = append(all, list...)
		if len(list) < size {
			return all
		}
		last := list[size-1]
		place = service.Place{At: last.Created, ID: string(last.ID)}
		meanwhile()
	}
}

func newestFirst(a, b table.Table) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID))
}
