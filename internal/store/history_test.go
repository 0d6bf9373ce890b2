package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// numbers of all there are.
const all = 1 << 30

// Games that end at one moment, while pages are read and more end: each old one comes once.
func (conformance) TestPagesOfGamesMissNoneAndRepeatNone(t *testing.T, db *testkit.Database) {
	const before, page = 60, 7
	ola, ivan := guest(t, db, "Ola"), guest(t, db, "Иван")
	old := map[game.ID]bool{}
	end := func() game.ID {
		g := rankedGame(t, db, ola, ivan)
		over, _, err := g.Resign(ola.ID, db.Clock.Now()) // the clock stands still
		require.NoError(t, err)
		over, _ = ended(t, db, g, over)
		return over.ID
	}
	for range before {
		old[end()] = true
	}
	for name, f := range map[string]service.GameFilter{
		"all":       {Of: ola.ID, Private: true},
		"of losses": {Of: ola.ID, Result: profile.Lost},
		"with Ivan": {Of: ola.ID, Opponent: ivan.ID},
	} {
		seen := readInPages(t, db, f, page, func() { end() })
		for id := range old {
			assert.Equal(t, 1, seen[id], name)
		}
	}
}

// readInPages counts how often each game is in a list that is read in pages, and does something after each.
func readInPages(t *testing.T, db *testkit.Database, f service.GameFilter, page int, between func()) map[game.ID]int {
	t.Helper()
	seen := map[game.ID]int{}
	for from := int64(all); ; {
		games, err := db.Store.FinishedGames(t.Context(), f, from, page)
		require.NoError(t, err)
		for _, g := range games {
			require.Less(t, g.N, from)
			seen[g.Game.ID]++
			from = g.N
		}
		between()
		if len(games) < page {
			return seen
		}
	}
}

func (conformance) TestFiltersOfGamesGoTogether(t *testing.T, db *testkit.Database) {
	ola, ivan, zofia := guest(t, db, "Ola"), guest(t, db, "Иван"), guest(t, db, "Zofia")
	won, lost := rankedWin(t, db, ola, ivan), rankedWin(t, db, ivan, ola)
	other := rankedWin(t, db, ola, zofia)
	_, plain := playing(t, db)
	list := func(f service.GameFilter) []game.ID {
		games, err := db.Store.FinishedGames(t.Context(), f, all, 10)
		require.NoError(t, err)
		ids := make([]game.ID, 0, len(games))
		for _, g := range games {
			ids = append(ids, g.Game.ID)
		}
		return ids
	}
	assert.Equal(t, []game.ID{other.ID, lost.ID, won.ID}, list(service.GameFilter{Of: ola.ID}))
	assert.Equal(t, []game.ID{other.ID, won.ID}, list(service.GameFilter{Of: ola.ID, Result: profile.Won}))
	assert.Equal(t, []game.ID{won.ID}, list(service.GameFilter{Of: ola.ID, Result: profile.Won, Opponent: ivan.ID, Ranked: new(true)}))
	assert.Empty(t, list(service.GameFilter{Of: ola.ID, Ranked: new(false)}))
	assert.Empty(t, list(service.GameFilter{Of: plain.Red.Profile}), "a game that runs is in no list")
}
