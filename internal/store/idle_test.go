package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

const day = 24 * time.Hour

func idle(tb testing.TB, db *testkit.Database, limit int) []table.ID {
	tb.Helper()
	ids, err := db.Store.IdleTables(tb.Context(), db.Clock.Now(), limit)
	require.NoError(tb, err)
	return ids
}

func (conformance) TestTablesAreIdleWhenNobodyWasSeenForLong(t *testing.T, db *testkit.Database) {
	host := guest(t, db, "Ola")
	between := func(_ table.Table, g game.Game) table.ID {
		_, after := ended(t, db, g, resigned(t, db, g))
		return after.ID
	}
	public := waiting(t, db, host, table.Public).ID
	private := waiting(t, db, host, table.Private).ID
	playing(t, db)
	closed(t, db, waiting(t, db, host, table.Public).ID, table.HostLeft)
	visited, _ := playing(t, db)
	visitedID := between(visited, *visited.Game)
	versus := between(versusCPU(t, db, noTimer))
	later := waiting(t, db, host, table.Public).ID
	began := db.Clock.Now() // some seconds after the first
	require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{
		{Table: visitedID, Seat: game.GuestSeat, At: began.Add(time.Hour)}, {Table: private, Seat: game.HostSeat, At: began.Add(time.Minute)},
	}))

	db.Clock.Advance(day - 3*time.Second)
	assert.Empty(t, idle(t, db, 10))
	db.Clock.Advance(3 * time.Second)
	assert.ElementsMatch(t, []table.ID{public, versus, later}, idle(t, db, 10))
	assert.Equal(t, public, idle(t, db, 10)[0], "longest first")
	assert.Equal(t, []table.ID{public}, idle(t, db, 1))
	db.Clock.Advance(time.Hour - time.Microsecond)
	assert.Len(t, idle(t, db, 10), 3)
	db.Clock.Advance(time.Microsecond)
	assert.ElementsMatch(t, []table.ID{public, versus, later, visitedID}, idle(t, db, 10), "an hour after its guest was seen")

	db.Clock.Advance(29*day - time.Hour + time.Minute - time.Microsecond)
	assert.NotContains(t, idle(t, db, 10), private)
	db.Clock.Advance(time.Microsecond)
	assert.Contains(t, idle(t, db, 10), private, "two people who meet in private have 30 days")
	for _, id := range idle(t, db, 10) {
		read, err := db.Store.Table(t.Context(), id)
		require.NoError(t, err)
		assert.False(t, read.Expires().After(db.Clock.Now()), "as the domain says")
	}
}

func (conformance) TestSleepingGamesAreCounted(t *testing.T, db *testkit.Database) {
	playing(t, db)
	for n := range 3 {
		_, g := playing(t, db)
		for _, side := range []board.Side{board.Red, board.Yellow} {
			g = kept(t, db, g, flipped(db, g, side, game.Silent))
		}
		require.True(t, g.Asleep())
		sleeping, err := db.Store.Sleeping(t.Context())
		require.NoError(t, err)
		assert.Equal(t, n+1, sleeping)
	}
}

// What is asked again and again finds its rows by an index.
func TestQuestionsOfTheWorkerReadNoWholeTable(t *testing.T) {
	t.Parallel()
	db := testkit.SQLite(t)
	var asked []string
	db.Statements.Reset()
	for _, query := range []string{
		"SELECT count(*) FROM games WHERE asleep_since IS NOT NULL",
		"SELECT game_id, due, seq + 1 AS seq FROM game_timers WHERE due <= 1 ORDER BY due LIMIT 2",
		"SELECT t.id FROM tables t WHERE t.status IN ('waiting', 'between_games') AND (t.visibility = 'public' OR t.seat2_level IS NOT NULL) AND t.active <= 1",
		"SELECT t.id FROM tables t WHERE t.status IN ('waiting', 'between_games') AND t.visibility = 'private' AND t.seat2_level IS NULL AND t.active <= 1",
	} {
		var id, parent, unused int
		var plan string
		require.NoError(t, db.SQL(t).QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+query).Scan(&id, &parent, &unused, &plan))
		asked = append(asked, plan)
	}
	for _, plan := range asked {
		assert.True(t, strings.Contains(plan, "USING INDEX") || strings.Contains(plan, "USING COVERING INDEX"), plan)
	}
}
