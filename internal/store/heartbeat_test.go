package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

const gap = 3 * time.Second

func beat(tb testing.TB, db *testkit.Database, at time.Time) game.Outages {
	tb.Helper()
	outages, err := db.Store.Beat(tb.Context(), at, gap, at.Add(-24*time.Hour))
	require.NoError(tb, err)
	return outages
}

func (conformance) TestOutageIsWhatIsLongerThanTheGap(t *testing.T, db *testkit.Database) {
	first := db.Clock.Now()
	assert.Empty(t, beat(t, db, first), "the first beat ever ends none")
	assert.Empty(t, beat(t, db, first.Add(time.Second)))
	assert.Empty(t, beat(t, db, first.Add(time.Second+gap)), "exactly the gap is none")

	long := first.Add(time.Second + 2*gap + time.Microsecond)
	one := game.Outage{From: first.Add(time.Second + gap), To: long}
	assert.Equal(t, game.Outages{one}, beat(t, db, long))
	assert.Equal(t, game.Outages{one}, beat(t, db, long), "it is stored once")

	later := long.Add(time.Hour)
	two := game.Outage{From: long, To: later}
	assert.Equal(t, game.Outages{one, two}, beat(t, db, later), "oldest first")
	recent, err := db.Store.Beat(t.Context(), later, gap, long)
	require.NoError(t, err)
	assert.Equal(t, game.Outages{two}, recent, "only those that ended after")
}

func (conformance) TestBeatIsNeverSetBack(t *testing.T, db *testkit.Database) {
	now := db.Clock.Now()
	beat(t, db, now)
	assert.Empty(t, beat(t, db, now.Add(-time.Minute)), "of a replica whose clock is slow")
	assert.Empty(t, beat(t, db, now.Add(gap)), "the last beat was at noon")
}

func (conformance) TestReplicasThatBeatAtOnceStoreAnOutageOnce(t *testing.T, db *testkit.Database) {
	const replicas, rounds = 4, 20
	last, now := db.Clock.Now(), db.Clock.Now()
	for round := range rounds {
		got := make([]game.Outages, replicas)
		for _, err := range race(replicas, func(i int) (err error) {
			got[i], err = db.Store.Beat(t.Context(), now.Add(time.Duration(i)*time.Millisecond), gap, now.Add(-time.Hour))
			return err
		}) {
			require.NoError(t, err)
		}
		var stored int
		require.NoError(t, db.SQL(t).QueryRowContext(t.Context(), "SELECT count(*) FROM outages").Scan(&stored))
		require.Equal(t, round, stored)
		for _, outages := range got {
			require.Len(t, outages, round, "each of them knows")
		}
		if round > 0 {
			require.WithinDuration(t, last, got[0][round-1].From, replicas*time.Millisecond)
			require.WithinDuration(t, now, got[0][round-1].To, replicas*time.Millisecond)
		}
		last, now = now, now.Add(time.Minute)
	}
}

func (conformance) TestBeatUsuallyIsTwoStatements(t *testing.T, db *testkit.Database) {
	now := db.Clock.Now()
	beat(t, db, now)
	db.Statements.Reset()
	beat(t, db, now.Add(time.Second))
	assert.Equal(t, testkit.Counts{Writes: 1, Reads: 1}, db.Statements.Reset())
}
