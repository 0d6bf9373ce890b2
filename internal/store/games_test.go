package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// unusual are settings that differ from the defaults in every rule.
func unusual() game.Settings {
	return game.Settings{
		AlternateFirstMove: false, FirstPlayer: houserule.Random, MoveTimeLimit: 30 * time.Second, EndDeadPositions: false,
		OnTimeout: houserule.Loss, CPUCover: false, CoverGrace: 120 * time.Second, CoverLevel: "perfect",
	}
}

func (conformance) TestGameComesBackWhole(t *testing.T, db *testkit.Database) {
	tests := []struct {
		is      string
		private table.Visibility
		ranked  bool
		rules   game.Settings
		columns string
		chance  bool
		odd     time.Duration // added to the time of the first move
	}{
		{is: "public, nobody has moved", private: table.Public, rules: defaults()},
		{is: "private, the guest has red", private: table.Private, rules: unusual(), chance: true},
		{is: "a move in", private: table.Public, ranked: true, rules: defaults(), columns: "4"},
		{is: "a long game", private: table.Public, rules: unusual(), columns: "444444333333555555"},
		{is: "moves between milliseconds", private: table.Private, rules: defaults(), columns: "123", odd: 1234567 * time.Nanosecond},
	}
	for _, test := range tests {
		t.Run(test.is, func(t *testing.T) {
			request := newTable(t, db, guest(t, db, "Zażółć"), test.private, test.rules)
			request.Ranked = test.ranked
			room, err := db.Store.ChangeTable(t.Context(), opened(t, db, request).ID,
				sitting(db, guest(t, db, "李雷"), game.ID(newID(t)), test.chance, plenty))
			require.NoError(t, err)

			db.Clock.Advance(test.odd)
			want := saved(t, db, *room.Game, test.columns)
			got, err := db.Store.Game(t.Context(), room.Game.ID)
			require.NoError(t, err)

			assert.Empty(t, testkit.Diff(want, got), "as it was saved (-saved +read)")
			assert.Equal(t, test.rules, got.Settings)
			assert.Equal(t, test.ranked, got.Ranked)
			assert.Equal(t, test.columns, got.Moves)
			assert.Len(t, got.Movers, len(test.columns))
			assert.Equal(t, int64(1+len(test.columns)), got.Version)
			assert.Len(t, got.Took, len(test.columns))
			assert.Equal(t, time.UTC, got.Started.Location())
		})
	}
}

// Every step of a game is stored as the domain made it, and the step after it finds it so.
func (conformance) TestEveryStateOfAGameComesBackWhole(t *testing.T, db *testkit.Database) {
	clock := defaults()
	clock.MoveTimeLimit = 30 * time.Second
	flip := func(side board.Side, to game.Presence) func(game.Game) game.Game {
		return func(g game.Game) game.Game { return flipped(db, g, side, to) }
	}
	cpu := func(column board.Column) func(game.Game) game.Game {
		return func(g game.Game) game.Game {
			g, err := g.PlayCPU(column, db.Clock.Now())
			require.NoError(t, err)
			return g
		}
	}
	steps := []struct {
		what string
		do   func(g game.Game) game.Game
		news int64 // versions
		is   func(g game.Game) bool
	}{
		{"a move", func(g game.Game) game.Game { return played(t, db, g, "4") }, 1, func(g game.Game) bool { return g.Moves == "4" }},
		{"yellow is silent", flip(board.Yellow, game.Silent), 1, func(g game.Game) bool { return g.CPUToMove() }},
		{"the CPU covers", cpu(3), 1, func(g game.Game) bool { return g.Movers == "hc" }},
		{"yellow says away", flip(board.Yellow, game.Gone), 0, func(g game.Game) bool { return g.Yellow.Presence == game.Gone }},
		{"red is silent too", flip(board.Red, game.Silent), 1, func(g game.Game) bool { return g.Deserted() && !g.Asleep() }},
		{"the clock ends the turn", func(g game.Game) game.Game { return g.Expire(db.Clock.Now()) }, 1, func(g game.Game) bool { return g.TimedOut }},
		{"the CPU makes this ply and the game sleeps", cpu(3), 1, func(g game.Game) bool { return g.Asleep() && g.Deadline.IsZero() }},
		{"red is back", flip(board.Red, game.Here), 1, func(g game.Game) bool { return !g.Asleep() && g.CPUToMove() }},
		{"yellow is back", flip(board.Yellow, game.Here), 1, func(g game.Game) bool { return !g.CPUToMove() && !g.Deadline.IsZero() }},
		{"yellow moves", func(g game.Game) game.Game { return played(t, db, g, "5") }, 1, func(g game.Game) bool { return g.Ply() == 4 }},
	}
	_, g := playing(t, db, clock)
	for _, step := range steps {
		db.Clock.Advance(1234567 * time.Microsecond)
		want := step.do(g)
		require.Equal(t, g.Version+step.news, want.Version, step.what)
		got := kept(t, db, g, want)
		assert.Empty(t, testkit.Diff(want, got), "%s (-domain +stored)", step.what)
		read, err := db.Store.Game(t.Context(), g.ID)
		require.NoError(t, err)
		assert.Empty(t, testkit.Diff(got, read), "%s (-stored +read)", step.what)
		assert.True(t, step.is(read), step.what)
		g = read
	}
}

