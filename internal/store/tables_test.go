package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestTableComesBackWhole(t *testing.T, db *testkit.Database) {
	for _, name := range names {
		for _, visibility := range []table.Visibility{table.Public, table.Private} {
			want := newTable(t, db, guest(t, db, name), visibility, unusual())
			want.ClientRef, want.Ranked = newID(t), visibility == table.Private

			opened, err := db.Store.OpenTable(t.Context(), want, noTimer, plenty, db.Clock.Now())

			require.NoError(t, err)
			want.Seats[0].Seen = db.Clock.Now()
			assert.Empty(t, testkit.Diff(want, opened), "(-asked +opened)")
			requireStored(t, db, opened)
		}
	}
}

func (conformance) TestTableAgainstTheCPUOpensWithItsGame(t *testing.T, db *testkit.Database) {
	due := db.Clock.Now().Add(time.Second)
	room, g := versusCPU(t, db, due)
	requireStored(t, db, room)
	assert.Equal(t, table.Playing, room.Status)
	assert.Equal(t, table.Seat{Kind: game.CPU, Level: level.Medium}, room.Seats[1])
	assert.Equal(t, map[game.ID]timer{g.ID: {due: due, seq: 1}}, timers(t, db))

	_, unwatched := versusCPU(t, db, noTimer)
	assert.NotContains(t, timers(t, db), unwatched.ID)
}

func (conformance) TestTableShowsItsGame(t *testing.T, db *testkit.Database) {
	for _, chance := range []bool{false, true} {
		room := opened(t, db, newTable(t, db, guest(t, db, "Ola"), table.Public, unusual()))
		room, err := db.Store.ChangeTable(t.Context(), room.ID, sitting(db, guest(t, db, "Иван"), game.ID(newID(t)), chance, plenty))
		require.NoError(t, err)
		g := *room.Game
		for _, column := range "4433" {
			got, err := db.Store.Table(t.Context(), room.ID)
			require.NoError(t, err)
			assert.Empty(t, testkit.Diff(&g, got.Game))
			g = saved(t, db, g, string(column))
		}
	}
}

func (conformance) TestUnknownTableIsMissing(t *testing.T, db *testkit.Database) {
	waiting(t, db, guest(t, db, "Ola"), table.Private)
	waiting(t, db, guest(t, db, "Ola"), table.Public)
	for _, id := range []table.ID{table.ID(newID(t)), "", "no-uuid"} {
		_, err := db.Store.Table(t.Context(), id)
		requireFault(t, err, fault.NotFound)
	}
	for _, code := range []table.InviteCode{"", "0000000000", "%", "0000000000000"} {
		_, err := db.Store.TableByInvite(t.Context(), code)
		requireFault(t, err, fault.NotFound)
	}
}

func (conformance) TestTableIsFoundByItsInviteCode(t *testing.T, db *testkit.Database) {
	want := waiting(t, db, guest(t, db, "Ola"), table.Private)
	got, err := db.Store.TableByInvite(t.Context(), want.Invite)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func (conformance) TestOpenTableNeedsItsHost(t *testing.T, db *testkit.Database) {
	nobody, _ := stranger(t, db, "Ola")
	_, err := db.Store.OpenTable(t.Context(), newTable(t, db, nobody, table.Public), noTimer, plenty, db.Clock.Now())
	requireFault(t, err, fault.NoToken)
}

func (conformance) TestRequestSentAgainOpensNoSecondTable(t *testing.T, db *testkit.Database) {
	day := 24 * time.Hour
	host, ref := guest(t, db, "Ola"), newID(t)
	open := func(host profile.Profile, ref string, atMost int) (table.Table, error) {
		request := newTable(t, db, host, table.Private)
		request.ClientRef = ref
		return db.Store.OpenTable(t.Context(), request, noTimer, atMost, db.Clock.Now().Add(-day))
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
}

func (conformance) TestRequestSentAgainShowsTheTableAsItIsNow(t *testing.T, db *testkit.Database) {
	request := newTable(t, db, guest(t, db, "Ola"), table.Public)
	request.ClientRef = newID(t)
	room := taken(t, db, opened(t, db, request), guest(t, db, "Иван"))
	g := saved(t, db, *room.Game, "44")
	room.Game = &g

	request.ID = table.ID(newID(t))
	again, err := db.Store.OpenTable(t.Context(), request, noTimer, plenty, request.Created)

	require.NoError(t, err)
	assert.Empty(t, testkit.Diff(room, again))
}

func (conformance) TestOpenTablesAreLimitedOverBothSeats(t *testing.T, db *testkit.Database) {
	const atMost = 3
	p := guest(t, db, "Ola")
	open := func() (table.Table, error) {
		return db.Store.OpenTable(t.Context(), newTable(t, db, p, table.Public), noTimer, atMost, db.Clock.Now())
	}
	join := func() error {
		room := waiting(t, db, guest(t, db, "Иван"), table.Public)
		id := game.ID(newID(t))
		_, err := db.Store.ChangeTable(t.Context(), room.ID, sitting(db, p, id, false, atMost))
		if err != nil { // and nothing is there of it
			requireStored(t, db, room)
			_, gameErr := db.Store.Game(t.Context(), id)
			requireFault(t, gameErr, fault.NotFound)
		}
		return err
	}
	require.NoError(t, join())
	second, err := open()
	require.NoError(t, err)
	require.NoError(t, join())

	_, err = open()
	requireFault(t, err, fault.TooManyTables)
	assert.Contains(t, err.Error(), "at most 3 ")
	err = join()
	requireFault(t, err, fault.TooManyTables)
	assert.Contains(t, err.Error(), "at most 3 ")

	closed(t, db, second.ID, table.HostLeft)
	require.NoError(t, join(), "a closed table counts no more")
	_, err = open()
	requireFault(t, err, fault.TooManyTables)
}
