package store_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// plenty of open tables, where a test isn't about their number.
const plenty = 1_000_000

// noTimer leaves a timer alone.
var noTimer = time.Time{}

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
	p := profile.Profile{
		ID: profile.ID(newID(tb)), Name: name, Locale: "", Created: db.Clock.Now(), Standing: profile.Newcomer(), Rank: 0,
	}
	return p, profile.Device{ID: profile.DeviceID(newID(tb)), Profile: p.ID, Hash: token.Hash(), Created: db.Clock.Now()}
}

// seat is that of somebody who sits down now.
func seat(db *testkit.Database, p profile.Profile) table.Seat {
	return table.Seat{Kind: game.Human, Profile: p.ID, Name: p.Name, Rating: p.Standing.Rating, Seen: db.Clock.Now()}
}

func defaults() game.Settings { return game.Defaults(houserule.Standard()) }

// newTable makes a table that isn't stored.
func newTable(tb testing.TB, db *testkit.Database, host profile.Profile, v table.Visibility, settings ...game.Settings) table.Table {
	tb.Helper()
	code, err := table.NewInviteCode(rand.Reader)
	require.NoError(tb, err)
	return table.Open(table.Opening{
		ID: table.ID(newID(tb)), Host: seat(db, host), Visibility: v, Invite: code,
		Settings: append(settings, defaults())[0],
	}, db.Clock.Now())
}

// opened stores a table.
func opened(tb testing.TB, db *testkit.Database, t table.Table) table.Table {
	tb.Helper()
	t, err := db.Store.OpenTable(tb.Context(), t, noTimer, plenty, db.Clock.Now())
	require.NoError(tb, err)
	return t
}

// waiting stores a table that waits for its guest.
func waiting(tb testing.TB, db *testkit.Database, host profile.Profile, v table.Visibility) table.Table {
	tb.Helper()
	return opened(tb, db, newTable(tb, db, host, v))
}

// change stores what becomes of a table.
func change(tb testing.TB, db *testkit.Database, id table.ID, decide func(t table.Table) service.TableChange) table.Table {
	tb.Helper()
	t, err := db.Store.ChangeTable(tb.Context(), id, func(t table.Table) (service.TableChange, error) { return decide(t), nil })
	require.NoError(tb, err)
	return t
}

// sitting is what becomes of a table at which somebody sits down, with its game due for nobody.
func sitting(db *testkit.Database, p profile.Profile, id game.ID, chance bool, atMost int) func(t table.Table) (service.TableChange, error) {
	return func(t table.Table) (service.TableChange, error) {
		if err := t.Admit(p.ID, t.Invite, 0); err != nil {
			return service.TableChange{}, err
		}
		now := db.Clock.Now()
		return service.TableChange{
			Table: t.Sit(seat(db, p), id, chance, time.Time{}, now), Seated: p.ID, AtMost: atMost,
			Presence: &service.PresenceSaid{Seat: game.GuestSeat, Away: false, At: now},
		}, nil
	}
}

// taken lets somebody sit down.
func taken(tb testing.TB, db *testkit.Database, room table.Table, p profile.Profile) table.Table {
	tb.Helper()
	t, err := db.Store.ChangeTable(tb.Context(), room.ID, sitting(db, p, game.ID(newID(tb)), false, plenty))
	require.NoError(tb, err)
	return t
}

// closed closes a table.
func closed(tb testing.TB, db *testkit.Database, id table.ID, reason table.CloseReason) table.Table {
	tb.Helper()
	return change(tb, db, id, func(t table.Table) service.TableChange {
		t = t.Close(reason)
		return service.TableChange{Table: t, Game: t.Game}
	})
}

// playing stores a table of two new players, and the game they play.
func playing(tb testing.TB, db *testkit.Database, settings ...game.Settings) (table.Table, game.Game) {
	tb.Helper()
	room := opened(tb, db, newTable(tb, db, guest(tb, db, "Ola"), table.Public, settings...))
	room = taken(tb, db, room, guest(tb, db, "Иван"))
	return room, *room.Game
}

// rankedGame stores a table of two at which games are ranked, and the game they play.
func rankedGame(tb testing.TB, db *testkit.Database, host, other profile.Profile) game.Game {
	tb.Helper()
	request := newTable(tb, db, host, table.Public)
	request.Ranked = true
	return *taken(tb, db, opened(tb, db, request), other).Game
}

// endless stores a table of two new players, and a game that only a line or a full board ends.
func endless(tb testing.TB, db *testkit.Database) game.Game {
	tb.Helper()
	rules := defaults()
	rules.EndDeadPositions = false
	_, g := playing(tb, db, rules)
	return g
}

// versusCPU stores a table against the CPU, which plays the second seat, with a timer of its game.
func versusCPU(tb testing.TB, db *testkit.Database, due time.Time) (table.Table, game.Game) {
	tb.Helper()
	room := newTable(tb, db, guest(tb, db, "Ola"), table.Private)
	room = room.Sit(table.Seat{Kind: game.CPU, Level: level.Medium}, game.ID(newID(tb)), false, time.Time{}, db.Clock.Now())
	room.Version = 1
	room, err := db.Store.OpenTable(tb.Context(), room, due, plenty, db.Clock.Now())
	require.NoError(tb, err)
	return room, *room.Game
}

// played is a game after more moves, each a second after the one before.
func played(tb testing.TB, db *testkit.Database, g game.Game, columns string) game.Game {
	tb.Helper()
	for _, digit := range columns {
		var err error
		g, _, err = g.Play(g.Player(g.Turn()).Profile, g.Ply()+1, board.Column(digit-'0'), db.Clock.Advance(time.Second), nil)
		require.NoError(tb, err)
	}
	return g
}

// saved plays moves and stores each.
func saved(tb testing.TB, db *testkit.Database, g game.Game, columns string) game.Game {
	tb.Helper()
	for _, digit := range columns {
		g = kept(tb, db, g, played(tb, db, g, string(digit)))
	}
	return g
}

// kept stores a running game.
func kept(tb testing.TB, db *testkit.Database, before, after game.Game) game.Game {
	tb.Helper()
	g, err := db.Store.SaveGame(tb.Context(), before, after, noTimer)
	require.NoError(tb, err)
	return g
}

// ended stores a game that is over.
func ended(tb testing.TB, db *testkit.Database, before, after game.Game) (game.Game, table.Table) {
	tb.Helper()
	g, t, err := db.Store.SaveEnd(tb.Context(), before, after)
	require.NoError(tb, err)
	return g, t
}

// resigned is a game that the side to move gives up.
func resigned(tb testing.TB, db *testkit.Database, g game.Game) game.Game {
	tb.Helper()
	over, _, err := g.Resign(g.Player(g.Turn()).Profile, db.Clock.Advance(time.Second))
	require.NoError(tb, err)
	return over
}

// flipped is a game in which a side's owner is there or not.
func flipped(db *testkit.Database, g game.Game, side board.Side, to game.Presence) game.Game {
	g, _ = g.SetPresence(side, to, db.Clock.Now())
	return g
}

// requireFault fails unless an error is the fault.
func requireFault(tb testing.TB, err error, code fault.Code) {
	tb.Helper()
	var f *fault.Error
	require.ErrorAs(tb, err, &f)
	require.Equal(tb, code, f.Code)
}

func isSQLite(db *testkit.Database) bool { return db.Config.URL.Dialect() == config.SQLite }
