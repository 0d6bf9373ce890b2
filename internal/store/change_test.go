package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestSittingDownStartsTheGame(t *testing.T, db *testkit.Database) {
	for _, name := range names {
		room, p := waiting(t, db, guest(t, db, "Ola"), table.Private), guest(t, db, name)
		due := db.Clock.Advance(time.Minute)
		sat, err := db.Store.ChangeTable(t.Context(), room.ID, func(found table.Table) (service.TableChange, error) {
			assert.Empty(t, testkit.Diff(room, found), "it is shown as it is")
			change, err := sitting(db, p, game.ID(newID(t)), false, 1)(found)
			change.Due = due
			return change, err
		})
		require.NoError(t, err)
		assert.Equal(t, table.Playing, sat.Status)
		assert.Equal(t, name, sat.Seats[1].Name)
		assert.Equal(t, db.Clock.Now(), sat.Seats[1].Seen)
		assert.Equal(t, timer{due: due, seq: 1}, timers(t, db)[sat.Game.ID])
		requireStored(t, db, sat)
	}
}

func (conformance) TestRefusalChangesNothingAndComesBackAsItIs(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	room.Game = &g
	special := &special{}
	for _, refusal := range []error{
		errors.New("for no reason"), special, service.ErrChanged, fault.New(fault.SeatTaken, "taken"),
	} {
		_, err := db.Store.ChangeTable(t.Context(), room.ID, func(found table.Table) (service.TableChange, error) {
			found.Game.Version = 99 // it is nobody else's
			return service.TableChange{Table: found.Close(table.Idle)}, refusal
		})
		require.Equal(t, refusal, err)
		requireStored(t, db, room)
	}
}

// special is an error of somebody else's.
type special struct{}

func (*special) Error() string { return "special" }

func (conformance) TestChangeOfNothingStoresNothing(t *testing.T, db *testkit.Database) {
	room, _ := playing(t, db)
	db.Statements.Reset()
	same := change(t, db, room.ID, func(found table.Table) service.TableChange { return service.TableChange{Table: found} })
	assert.Zero(t, db.Statements.Reset().Writes)
	assert.Empty(t, testkit.Diff(room, same))
	requireStored(t, db, room)
}

func (conformance) TestUnknownTableCannotBeChanged(t *testing.T, db *testkit.Database) {
	for _, id := range []table.ID{table.ID(newID(t)), "", "no-uuid"} {
		_, err := db.Store.ChangeTable(t.Context(), id, func(table.Table) (service.TableChange, error) {
			t.Error("there is nothing to decide on")
			return service.TableChange{}, nil
		})
		requireFault(t, err, fault.NotFound)
	}
}

func (conformance) TestWhoSitsDownTwiceOrTooLateIsToldSo(t *testing.T, db *testkit.Database) {
	room := waiting(t, db, guest(t, db, "Ola"), table.Public)
	full := taken(t, db, room, guest(t, db, "Иван"))
	late := sitting(db, guest(t, db, "李雷"), game.ID(newID(t)), false, plenty)
	_, err := db.Store.ChangeTable(t.Context(), room.ID, late)
	requireFault(t, err, fault.SeatTaken)
	requireStored(t, db, full)

	gone := closed(t, db, waiting(t, db, guest(t, db, "Ola"), table.Public).ID, table.HostLeft)
	_, err = db.Store.ChangeTable(t.Context(), gone.ID, late)
	requireFault(t, err, fault.TableClosed)
	requireStored(t, db, gone)
}

func (conformance) TestPresenceIsSaidAndSticks(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	sat := db.Clock.Now()
	due := sat.Add(time.Hour)
	say := func(away bool, to game.Presence) table.Table {
		return change(t, db, room.ID, func(found table.Table) service.TableChange {
			after := flipped(db, *found.Game, board.Yellow, to)
			return service.TableChange{
				Table: found.Mark(game.GuestSeat, away), Game: &after, Due: due,
				Presence: &service.PresenceSaid{Seat: game.GuestSeat, Away: away, At: db.Clock.Now()},
			}
		})
	}
	db.Clock.Advance(time.Minute)
	gone := say(true, game.Gone)
	assert.True(t, gone.Seats[1].SaidAway)
	assert.True(t, gone.Seats[1].Left)
	assert.Equal(t, sat, gone.Seats[1].Seen, "who goes is not there")
	assert.Equal(t, game.Gone, gone.Game.Yellow.Presence)
	assert.Equal(t, g.Version+1, gone.Game.Version)
	assert.Equal(t, room.Version, gone.Version)
	assert.Equal(t, timer{due: due, seq: 1}, timers(t, db)[g.ID])
	requireStored(t, db, gone)

	require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{{Table: room.ID, Seat: game.GuestSeat, At: db.Clock.Now()}}))
	read, err := db.Store.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.True(t, read.Seats[1].SaidAway, "being seen undoes nothing that was said")

	db.Clock.Advance(time.Minute)
	back := say(false, game.Here)
	assert.False(t, back.Seats[1].SaidAway)
	assert.False(t, back.Seats[1].Left)
	assert.Equal(t, db.Clock.Now(), back.Seats[1].Seen)
	assert.Equal(t, timer{due: due, seq: 2}, timers(t, db)[g.ID])
	requireStored(t, db, back)
}

