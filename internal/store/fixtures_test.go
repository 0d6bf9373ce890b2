package store_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// plenty of open tables, where a test isn't about their number.
const plenty = 1_000_000

func newID(tb testing.TB) string {
	tb.Helper()
	id, err := uuid.NewV7()
	require.NoError(tb, err)
	return id.String()
}

// guest stores a player.
func guest(tb testing.TB, db *testkit.Database, name profile.Name) profile.Profile {
	tb.Helper()
	p, d := stranger(tb, db, name)
	require.NoError(tb, db.Store.OpenProfile(tb.Context(), p, d))
	return p
}

// stranger makes a player who isn't stored.
func stranger(tb testing.TB, db *testkit.Database, name profile.Name) (profile.Profile, profile.Device) {
	tb.Helper()
	token, err := profile.NewToken(rand.Reader)
	require.NoError(tb, err)
	p := profile.Profile{ID: profile.ID(newID(tb)), Name: name, Locale: "", Created: db.Clock.Now()}
	return p, profile.Device{ID: profile.DeviceID(newID(tb)), Profile: p.ID, Hash: token.Hash(), Created: db.Clock.Now()}
}

func seat(p profile.Profile) table.Seat { return table.Seat{Profile: p.ID, Name: p.Name} }

// newTable makes a table that isn't stored.
func newTable(tb testing.TB, db *testkit.Database, host profile.Profile, v table.Visibility) table.Table {
	tb.Helper()
	code, err := table.NewInviteCode(rand.Reader)
	require.NoError(tb, err)
	return table.Open(table.Opening{
		ID: table.ID(newID(tb)), Host: seat(host), Visibility: v, Invite: code,
		Settings: game.Settings{FirstPlayer: houserule.SeatOrder, EndDeadPositions: true}, ClientRef: "",
	}, db.Clock.Now())
}

// waiting stores a table that waits for its guest.
func waiting(tb testing.TB, db *testkit.Database, host profile.Profile, v table.Visibility) table.Table {
	tb.Helper()
	t, err := db.Store.OpenTable(tb.Context(), newTable(tb, db, host, v), plenty, db.Clock.Now())
	require.NoError(tb, err)
	return t
}

// playing stores a table of two new players, and the game they play.
func playing(tb testing.TB, db *testkit.Database) (table.Table, game.Game) {
	tb.Helper()
	t := waiting(tb, db, guest(tb, db, "Ola"), table.Public)
	t, g := t.Sit(seat(guest(tb, db, "Иван")), game.ID(newID(tb)), false, db.Clock.Now())
	require.NoError(tb, db.Store.TakeSeat(tb.Context(), t, g, plenty))
	return t, g
}

// played is a game after more moves, each a second after the one before.
func played(tb testing.TB, db *testkit.Database, g game.Game, columns string) game.Game {
	tb.Helper()
	for _, digit := range columns {
		var err error
		g, _, err = g.Play(g.Player(g.Turn()).Profile, g.Ply()+1, board.Column(digit-'0'), db.Clock.Advance(time.Second))
		require.NoError(tb, err)
	}
	return g
}

// saved plays moves and stores each.
func saved(tb testing.TB, db *testkit.Database, g game.Game, columns string) game.Game {
	tb.Helper()
	for _, digit := range columns {
		var err error
		g, err = db.Store.SaveMove(tb.Context(), played(tb, db, g, string(digit)))
		require.NoError(tb, err)
	}
	return g
}
