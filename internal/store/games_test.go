package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestGameComesBackWhole(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		tests := []struct {
			is      string
			private table.Visibility
			columns string
			chance  bool
			odd     time.Duration // added to the time of the first move
		}{
			{is: "public, nobody has moved", private: table.Public},
			{is: "private, the guest has red", private: table.Private, chance: true},
			{is: "a move in", private: table.Public, columns: "4"},
			{is: "a long game", private: table.Public, columns: "444444333333555555"},
			{is: "moves between milliseconds", private: table.Private, columns: "123", odd: 1234567 * time.Nanosecond},
		}
		for _, test := range tests {
			t.Run(test.is, func(t *testing.T) {
				table := newTable(t, db, guest(t, db, "Zażółć"), test.private)
				table.Settings = game.Settings{FirstPlayer: "random", EndDeadPositions: false}
				table, err := db.Store.OpenTable(t.Context(), table, plenty, db.Clock.Now())
				require.NoError(t, err)
				table, g := table.Sit(seat(guest(t, db, "李雷")), game.ID(newID(t)), test.chance, db.Clock.Now())
				require.NoError(t, db.Store.TakeSeat(t.Context(), table, g, plenty))

				db.Clock.Advance(test.odd)
				want := saved(t, db, g, test.columns)
				got, err := db.Store.Game(t.Context(), g.ID)
				require.NoError(t, err)

				assert.Empty(t, cmp.Diff(want, got), "as it was saved (-saved +read)")
				assert.Empty(t, cmp.Diff(played(t, db, want, ""), got))
				assert.Equal(t, test.columns, got.Moves)
				assert.Equal(t, int64(1+len(test.columns)), got.Version)
				assert.Len(t, got.Took, len(test.columns))
				assert.Equal(t, time.UTC, got.Started.Location())
			})
		}
	})
}

func TestSaveMoveKeepsWhatTheDomainMade(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		_, g := playing(t, db)
		for _, column := range "443355" {
			want := played(t, db, g, string(column))
			got, err := db.Store.SaveMove(t.Context(), want)
			require.NoError(t, err)
			assert.Empty(t, cmp.Diff(want, got), "(-domain +stored)")
			g = got
		}
	})
}

func TestTimesAreKeptToTheMicrosecond(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		began := db.Clock.Advance(123_456_789 * time.Nanosecond)
		_, g := playing(t, db)
		got, err := db.Store.Game(t.Context(), g.ID)
		require.NoError(t, err)
		assert.Equal(t, began.Truncate(time.Microsecond), got.Started)
	})
}

func TestSaveMoveIsRefusedWhenTheGameHasChanged(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		tests := []struct {
			when string
			then func(t *testing.T, g game.Game) game.Game // the game that is saved too late
		}{
			{"somebody made the ply", func(t *testing.T, g game.Game) game.Game {
				t.Helper()
				saved(t, db, g, "4")
				return played(t, db, g, "3")
			}},
			{"a ply is missing", func(t *testing.T, g game.Game) game.Game {
				t.Helper()
				return played(t, db, g, "34")
			}},
			{"it ended", func(t *testing.T, g game.Game) game.Game {
				t.Helper()
				_, err := db.Store.SaveEnd(t.Context(), g, resigned(t, db, g), table.GameOver)
				require.NoError(t, err)
				return played(t, db, g, "4")
			}},
			{"there is no such game", func(t *testing.T, g game.Game) game.Game {
				t.Helper()
				g.ID = game.ID(newID(t))
				return played(t, db, g, "4")
			}},
		}
		for _, test := range tests {
			t.Run(test.when, func(t *testing.T) {
				_, g := playing(t, db)
				late := test.then(t, g)
				before, _ := db.Store.Game(t.Context(), g.ID)

				_, err := db.Store.SaveMove(t.Context(), late)

				require.ErrorIs(t, err, service.ErrChanged)
				after, _ := db.Store.Game(t.Context(), g.ID)
				assert.Empty(t, cmp.Diff(before, after), "nothing changed")
			})
		}
	})
}

func TestSaveMoveNeedsAMove(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		_, g := playing(t, db)
		_, err := db.Store.SaveMove(t.Context(), g)
		require.Error(t, err)
		require.NotErrorIs(t, err, service.ErrChanged)
	})
}

