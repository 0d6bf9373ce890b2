package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// hinted is a game whose side to move was given a hint.
func hinted(tb testing.TB, db *testkit.Database, g game.Game) game.Game {
	tb.Helper()
	after, err := g.Hint(g.Player(g.Turn()).Profile, db.Clock.Now(), nil)
	require.NoError(tb, err)
	return after
}

func (conformance) TestAHintIsKeptThroughMovesAndForOnePlyOnly(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	g = saved(t, db, g, "44")
	told := kept(t, db, g, hinted(t, db, g))
	for what, after := range map[string]game.Game{"another device's hint": hinted(t, db, g), "a move": played(t, db, g, "4")} {
		_, err := db.Store.SaveGame(t.Context(), g, after, noTimer)
		require.ErrorIs(t, err, service.ErrChanged, "%s from before doesn't undo it", what)
	}
	next := kept(t, db, told, played(t, db, told, "4"))
	assert.Equal(t, 1, next.Hints(board.Red))
	assert.Equal(t, g.Version+2, next.Version, "the hint and the move")
	kept(t, db, next, hinted(t, db, next))
	now, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1}, []int{now.Hints(board.Red), now.Hints(board.Yellow)})
	over, _ := ended(t, db, now, resigned(t, db, now))
	assert.Equal(t, now.Hinted, over.Hinted)
}

func (conformance) TestWhoPlaysRankedIsKnown(t *testing.T, db *testkit.Database) {
	plays := func(g game.Game) []bool {
		red, err := db.Store.PlaysRanked(t.Context(), g.Red.Profile)
		require.NoError(t, err)
		yellow, err := db.Store.PlaysRanked(t.Context(), g.Yellow.Profile)
		require.NoError(t, err)
		return []bool{red, yellow}
	}
	_, unranked := playing(t, db)
	assert.Equal(t, []bool{false, false}, plays(unranked))
	room := newTable(t, db, guest(t, db, "Ola"), table.Public)
	room.Ranked = true
	room = taken(t, db, opened(t, db, room), guest(t, db, "Иван"))
	g := *room.Game
	assert.Equal(t, []bool{true, true}, plays(g))
	ended(t, db, g, resigned(t, db, g))
	assert.Equal(t, []bool{false, false}, plays(g))
}

func (conformance) TestAnAnalysisIsKeptAsItWasFirst(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	_, found, err := db.Store.Analysis(t.Context(), g.ID)
	require.NoError(t, err)
	assert.False(t, found)
	scores := [][]solver.ColumnScore{
		{{Column: 1, Result: solver.Result{Lower: -2, Upper: -2}}, {Column: 7, Result: solver.Result{Lower: 18, Upper: 18}}},
		{{Column: 4, Result: solver.Result{Lower: 0, Upper: 0}}},
	}
	require.NoError(t, db.Store.KeepAnalysis(t.Context(), g.ID, scores, db.Clock.Now()))
	require.NoError(t, db.Store.KeepAnalysis(t.Context(), g.ID, scores[:1], db.Clock.Now()))
	read, found, err := db.Store.Analysis(t.Context(), g.ID)
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, scores, read)

	for _, broken := range []string{"1,2;", "a,,,,,,;"} {
		exec(t, db.SQL(t), "UPDATE analyses SET scores = '"+broken+"'")
		_, _, err = db.Store.Analysis(t.Context(), g.ID)
		require.ErrorContains(t, err, "analysis of game "+string(g.ID))
	}
	exec(t, db.SQL(t), "DROP TABLE analyses")
	_, found, err = db.Store.Analysis(t.Context(), g.ID)
	require.NoError(t, err, "a dropped table is an empty one")
	assert.False(t, found)
	require.NoError(t, db.Store.KeepAnalysis(t.Context(), g.ID, scores, db.Clock.Now()))
}
