package httpapi_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// pairs brings searchers of the same at different tables together.
func (w *world) pairs(t *testing.T) {
	t.Helper()
	require.NoError(t, w.Matches.PairSearchers(t.Context()))
}

// waitApart lets players wait for the same at a table each: whenever one comes, the others are away. All come back then.
func (w *world) waitApart(t *testing.T, request string, players ...player) []api.GameTable {
	t.Helper()
	tables := make([]api.GameTable, 0, len(players))
	for _, p := range players {
		table := p.meets(t, request)
		require.Equal(t, "waiting", table.Status)
		p.says(t, table.ID, api.PresenceChoiceAway)
		tables = append(tables, table)
		w.db.Clock.Advance(time.Millisecond)
	}
	for i, p := range players {
		p.says(t, tables[i].ID, api.PresenceChoiceHere)
	}
	return tables
}

func TestASearcherAskingAgainMeetsOneAtAnotherTable(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		first := ola.meets(t, "")
		w.db.Clock.Advance(11 * time.Second)
		second := ivan.meets(t, "")
		require.NotEqual(t, first.ID, second.ID, "who is silent is not met")
		assert.Equal(t, second.ID, ivan.meets(t, "").ID, "and the same table is the answer while it is")
		ola.looks(t, first.ID)
		hears := later(t, w, func() answer { return ivan.get(t, tablePath(second.ID)+"?wait=30&after_version=1") })
		met := ivan.meets(t, "")
		assert.Equal(t, first.ID, met.ID)
		assert.Equal(t, "playing", met.Status)
		assert.EqualValues(t, 2, *met.MySeat)
		closed := decode[api.GameTable](t, within(t, hears), http.StatusOK)
		assert.Equal(t, "moved", *closed.CloseReason)
		assert.Equal(t, first.ID, *closed.MovedToTableID, "it says where to go on")
		assert.Equal(t, "playing", ola.looks(t, first.ID).Status)
		assert.Equal(t, first.ID, ola.meets(t, "").ID)
		for _, p := range []player{ola, ivan} {
			assert.Len(t, p.mine(t, "").Items, 1)
		}
	}, standingStill)
}

func TestTwoSearchersAtTwoTablesAreBroughtTogether(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		tables := w.waitApart(t, `{"ranked":true}`, ola, ivan)
		hears := later(t, w, func() answer { return ivan.get(t, tablePath(tables[1].ID)+"?wait=30&after_version=1") })
		starts := later(t, w, func() answer { return ola.get(t, tablePath(tables[0].ID)+"?wait=30&after_version=1") })
		w.pairs(t)
		assert.Equal(t, "closed", decode[api.GameTable](t, within(t, hears), http.StatusOK).Status, "who came last moves")
		assert.Equal(t, "playing", decode[api.GameTable](t, within(t, starts), http.StatusOK).Status)
		mine := ivan.mine(t, "").Items
		require.Len(t, mine, 1)
		assert.Equal(t, tables[0].ID, mine[0].ID)
		assert.Equal(t, tables[0].ID, ivan.meets(t, "").ID)
		assert.True(t, ivan.reads(t, *mine[0].CurrentGameID).Ranked)
	}, standingStill)
}

func TestWhoIsAwayOrWantsAnotherGameIsNotBroughtTogether(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		away, silent, ola, ranked := w.guest(t, "Иван"), w.guest(t, "李雷"), w.guest(t, "Ola"), w.guest(t, "Zofia")
		tables := w.waitApart(t, "", away, silent, ola)
		away.says(t, tables[0].ID, api.PresenceChoiceAway)
		w.db.Clock.Advance(10*time.Second + time.Millisecond)
		ola.looks(t, tables[2].ID)
		other := ranked.meets(t, `{"ranked":true}`)
		w.pairs(t)
		assert.Equal(t, tables[2].ID, ola.meets(t, "").ID)
		assert.Equal(t, other.ID, ranked.meets(t, `{"ranked":true}`).ID)
		for _, table := range append(tables, other) {
			assert.Equal(t, "waiting", decode[api.GameTable](t, w.get(t, tablePath(table.ID)), http.StatusOK).Status)
		}
	}, standingStill)
}

// Two replicas bring them together, while each asks again at one of these.
func TestAtMostOneIsLeftOfManySearchersAtTheirOwnTables(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		other := serve(t, w.db, configured("RATE_LIMIT=off"), standingStill)
		players := make([]player, 15)
		for i := range players {
			players[i] = w.guest(t, "Ola")
		}
		w.waitApart(t, "", players...)
		var all sync.WaitGroup
		for _, at := range []*world{w, other} {
			all.Go(func() { assert.NoError(t, at.Matches.PairSearchers(t.Context())) })
		}
		for i, p := range players {
			all.Go(func() { p.at([]*world{w, other}[i%2]).meets(t, "") })
		}
		all.Wait()
		w.pairs(t)
		waiting := 0
		for _, p := range players {
			mine := p.mine(t, "").Items
			if assert.Len(t, mine, 1) && mine[0].Status == "waiting" {
				waiting++
			}
		}
		assert.Equal(t, 1, waiting)
	}, configured("RATE_LIMIT=off"), standingStill)
}
