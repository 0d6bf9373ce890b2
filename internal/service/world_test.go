package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/text"
)

// world is a service on a database.
type world struct {
	testkit.Service

	db *testkit.Database
}

// newWorld makes one replica of a service on a database.
func newWorld(tb testing.TB, db *testkit.Database, changes ...func(*service.Outside)) *world {
	tb.Helper()
	return &world{Service: testkit.Wire(tb, db, live.NewHub(10_000, testkit.Waiters(), db.Clock.Now), changes...), db: db}
}

// onEither runs a test against a service where either database will do: what differs between them ends in the store, whose
// tests run on both.
func onEither(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	test(t, newWorld(t, testkit.SQLite(t)))
}

// onBoth runs a test against a service on each database: for what races, locks and the check of what is stored make of it.
func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) { test(t, newWorld(t, db)) })
}

// guest opens a profile and returns it as a caller.
func (w *world) guest(tb testing.TB, name profile.Name) service.Caller {
	tb.Helper()
	_, token, err := w.Profiles.Open(tb.Context(), profile.Change{Name: &name}, "", text.English)
	require.NoError(tb, err)
	device, err := w.Devices.Identify(tb.Context(), token)
	require.NoError(tb, err)
	return service.Caller{Profile: device.Profile, Device: device.ID, Address: "192.0.2.1"}
}

// match is a table of two with a running game.
type match struct {
	w           *world
	red, yellow service.Caller
	table       table.ID
	game        game.ID
}

func (w *world) match(tb testing.TB, request service.NewTable) *match {
	tb.Helper()
	m := &match{w: w, red: w.guest(tb, "Ola"), yellow: w.guest(tb, "Иван")}
	request.Visibility = table.Public
	opened, err := w.Tables.Open(tb.Context(), m.red, request)
	require.NoError(tb, err)
	seated, err := w.Tables.TakeSeat(tb.Context(), m.yellow, opened.Table.ID, "", 0)
	require.NoError(tb, err)
	m.table, m.game = seated.Table.ID, seated.Table.Game.ID
	return m
}

// mover returns who makes a ply.
func (m *match) mover(ply int) service.Caller {
	if ply%2 == 1 {
		return m.red
	}
	return m.yellow
}

// play plays moves from the beginning.
func (m *match) play(tb testing.TB, moves string) service.GameView {
	tb.Helper()
	var view service.GameView
	for i, digit := range []byte(moves) {
		var err error
		view, err = m.w.Games.Play(tb.Context(), m.mover(i+1), m.game, i+1, board.Column(digit-'0'))
		require.NoError(tb, err, "ply %d", i+1)
	}
	return view
}

// now reads the game as nobody's, so that nobody is here by it.
func (m *match) now(tb testing.TB) game.Game {
	tb.Helper()
	g, err := m.w.db.Store.Game(tb.Context(), m.game)
	require.NoError(tb, err)
	return g
}

// clock30 is a table with 30 seconds a move.
func clock30(onTimeout string) service.NewTable {
	return service.NewTable{Choices: service.Choices{houserule.MoveTimeLimit: "30", houserule.OnTimeout: onTimeout}}
}

// refused expects a fault.
func refused(tb testing.TB, err error, code fault.Code) {
	tb.Helper()
	require.True(tb, fault.Is(err, code), "%v", err)
}

// after asks for news after a version.
func after(version int64, wait time.Duration) service.Poll {
	return service.Poll{After: &version, Wait: wait}
}

// answer is what a waiting request was told.
type answer struct {
	view *service.GameView
	err  error
}

// waits begins to wait for news of a game that has just begun and returns when the hub knows of it.
func (w *world) waits(ctx context.Context, tb testing.TB, c service.Caller, id game.ID) <-chan answer {
	tb.Helper()
	before := w.Hub.Waiting()
	answers := make(chan answer, 1)
	go func() {
		view, _, err := w.Games.Follow(ctx, c, id, after(1, 20*time.Second))
		answers <- answer{view: view, err: err}
	}()
	require.Eventually(tb, func() bool { return w.Hub.Waiting() > before }, 10*time.Second, time.Millisecond)
	return answers
}
