package store_test

import (
	"cmp"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// listed reads the lobby as if the service had been up for ever.
func listed(tb testing.TB, db *testkit.Database, status table.Status, after service.Place, limit int) []table.Table {
	tb.Helper()
	list, err := db.Store.PublicTables(tb.Context(), service.Lobby{Status: status, After: after, Limit: limit, Now: db.Clock.Now()})
	require.NoError(tb, err)
	return list
}

func (conformance) TestLobbyListsWhatIsPublicAndOfTheStatus(t *testing.T, db *testkit.Database) {
	host := guest(t, db, "Ola")
	first := waiting(t, db, host, table.Public)
	db.Clock.Advance(time.Microsecond)
	second := waiting(t, db, host, table.Public)
	waiting(t, db, host, table.Private)
	closed(t, db, waiting(t, db, host, table.Public).ID, table.HostLeft)
	room, g := playing(t, db)
	taken(t, db, waiting(t, db, host, table.Private), guest(t, db, "Иван"))
	_, last := playing(t, db)
	ended(t, db, last, resigned(t, db, last))
	g = saved(t, db, g, "4")
	room.Game = &g
	room.Seats[0].Seen, room.Seats[1].Seen = time.Time{}, time.Time{} // nobody asks for that where a game runs

	tests := []struct {
		status table.Status
		want   []table.Table
	}{
		{table.Waiting, []table.Table{second, first}},
		{table.Playing, []table.Table{room}},
	}
	for _, test := range tests {
		t.Run(string(test.status), func(t *testing.T) {
			assert.Equal(t, test.want, listed(t, db, test.status, service.Place{}, 100))
		})
	}
}

func (conformance) TestLobbyOffersTablesWhoseHostIsThere(t *testing.T, db *testkit.Database) {
	room := waiting(t, db, guest(t, db, "Ola"), table.Public)
	opened, grace := db.Clock.Now(), room.Settings.CoverGrace
	offered := func(now, upSince time.Time) bool {
		list, err := db.Store.PublicTables(t.Context(), service.Lobby{Status: table.Waiting, Limit: 10, Now: now, UpSince: upSince})
		require.NoError(t, err)
		return len(list) == 1
	}
	say := func(away bool) {
		change(t, db, room.ID, func(found table.Table) service.TableChange {
			return service.TableChange{Table: found, Presence: &service.PresenceSaid{Seat: game.HostSeat, Away: away, At: opened}}
		})
	}
	assert.True(t, offered(opened, time.Time{}))
	assert.True(t, offered(opened.Add(grace-time.Microsecond), time.Time{}))
	assert.False(t, offered(opened.Add(grace), time.Time{}), "silent for the grace")
	assert.True(t, offered(opened.Add(grace), opened.Add(time.Second)), "but the service was down")
	assert.False(t, offered(opened.Add(grace+time.Second), opened.Add(time.Second)))

	require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{{Table: room.ID, Seat: game.HostSeat, At: opened.Add(time.Hour)}}))
	assert.True(t, offered(opened.Add(time.Hour), opened))
	say(true)
	assert.False(t, offered(opened.Add(time.Hour), opened), "said away")
	say(false)
	assert.True(t, offered(opened.Add(time.Hour), opened))

	exec(t, db.SQL(t), "DELETE FROM seat_presence")
	assert.False(t, offered(opened, time.Time{}), "never seen")
	assert.True(t, offered(opened.Add(time.Hour), opened.Add(time.Hour)))
}

func (conformance) TestADesertedTableIsOfferedAgainWhenItsHostIsBack(t *testing.T, db *testkit.Database) {
	room := waiting(t, db, guest(t, db, "Ola"), table.Public)
	now := db.Clock.Now()
	later := now.Add(time.Hour)
	seen := service.SeatSeen{Table: room.ID, Seat: game.HostSeat, At: later}
	back := seen
	back.Back = true
	offered := func() int { return len(listed(t, db, table.Waiting, service.Place{}, 10)) }
	for _, returns := range []func(){
		func() { require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{back})) },
		func() {
			change(t, db, room.ID, func(found table.Table) service.TableChange {
				return service.TableChange{Table: found, Presence: &service.PresenceSaid{Seat: game.HostSeat, Away: false, At: later}}
			})
		},
	} {
		exec(t, db.SQL(t), "UPDATE seat_presence SET last_seen = 0")
		require.NoError(t, db.Store.UnlistDeserted(t.Context(), later, time.Time{}))
		require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{seen}))
		assert.Zero(t, offered(), "who is seen all the time has nothing to come back from")
		returns()
		assert.Equal(t, 1, offered())
	}
}

// Many tables of one moment, pages that split them, new ones between the pages: every old one comes exactly once.
func (conformance) TestPagesMissNothingAndRepeatNothing(t *testing.T, db *testkit.Database) {
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
}

// copies stores a table many times over, around the Store since that is faster, and returns the ids of all.
func copies(tb testing.TB, db *testkit.Database, original table.Table, many int) []table.ID {
	tb.Helper()
	tx, err := db.SQL(tb).BeginTx(tb.Context(), nil)
	require.NoError(tb, err)
	columns := columnsOf(tb, tx, "tables")
	rest := strings.Join(slices.DeleteFunc(columns, func(name string) bool { return name == "id" }), ", ")
	ids := []table.ID{original.ID}
	for len(ids) < many {
		id := newID(tb)
		_, err = tx.ExecContext(tb.Context(), "INSERT INTO tables (id, "+rest+") SELECT $1, "+rest+" FROM tables WHERE id = $2", id, string(original.ID))
		require.NoError(tb, err)
		_, err = tx.ExecContext(tb.Context(), `INSERT INTO seat_presence (table_id, seat, last_seen, said_away)
			SELECT $1, seat, last_seen, said_away FROM seat_presence WHERE table_id = $2`, id, string(original.ID))
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
		list := listed(tb, db, table.Waiting, place, size)
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

func (conformance) TestTablesOfAProfileAreItsOpenOnesWithWhatTheyPlay(t *testing.T, db *testkit.Database) {
	p := guest(t, db, "Ola")
	first := waiting(t, db, p, table.Private)
	db.Clock.Advance(time.Second)
	second := taken(t, db, waiting(t, db, guest(t, db, "Иван"), table.Private), p)
	db.Clock.Advance(time.Second)
	third := taken(t, db, waiting(t, db, p, table.Public), guest(t, db, "Иван"))
	g := saved(t, db, *third.Game, "44")
	_, third = ended(t, db, g, resigned(t, db, g))
	closed(t, db, waiting(t, db, p, table.Public).ID, table.HostLeft)
	playing(t, db)

	got, err := db.Store.TablesOf(t.Context(), p.ID)
	require.NoError(t, err)
	assert.Equal(t, []table.Table{third, second, first}, got)
	none, err := db.Store.TablesOf(t.Context(), guest(t, db, "Nobody").ID)
	require.NoError(t, err)
	assert.Empty(t, none)
}

// columnsOf returns the columns of a table of the database.
func columnsOf(tb testing.TB, tx *sql.Tx, name string) []string {
	tb.Helper()
	none, err := tx.QueryContext(tb.Context(), "SELECT * FROM "+name+" WHERE 1 = 0")
	require.NoError(tb, err)
	defer none.Close()
	columns, err := none.Columns()
	require.NoError(tb, err)
	require.False(tb, none.Next())
	require.NoError(tb, none.Err())
	return columns
}