func (conformance) TestGameAgainstTheCPUComesBackWhole(t *testing.T, db *testkit.Database) {
	room, g := versusCPU(t, db, db.Clock.Now())
	g = saved(t, db, g, "4")
	answered, err := g.PlayCPU(3, db.Clock.Advance(time.Second))
	require.NoError(t, err)
	g = kept(t, db, g, answered)
	assert.Empty(t, testkit.Diff(answered, g))
	assert.Equal(t, game.Player{Seat: game.GuestSeat, Kind: game.CPU, Level: level.Medium, Rematch: true}, g.Yellow)
	read, err := db.Store.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.Empty(t, testkit.Diff(g, *read.Game))
	assert.True(t, read.VersusCPU())
}

func (conformance) TestTimesAreKeptToTheMicrosecond(t *testing.T, db *testkit.Database) {
	began := db.Clock.Advance(123_456_789 * time.Nanosecond)
	_, g := playing(t, db)
	got, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Equal(t, began.Truncate(time.Microsecond), got.Started)
	assert.Empty(t, testkit.Diff(g, got), "and what a change returns is what is kept")
	silent := flipped(db, g, board.Red, game.Silent)
	assert.Empty(t, testkit.Diff(silent, kept(t, db, g, silent)))
}

func (conformance) TestSaveGameIsRefusedWhenTheGameHasChanged(t *testing.T, db *testkit.Database) {
	tests := []struct {
		when string
		then func(t *testing.T, g game.Game) (before, late game.Game) // what is saved too late
	}{
		{"somebody made the ply", func(t *testing.T, g game.Game) (game.Game, game.Game) {
			t.Helper()
			saved(t, db, g, "4")
			return g, played(t, db, g, "3")
		}},
		{"a ply is missing", func(t *testing.T, g game.Game) (game.Game, game.Game) {
			t.Helper()
			before := played(t, db, g, "3")
			return before, played(t, db, before, "4")
		}},
		{"it ended", func(t *testing.T, g game.Game) (game.Game, game.Game) {
			t.Helper()
			ended(t, db, g, resigned(t, db, g))
			return g, played(t, db, g, "4")
		}},
		{"an owner went", func(t *testing.T, g game.Game) (game.Game, game.Game) {
			t.Helper()
			kept(t, db, g, flipped(db, g, board.Yellow, game.Silent))
			return g, played(t, db, g, "4")
		}},
		{"an owner who was silent said away", func(t *testing.T, g game.Game) (game.Game, game.Game) {
			t.Helper()
			silent := kept(t, db, g, flipped(db, g, board.Yellow, game.Silent))
			kept(t, db, silent, flipped(db, silent, board.Yellow, game.Gone))
			return silent, flipped(db, silent, board.Yellow, game.Here)
		}},
		{"the turn's time was up", func(t *testing.T, g game.Game) (game.Game, game.Game) {
			t.Helper()
			kept(t, db, g, g.Expire(db.Clock.Now()))
			return g, played(t, db, g, "4")
		}},
		{"there is no such game", func(t *testing.T, g game.Game) (game.Game, game.Game) {
			t.Helper()
			g.ID = game.ID(newID(t))
			return g, played(t, db, g, "4")
		}},
	}
	for _, test := range tests {
		t.Run(test.when, func(t *testing.T) {
			clock := defaults()
			clock.MoveTimeLimit = time.Minute
			_, g := playing(t, db, clock)
			before, late := test.then(t, g)
			was, err := db.Store.Game(t.Context(), g.ID)
			require.NoError(t, err)

			for _, due := range []time.Time{noTimer, db.Clock.Now()} {
				_, err = db.Store.SaveGame(t.Context(), before, late, due)
				require.ErrorIs(t, err, service.ErrChanged)
			}

			after, err := db.Store.Game(t.Context(), g.ID)
			require.NoError(t, err)
			assert.Empty(t, testkit.Diff(was, after), "nothing changed")
			assert.Empty(t, timers(t, db), "nor was a timer set")
		})
	}
}

