package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func seenAt(tb testing.TB, db *testkit.Database, id table.ID) [2]time.Time {
	tb.Helper()
	t, err := db.Store.Table(tb.Context(), id)
	require.NoError(tb, err)
	return [2]time.Time{t.Seats[0].Seen, t.Seats[1].Seen}
}

func (conformance) TestOwnersAreSeenLaterAndNeverEarlier(t *testing.T, db *testkit.Database) {
	room, _ := playing(t, db)
	now := db.Clock.Now()
	for _, step := range []struct{ at, want time.Duration }{{time.Minute, time.Minute}, {time.Second, time.Minute}, {time.Hour, time.Hour}} {
		require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{{Table: room.ID, Seat: game.GuestSeat, At: now.Add(step.at)}}))
		assert.Equal(t, [2]time.Time{now, now.Add(step.want)}, seenAt(t, db, room.ID))
	}
	require.NoError(t, db.Store.SeeOwners(t.Context(), nil))
}

func (conformance) TestOneOwnerMayBeNamedTwiceAndATableBeGone(t *testing.T, db *testkit.Database) {
	room := waiting(t, db, guest(t, db, "Ola"), table.Public)
	now := db.Clock.Now()
	require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{
		{Table: table.ID(newID(t)), Seat: game.HostSeat, At: now},
		{Table: room.ID, Seat: game.HostSeat, At: now.Add(2 * time.Second)},
		{Table: room.ID, Seat: game.HostSeat, At: now.Add(time.Second)},
		{Table: room.ID, Seat: game.GuestSeat, At: now.Add(time.Second)},
	}))
	assert.Equal(t, [2]time.Time{now.Add(2 * time.Second), now.Add(time.Second)}, seenAt(t, db, room.ID))
}

func (conformance) TestManyOwnersAreSeenInFewStatements(t *testing.T, db *testkit.Database) {
	const many, there = 1001, 20 // tables, of which most are no more
	host, later := guest(t, db, "Ola"), db.Clock.Now().Add(time.Hour)
	seen := make([]service.SeatSeen, many)
	for i := range seen {
		seen[i] = service.SeatSeen{Table: table.ID(newID(t)), Seat: game.HostSeat, At: later}
		if i%(many/there) == 0 {
			seen[i].Table = waiting(t, db, host, table.Public).ID
		}
	}
	db.Statements.Reset()
	require.NoError(t, db.Store.SeeOwners(t.Context(), seen))
	assert.Equal(t, testkit.Counts{Writes: 3}, db.Statements.Reset())
	var rows, at int
	require.NoError(t, db.SQL(t).QueryRowContext(t.Context(),
		"SELECT count(*), sum(CASE WHEN last_seen = $1 THEN 1 ELSE 0 END) FROM seat_presence", later.UnixMicro()).Scan(&rows, &at))
	assert.Equal(t, there+1, rows)
	assert.Equal(t, there+1, at)
}

// Replicas write the same owners in any order, while tables change.
func (conformance) TestReplicasThatSeeTheSameOwnersDontBlockEachOther(t *testing.T, db *testkit.Database) {
	const rooms, replicas = 20, 4
	var seen []service.SeatSeen
	for range rooms {
		room := waiting(t, db, guest(t, db, "Ola"), table.Public)
		seen = append(seen, service.SeatSeen{Table: room.ID, Seat: game.HostSeat}, service.SeatSeen{Table: room.ID, Seat: game.GuestSeat})
	}
	p := guest(t, db, "Иван")
	ids := make([]game.ID, rooms)
	for i := range ids {
		ids[i] = game.ID(newID(t))
	}
	for _, err := range race(replicas+rooms, func(i int) error {
		if i < rooms {
			_, err := db.Store.ChangeTable(t.Context(), seen[2*i].Table, sitting(db, p, ids[i], false, plenty))
			return err
		}
		mine := make([]service.SeatSeen, len(seen))
		for k := range mine {
			mine[k] = seen[(k*(2*i+1))%len(seen)]
			mine[k].At = db.Clock.Now().Add(time.Duration(i) * time.Second)
		}
		return db.Store.SeeOwners(t.Context(), mine)
	}) {
		require.NoError(t, err)
	}
}
