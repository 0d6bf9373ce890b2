package service_test

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/text"
)

// pace is the CPU's.
const pace = 400 * time.Millisecond

// world is a service on a database, whose clock the test moves and whose worker is the test.
type world struct {
	db       *testkit.Database
	hub      *live.Hub
	profiles *service.Profiles
	tables   *service.Tables
	games    *service.Games
	duty     *service.Duty
}

// deaf is an observer that isn't interested.
type deaf struct{}

func (deaf) Moved(game.Controller, game.Outcome) {}
func (deaf) Covered()                            {}
func (deaf) Flipped(game.Presence)               {}
func (deaf) WokeUp(time.Duration)                {}
func (deaf) Lagged(time.Duration)                {}
func (deaf) Lowered(string, string)              {}
func (deaf) CutShort()                           {}

// newWorld makes one replica of a service on a database.
func newWorld(tb testing.TB, db *testkit.Database) *world {
	tb.Helper()
	return newWorldOver(tb, db, db.Store)
}

// unbroken are duties of a service that was never down, however the clock jumps.
type unbroken struct{ service.DutyStore }

// Beat finds no outage.
func (u unbroken) Beat(ctx context.Context, at time.Time, _ time.Duration, since time.Time) (game.Outages, error) {
	return u.DutyStore.Beat(ctx, at, 10_000*time.Hour, since)
}

func newWorldOver(tb testing.TB, db *testkit.Database, duties service.DutyStore, options ...func(*service.Deps)) *world {
	tb.Helper()
	w := &world{db: db, hub: live.NewHub(10_000, db.Clock.Now)}
	deps := service.Deps{
		Profiles: db.Store, Tables: db.Store, Games: db.Store, Duties: duties, History: db.Store, Waiters: w.hub,
		Attendance: service.NewAttendance(), Uptime: service.NewUptime(duties, db.Clock.Now),
		Chooser: cpu.New(solver.NewPool(1, solver.Options{})), Rules: service.NewCatalogue(db.Store, db.Clock.Now), Clock: db.Clock.Now,
		Random: rand.Reader, Observe: deaf{}, Due: func(time.Time) {},
		Settings: service.Settings{
			PublicURL: "https://four.example", OpenTables: 3, WaitAtMost: 30 * time.Second, WaitersPerGame: 4,
			WaitersPerAddress: 10, TokenCacheLifetime: 2 * time.Second, CPUPace: pace,
		},
	}
	for _, o := range options {
		o(&deps)
	}
	var err error
	w.profiles, err = service.NewProfiles(deps)
	require.NoError(tb, err)
	w.tables, w.games, w.duty = service.NewTables(deps), service.NewGames(deps), service.NewDuty(deps)
	return w
}

// onBoth runs a test against a service on each database.
func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) { test(t, newWorld(t, db)) })
}

// guest opens a profile and returns it as a caller.
func (w *world) guest(tb testing.TB, name profile.Name) service.Caller {
	tb.Helper()
	_, token, err := w.profiles.Open(tb.Context(), profile.Change{Name: &name}, "", text.English)
	require.NoError(tb, err)
	device, err := w.profiles.Identify(tb.Context(), token)
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

func (w *world) match(tb testing.TB, wish service.NewTable) *match {
	tb.Helper()
	m := &match{w: w, red: w.guest(tb, "Ola"), yellow: w.guest(tb, "Иван")}
	wish.Visibility = table.Public
	opened, err := w.tables.Open(tb.Context(), m.red, wish)
	require.NoError(tb, err)
	seated, err := w.tables.TakeSeat(tb.Context(), m.yellow, opened.Table.ID, "", 0)
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
		view, err = m.w.games.Play(tb.Context(), m.mover(i+1), m.game, i+1, board.Column(digit-'0'))
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
	return service.NewTable{Choices: service.Choices{MoveTimeLimitSeconds: new(30), OnTimeout: &onTimeout}}
}

// pass lets time go by in steps of a second, with all that falls due in each; longer ones would be an outage.
func (w *world) pass(tb testing.TB, span time.Duration) {
	tb.Helper()
	for ; span > 0; span -= time.Second {
		w.db.Clock.Advance(min(span, time.Second))
		w.work(tb)
	}
}

// work does what is due now.
func (w *world) work(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, w.duty.Beat(tb.Context()))
	require.NoError(tb, w.duty.WriteAttendance(tb.Context()))
	for range 5 { // what was done may make more due at once
		turns, claimed, err := w.duty.Sweep(tb.Context())
		require.NoError(tb, err)
		for _, turn := range turns {
			require.NoError(tb, w.duty.MoveCPU(tb.Context(), turn, cpu.Calm))
		}
		if claimed == 0 {
			return
		}
	}
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
	before := w.hub.Waiting()
	answers := make(chan answer, 1)
	go func() {
		view, _, err := w.games.Follow(ctx, c, id, after(1, 20*time.Second))
		answers <- answer{view: view, err: err}
	}()
	require.Eventually(tb, func() bool { return w.hub.Waiting() > before }, 10*time.Second, time.Millisecond)
	return answers
}
