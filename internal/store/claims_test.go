package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func claimed(tb testing.TB, db *testkit.Database, limit int) []service.Claim {
	tb.Helper()
	claims, err := db.Store.ClaimDue(tb.Context(), db.Clock.Now(), lease, limit)
	require.NoError(tb, err)
	return claims
}

func (conformance) TestClaimsComeWhenTheyAreDueSoonestFirst(t *testing.T, db *testkit.Database) {
	now := db.Clock.Now()
	third, first := watched(t, db, now.Add(3*time.Second)), watched(t, db, now.Add(time.Second))
	second := watched(t, db, now.Add(2*time.Second))
	never := watched(t, db, now.Add(time.Hour))
	assert.Empty(t, claimed(t, db, 10))

	db.Clock.Advance(2 * time.Second)
	seen := game.Seen{Red: now, Yellow: now}
	want := []service.Claim{
		{Game: first, Seq: 2, Due: now.Add(time.Second), Seen: seen}, {Game: second, Seq: 2, Due: now.Add(2 * time.Second), Seen: seen},
	}
	assert.Empty(t, testkit.Diff(want, claimed(t, db, 10)))
	until := db.Clock.Now().Add(lease)
	assert.Equal(t, map[game.ID]timer{
		first.ID: {until, 2}, second.ID: {until, 2}, third.ID: {now.Add(3 * time.Second), 1}, never.ID: {now.Add(time.Hour), 1},
	}, timers(t, db))

	db.Clock.Advance(time.Second)
	assert.Empty(t, testkit.Diff([]service.Claim{{Game: third, Seq: 2, Due: now.Add(3 * time.Second), Seen: seen}}, claimed(t, db, 10)),
		"what is claimed is nobody else's")
	db.Clock.Advance(lease)
	again := claimed(t, db, 2)
	require.Len(t, again, 2, "until its lease is over")
	assert.Equal(t, []game.ID{first.ID, second.ID}, []game.ID{again[0].Game.ID, again[1].Game.ID})
	assert.Equal(t, []int64{3, 3}, []int64{again[0].Seq, again[1].Seq})
}

func (conformance) TestAClaimSaysWhenEachOwnerWasLastSeen(t *testing.T, db *testkit.Database) {
	now := db.Clock.Now()
	g := watched(t, db, now)
	require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{{Table: g.Table, Seat: g.Yellow.Seat, At: now.Add(time.Second)}}))
	room, _ := versusCPU(t, db, now)
	claims := claimed(t, db, 10)
	require.Len(t, claims, 2)
	seen := map[game.TableID]game.Seen{claims[0].Game.Table: claims[0].Seen, claims[1].Game.Table: claims[1].Seen}
	assert.Equal(t, map[game.TableID]game.Seen{
		g.Table: {Red: now, Yellow: now.Add(time.Second)}, room.ID: {Red: now, Yellow: time.Time{}},
	}, seen)
}

func (conformance) TestNobodyGetsAGameWhileItIsSomebodyElses(t *testing.T, db *testkit.Database) {
	const games, claimers, each = 60, 6, 15
	for range games {
		watched(t, db, db.Clock.Now())
	}
	got := make([][]service.Claim, claimers)
	for _, err := range race(claimers, func(i int) (err error) {
		got[i], err = db.Store.ClaimDue(t.Context(), db.Clock.Now(), lease, each)
		return err
	}) {
		require.NoError(t, err)
	}
	whose := map[game.ID]int{}
	for i, claims := range got {
		assert.LessOrEqual(t, len(claims), each)
		for _, c := range claims {
			_, twice := whose[c.Game.ID]
			require.False(t, twice)
			whose[c.Game.ID] = i
		}
	}
	for range games { // what was passed over is found by the next claim
		for _, c := range claimed(t, db, each) {
			_, twice := whose[c.Game.ID]
			require.False(t, twice)
			whose[c.Game.ID] = claimers
		}
	}
	assert.Len(t, whose, games)
}

func (conformance) TestClaimIsFewStatementsWhateverTheNumber(t *testing.T, db *testkit.Database) {
	for _, many := range []int{1, 30} {
		for range many {
			watched(t, db, db.Clock.Now())
		}
		db.Statements.Reset()
		require.Len(t, claimed(t, db, 500), many)
		counts := db.Statements.Reset()
		if isSQLite(db) { // where an UPDATE doesn't tell what was there before
			assert.Equal(t, testkit.Counts{Begins: 1, Reads: 2, Writes: 1, Commits: 1}, counts)
		} else {
			assert.Equal(t, testkit.Counts{Writes: 1, Reads: 1}, counts)
		}
	}
}

func (conformance) TestDamagedGameKeepsNoOtherWaiting(t *testing.T, db *testkit.Database) {
	damaged, fine := watched(t, db, db.Clock.Now()), watched(t, db, db.Clock.Now())
	exec(t, db.SQL(t), "UPDATE games SET moves = '4', movers = 'h', took = 'x,' WHERE id = '"+string(damaged.ID)+"'")
	claims := claimed(t, db, 10)
	require.Len(t, claims, 1)
	assert.Equal(t, fine.ID, claims[0].Game.ID)
}