// agreeing is what becomes of a table by an agreement.
func agreeing(db *testkit.Database, by profile.ID, last, next game.ID) func(found table.Table) (service.TableChange, error) {
	return func(found table.Table) (service.TableChange, error) {
		agreed, err := found.Agree(table.Agreement{By: by, Game: last}, next, time.Time{}, db.Clock.Now())
		if err != nil {
			return service.TableChange{}, err
		}
		change := service.TableChange{Table: agreed.Table, Game: &agreed.Last}
		if agreed.Started {
			change.Due = db.Clock.Now().Add(time.Minute)
		}
		return change, nil
	}
}

func (conformance) TestSeriesGoesOnGameAfterGame(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	for n := 1; n <= 3; n++ {
		g = saved(t, db, g, "44")
		over, between := ended(t, db, g, resigned(t, db, g))
		assert.Equal(t, n, between.Score.Games)
		require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{
			{Table: room.ID, Seat: game.HostSeat, At: db.Clock.Now()}, {Table: room.ID, Seat: game.GuestSeat, At: db.Clock.Now()},
		}))
		next := game.ID(newID(t))
		alone, err := db.Store.ChangeTable(t.Context(), room.ID, agreeing(db, over.Red.Profile, over.ID, next))
		require.NoError(t, err)
		assert.True(t, alone.Game.Red.Rematch)
		assert.Equal(t, over.Version+1, alone.Game.Version)
		assert.Equal(t, between.Version, alone.Version)
		requireStored(t, db, alone)

		both, err := db.Store.ChangeTable(t.Context(), room.ID, agreeing(db, over.Yellow.Profile, over.ID, next))
		require.NoError(t, err)
		assert.Equal(t, next, both.Game.ID)
		assert.Equal(t, n+1, both.Game.Number)
		assert.Equal(t, over.Yellow.Profile, both.Game.Red.Profile, "the first move alternates")
		assert.Contains(t, timers(t, db), next)
		requireStored(t, db, both)
		last, err := db.Store.Game(t.Context(), over.ID)
		require.NoError(t, err)
		assert.Equal(t, next, last.Next)
		assert.Equal(t, over.Yellow.Seat, last.NextFirst)
		assert.True(t, last.Red.Rematch && last.Yellow.Rematch)
		g = *both.Game
	}
}

func (conformance) TestSettingsChangeBetweenGames(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	_, between := ended(t, db, g, resigned(t, db, g))
	edited := change(t, db, room.ID, func(found table.Table) service.TableChange {
		edit := table.Edit{By: found.Host(), SettingsVersion: 1, Settings: unusual(), Ranked: true}
		after, changed := found.Change(edit, db.Clock.Advance(time.Second))
		assert.True(t, changed)
		return service.TableChange{Table: after, Game: after.Game}
	})
	assert.Equal(t, unusual(), edited.Settings)
	assert.True(t, edited.Ranked)
	assert.Equal(t, int64(2), edited.SettingsVersion)
	assert.Equal(t, between.Version+1, edited.Version)
	assert.Equal(t, db.Clock.Now(), edited.Active)
	assert.Equal(t, game.HostSeat, edited.Game.NextFirst, "the same again: the first move alternates no more")
	assert.Equal(t, defaults(), edited.Game.Settings, "the game keeps its own")
	requireStored(t, db, edited)
}

func (conformance) TestClosedTableComesBackWhole(t *testing.T, db *testkit.Database) {
	for _, reason := range []table.CloseReason{table.HostLeft, table.PlayerLeft, table.Idle, table.Abandoned} {
		want := closed(t, db, waiting(t, db, guest(t, db, "Ola"), table.Private).ID, reason)
		got, err := db.Store.TableByInvite(t.Context(), want.Invite)
		require.NoError(t, err)
		assert.Empty(t, testkit.Diff(want, got))
		assert.Equal(t, reason, got.Reason)

		room, g := playing(t, db)
		over, _ := ended(t, db, g, resigned(t, db, g))
		want = closed(t, db, room.ID, reason)
		assert.True(t, want.Game.TableDone)
		assert.Equal(t, over.Version+1, want.Game.Version)
		requireStored(t, db, want)
	}
}