// A sleep and a turn are told from others that look the same, by when they began.
func (conformance) TestWhatRestsOnAnEarlierSleepOrTurnIsRefused(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	g = kept(t, db, g, flipped(db, g, board.Red, game.Silent))
	sleep := func(awake game.Game) game.Game {
		db.Clock.Advance(time.Hour)
		return kept(t, db, awake, flipped(db, awake, board.Yellow, game.Silent))
	}
	first := sleep(g)
	require.True(t, first.Asleep())
	awake := kept(t, db, first, flipped(db, first, board.Yellow, game.Here))
	second := sleep(awake)
	require.True(t, second.Asleep())

	over, err := first.FinishSleep(leftmost, db.Clock.Now())
	require.NoError(t, err)
	_, _, err = db.Store.SaveEnd(t.Context(), first, over)
	require.ErrorIs(t, err, service.ErrChanged, "it is another sleep")

	again := kept(t, db, second, flipped(db, second, board.Yellow, game.Here))
	require.Equal(t, awake.Ply(), again.Ply())
	_, _, err = db.Store.SaveEnd(t.Context(), awake, awake.Expire(db.Clock.Now()))
	require.ErrorIs(t, err, service.ErrChanged, "it is another turn")
}

func (conformance) TestSaveGameKeepsWhatWasPlayed(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	g = saved(t, db, g, "44")
	for _, wrong := range []func(g *game.Game){
		func(g *game.Game) { g.Moves = "434" },
		func(g *game.Game) { g.Movers = "chh" },
		func(g *game.Game) { g.Took[0] += time.Second },
		func(g *game.Game) { g.ID = game.ID(newID(t)) },
		func(g *game.Game) { g.Status, g.Finished = game.Finished, db.Clock.Now() },
	} {
		after := played(t, db, g, "1")
		wrong(&after)
		_, err := db.Store.SaveGame(t.Context(), g, after, noTimer)
		require.Error(t, err)
		require.NotErrorIs(t, err, service.ErrChanged)
	}
	_, _, err := db.Store.SaveEnd(t.Context(), g, played(t, db, g, "1"))
	require.Error(t, err, "it runs")
}

func (conformance) TestUnknownGameIsMissing(t *testing.T, db *testkit.Database) {
	for _, id := range []game.ID{game.ID(newID(t)), "", "no-uuid", "'; --"} {
		_, err := db.Store.Game(t.Context(), id)
		requireFault(t, err, fault.NotFound)
	}
}

// leftmost is a player who takes the leftmost column there is.
func leftmost(_ board.Position, legal []board.Column) (board.Column, error) { return legal[0], nil }
