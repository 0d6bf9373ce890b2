package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// lastPlace is where a list of now begins.
func lastPlace(db *testkit.Database) service.Place {
	return service.Place{At: db.Clock.Now(), ID: "ffffffff-ffff-ffff-ffff-ffffffffffff"}
}

func (conformance) TestTablesOfOneMomentAreFoundPlaceByPlace(t *testing.T, db *testkit.Database) {
	p := guest(t, db, "Ola")
	want := copies(t, db, waiting(t, db, p, table.Public), 10)
	slices.Sort(want)
	slices.Reverse(want)
	waiting(t, db, guest(t, db, "Иван"), table.Public)
	start := lastPlace(db)
	db.Clock.Advance(time.Millisecond)
	waiting(t, db, p, table.Private) // after the list began
	var got []table.ID
	for place, more := start, true; more; {
		places, err := db.Store.TablePlaces(t.Context(), p.ID, place, 3)
		require.NoError(t, err)
		if more = len(places) == 3; more {
			place = places[2]
		}
		tables, err := db.Store.TablesAt(t.Context(), places)
		require.NoError(t, err)
		for _, one := range tables {
			got = append(got, one.ID)
		}
	}
	assert.Equal(t, want, got)
}

func (conformance) TestGamesAreFoundByTheirPlaces(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	for _, who := range []profile.ID{g.Red.Profile, g.Yellow.Profile} {
		places, err := db.Store.GamePlaces(t.Context(), who, lastPlace(db), 3)
		require.NoError(t, err)
		require.Equal(t, []service.Place{{At: g.Started, ID: string(g.ID)}}, places)
		games, err := db.Store.GamesAt(t.Context(), places)
		require.NoError(t, err)
		require.Len(t, games, 1)
		assert.Equal(t, g.ID, games[0].ID)
		rest, err := db.Store.GamePlaces(t.Context(), who, places[0], 3)
		require.NoError(t, err)
		assert.Empty(t, rest)
	}
}

func (conformance) TestWhoseDeviceIsRemovedHoldsItNoMore(t *testing.T, db *testkit.Database) {
	p, d := stranger(t, db, "Ola")
	require.NoError(t, db.Store.OpenProfile(t.Context(), p, d))
	require.NoError(t, db.Store.Held(t.Context(), p.ID, d.ID))
	requireFault(t, db.Store.Held(t.Context(), guest(t, db, "Иван").ID, d.ID), fault.NoToken)
	_, err := db.Store.RemoveDevice(t.Context(), p.ID, d.ID)
	require.NoError(t, err)
	requireFault(t, db.Store.Held(t.Context(), p.ID, d.ID), fault.NoToken)
}
