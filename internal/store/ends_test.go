package store_test

import (
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

// full is a game that fills the board without a line.
const full = "121212212121343434434343565656656565777777"

func (conformance) TestSaveEndKeepsHowItEnded(t *testing.T, db *testkit.Database) {
	final := func(column string) func(game.Game) game.Game {
		return func(g game.Game) game.Game { return played(t, db, g, column) }
	}
	resigns := func(g game.Game) game.Game { return resigned(t, db, g) }
	tests := []struct {
		by     string
		before string // moves that are saved
		end    func(g game.Game) game.Game
		want   game.Result
		score  table.Score
		next   game.Seat
	}{
		{
			"a line of red", "414141", final("4"),
			game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Line},
			table.Score{Games: 1, Wins: [2]int{1, 0}},
			game.GuestSeat,
		},
		{
			"a line of yellow", "1414347", final("4"),
			game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Line},
			table.Score{Games: 1, Wins: [2]int{0, 1}},
			game.GuestSeat,
		},
		{
			"a full board", full[:41], final(full[41:]),
			game.Result{Outcome: game.Draw},
			table.Score{Games: 1, Draws: 1},
			game.GuestSeat,
		},
		{
			"a resignation", "44", resigns,
			game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Resignation},
			table.Score{Games: 1, Wins: [2]int{0, 1}},
			game.GuestSeat,
		},
		{
			"the clock", "4", func(g game.Game) game.Game { return g.Expire(db.Clock.Advance(24 * time.Hour)) },
			game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Timeout},
			table.Score{Games: 1, Wins: [2]int{1, 0}},
			game.GuestSeat,
		},
	}
	for _, test := range tests {
		t.Run(test.by, func(t *testing.T) {
			rules := defaults()
			rules.EndDeadPositions = false
			room, g := playing(t, db, rules)
			before := saved(t, db, g, test.before)
			after := test.end(before)

			stored, between, err := db.Store.SaveEnd(t.Context(), before, after)

			require.NoError(t, err)
			assert.Equal(t, test.want, stored.Result)
			after.NextFirst, after.Rating.Reason = test.next, game.NotRanked
			assert.Empty(t, testkit.Diff(after, stored), "(-domain +stored)")
			want := room
			want.Status, want.Version, want.Active, want.NextFirst = table.BetweenGames, room.Version+1, after.Finished, test.next
			want.Score, want.Game = test.score, &stored
			assert.Empty(t, testkit.Diff(want, between), "(-domain +stored)")
			requireStored(t, db, between)
		})
	}
}

func (conformance) TestTableClosesWithTheGameOfSomebodyWhoLeft(t *testing.T, db *testkit.Database) {
	for leaver, reason := range map[game.Seat]table.CloseReason{game.HostSeat: table.HostLeft, game.GuestSeat: table.PlayerLeft} {
		room, g := playing(t, db)
		room = change(t, db, room.ID, func(t table.Table) service.TableChange {
			return service.TableChange{Table: t.Mark(leaver, true)}
		})
		assert.True(t, room.Seats[leaver-1].Left)

		over, done := ended(t, db, g, resigned(t, db, g))

		assert.Equal(t, table.Closed, done.Status)
		assert.Equal(t, reason, done.Reason)
		assert.True(t, over.TableDone)
		assert.Equal(t, game.NoSeat, over.NextFirst)
		assert.Equal(t, g.Version+1, over.Version, "one change")
		requireStored(t, db, done)
	}
}

func (conformance) TestGameThatSleptADayEndsWithManyPliesAndItsTable(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	g = saved(t, db, g, "44")
	for _, side := range []board.Side{board.Red, board.Yellow} {
		g = kept(t, db, g, flipped(db, g, side, game.Gone))
	}
	sleeping, err := db.Store.Sleeping(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, sleeping)
	want, err := g.FinishSleep(leftmost, db.Clock.Advance(24*time.Hour))
	require.NoError(t, err)

	over, done := ended(t, db, g, want)

	want.TableDone, want.Rating.Reason = true, game.NotRanked
	assert.Empty(t, testkit.Diff(want, over))
	assert.Greater(t, over.Ply(), 5)
	assert.Equal(t, table.Abandoned, done.Reason)
	assert.Equal(t, table.Score{}, done.Score, "nobody was there")
	assert.Equal(t, room.Version+1, done.Version)
	requireStored(t, db, done)
	sleeping, err = db.Store.Sleeping(t.Context())
	require.NoError(t, err)
	assert.Zero(t, sleeping)
}

func (conformance) TestSaveEndIsRefusedWhenTheGameHasChanged(t *testing.T, db *testkit.Database) {
	tests := []struct {
		when      string
		meanwhile func(g game.Game)
	}{
		{"a move came first", func(g game.Game) { saved(t, db, g, "4") }},
		{"another end came first", func(g game.Game) { ended(t, db, g, resigned(t, db, g)) }},
		{"an owner went", func(g game.Game) { kept(t, db, g, flipped(db, g, board.Red, game.Silent)) }},
	}
	for _, test := range tests {
		t.Run(test.when, func(t *testing.T) {
			room, g := playing(t, db)
			test.meanwhile(g)
			before, err := db.Store.Table(t.Context(), room.ID)
			require.NoError(t, err)

			_, _, err = db.Store.SaveEnd(t.Context(), g, resigned(t, db, g))

			require.ErrorIs(t, err, service.ErrChanged)
			requireStored(t, db, before)
		})
	}
}

// requireStored fails unless a table and its game are stored as they are here.
func requireStored(tb testing.TB, db *testkit.Database, want table.Table) {
	tb.Helper()
	got, err := db.Store.Table(tb.Context(), want.ID)
	require.NoError(tb, err)
	require.Empty(tb, testkit.Diff(want, got), "(-want +stored)")
	if want.Game == nil {
		return
	}
	g, err := db.Store.Game(tb.Context(), want.Game.ID)
	require.NoError(tb, err)
	require.Empty(tb, testkit.Diff(*want.Game, g), "(-of the table +by itself)")
}