func TestSaveEndKeepsHowItEnded(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		tests := []struct {
			by     string
			before string // moves that are saved
			end    func(t *testing.T, g game.Game) game.Game
			reason table.CloseReason
			want   game.Result
		}{
			{"a line of red", "414141", final(db, "4"), table.GameOver, game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Line}},
			{"a line of yellow", "1414347", final(db, "4"), table.GameOver, game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Line}},
			{"a full board", full[:41], final(db, full[41:]), table.GameOver, game.Result{Outcome: game.Draw}},
			{"a resignation", "44", ending(db), table.GameOver, game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Resignation}},
			{"the host who leaves", "4", ending(db), table.HostLeft, game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Resignation}},
			{"the guest who leaves", "", ending(db), table.PlayerLeft, game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Resignation}},
		}
		for _, test := range tests {
			t.Run(test.by, func(t *testing.T) {
				host, other := guest(t, db, "Ola"), guest(t, db, "Иван")
				room := newTable(t, db, host, table.Public)
				room.Settings.EndDeadPositions = false
				room, err := db.Store.OpenTable(t.Context(), room, plenty, db.Clock.Now())
				require.NoError(t, err)
				room, g := room.Sit(seat(other), game.ID(newID(t)), false, db.Clock.Now())
				require.NoError(t, db.Store.TakeSeat(t.Context(), room, g, plenty))
				before := saved(t, db, g, test.before)
				after := test.end(t, before)

				stored, err := db.Store.SaveEnd(t.Context(), before, after, test.reason)

				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(after, stored), "(-domain +stored)")
				assert.Equal(t, test.want, stored.Result)
				read, err := db.Store.Game(t.Context(), g.ID)
				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(stored, read))
				closed, err := db.Store.Table(t.Context(), room.ID)
				require.NoError(t, err)
				assert.Equal(t, table.Closed, closed.Status)
				assert.Equal(t, test.reason, closed.Reason)
				assert.Equal(t, room.Version+1, closed.Version)
				assert.Empty(t, cmp.Diff(table.Summarise(stored), closed.Game))
			})
		}
	})
}

func TestSaveEndIsRefusedWhenTheGameHasChanged(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		tests := []struct {
			when      string
			meanwhile func(t *testing.T, g game.Game)
		}{
			{"a move came first", func(t *testing.T, g game.Game) { t.Helper(); saved(t, db, g, "4") }},
			{"another end came first", func(t *testing.T, g game.Game) {
				t.Helper()
				_, err := db.Store.SaveEnd(t.Context(), g, resigned(t, db, g), table.HostLeft)
				require.NoError(t, err)
			}},
		}
		for _, test := range tests {
			t.Run(test.when, func(t *testing.T) {
				room, g := playing(t, db)
				test.meanwhile(t, g)
				gameBefore, _ := db.Store.Game(t.Context(), g.ID)
				tableBefore, _ := db.Store.Table(t.Context(), room.ID)

				_, err := db.Store.SaveEnd(t.Context(), g, resigned(t, db, g), table.PlayerLeft)

				require.ErrorIs(t, err, service.ErrChanged)
				gameAfter, _ := db.Store.Game(t.Context(), g.ID)
				tableAfter, _ := db.Store.Table(t.Context(), room.ID)
				assert.Empty(t, cmp.Diff(gameBefore, gameAfter), "nothing changed")
				assert.Empty(t, cmp.Diff(tableBefore, tableAfter), "nothing changed, the table neither")
			})
		}
	})
}

func TestUnknownGameIsMissing(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		for _, id := range []game.ID{game.ID(newID(t)), "", "no-uuid", "'; --"} {
			_, err := db.Store.Game(t.Context(), id)
			requireFault(t, err, fault.Missing, fault.NotFound)
		}
	})
}

// full is a game that fills the board without a line.
const full = "121212212121343434434343565656656565777777"

// final plays the last move of a game.
func final(db *testkit.Database, column string) func(*testing.T, game.Game) game.Game {
	return func(t *testing.T, g game.Game) game.Game {
		t.Helper()
		return played(t, db, g, column)
	}
}

// ending lets the side to move resign.
func ending(db *testkit.Database) func(*testing.T, game.Game) game.Game {
	return func(t *testing.T, g game.Game) game.Game {
		t.Helper()
		return resigned(t, db, g)
	}
}

func resigned(tb testing.TB, db *testkit.Database, g game.Game) game.Game {
	tb.Helper()
	over, _, err := g.Resign(g.Player(g.Turn()).Profile, db.Clock.Advance(time.Second))
	require.NoError(tb, err)
	return over
}

// requireFault fails unless an error is the fault.
func requireFault(tb testing.TB, err error, kind fault.Kind, code fault.Code) {
	tb.Helper()
	var f *fault.Error
	require.ErrorAs(tb, err, &f)
	require.Equal(tb, kind, f.Kind)
	require.Equal(tb, code, f.Code)
}
