//go:build soak

package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/postgres"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

func TestSoakTwoDevicesRaceForOnePly(t *testing.T) {
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		_, g := playing(t, db)
		for round := range soak.Scaled(t, 1000) {
			requests := []game.Game{
				played(t, db, g, strconv.Itoa(1+round%7)),
				played(t, db, g, strconv.Itoa(1+(round+1)%7)),
			}
			winner := requireOneWinner(t, race(len(requests), func(i int) error {
				_, err := db.Store.SaveGame(t.Context(), g, requests[i], noTimer)
				return err
			}))
			stored, err := db.Store.Game(t.Context(), g.ID)
			require.NoError(t, err)
			require.Equal(t, requests[winner].Moves, stored.Moves)
			if g = stored; g.Ply() == 6 { // before a line is possible
				_, g = playing(t, db)
			}
		}
	})
}

func TestSoakFiftyRaceForOneSeat(t *testing.T) {
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		const many = 50
		host := guest(t, db, "Ola")
		guests := make([]profile.Profile, many)
		for i := range guests {
			guests[i] = guest(t, db, "Иван")
		}
		for range soak.Scaled(t, 200) {
			room := waiting(t, db, host, table.Public)
			ids := make([]game.ID, many)
			for i := range ids {
				ids[i] = game.ID(newID(t))
			}
			winner := requireWinners(t, race(many, func(i int) error {
				_, err := db.Store.ChangeTable(t.Context(), room.ID, sitting(db, guests[i], ids[i], false, plenty))
				return err
			}), 1, isTaken)[0]
			stored, err := db.Store.Table(t.Context(), room.ID)
			require.NoError(t, err)
			require.Equal(t, guests[winner].ID, stored.Seats[1].Profile)
		}
	})
}

// The server crashes again and again under many games. What was acknowledged is there afterwards, nothing is there
// twice, callers hear of nothing but an unavailable database, and the store goes on by itself.
func TestSoakServerCrashesLoseNoMove(t *testing.T) {
	const games, crashes = 20, 5
	db := onOwnServer(t)
	var (
		stop    atomic.Bool
		moves   atomic.Int64
		players sync.WaitGroup
		fails   = make(chan error, games)
		started = make([]game.Game, games)
	)
	for i := range started {
		started[i] = endless(t, db)
	}
	for _, g := range started {
		players.Go(func() {
			if err := playOn(t, db, g, &stop, &moves); err != nil {
				fails <- err
			}
		})
	}
	for range soak.Scaled(t, crashes) {
		before := moves.Load()
		require.Eventually(t, func() bool { return moves.Load() >= before+10*games }, time.Minute, 10*time.Millisecond)
		crash(t, db)
	}
	before := moves.Load()
	require.Eventually(t, func() bool { return moves.Load() >= before+10*games }, time.Minute, 10*time.Millisecond, "it goes on")
	stop.Store(true)
	players.Wait()
	close(fails)
	for err := range fails {
		assert.NoError(t, err)
	}
	t.Logf("%d moves over the crashes", moves.Load())
}

// playOn makes moves, in one row of games after another, until it is told to stop.
func playOn(t *testing.T, db *testkit.Database, g game.Game, stop *atomic.Bool, moves *atomic.Int64) error {
	t.Helper()
	begun := g
	for !stop.Load() {
		if g.Ply() == 40 { // begin again in the same row
			if err := rewind(t.Context(), db, begun); err != nil {
				return err
			}
			g = begun
		}
		request := played(t, db, g, full[g.Ply():g.Ply()+1])
		after, err := insist(t.Context(), db, g, request)
		if err != nil {
			return err
		}
		if after.Moves != request.Moves {
			return fmt.Errorf("game %s has %s, not %s", g.ID, after.Moves, request.Moves)
		}
		g = after
		moves.Add(1)
	}
	return nil
}

// insist saves a move as a client does who sends it again while the database is away.
func insist(ctx context.Context, db *testkit.Database, before, request game.Game) (game.Game, error) {
	for {
		after, err := db.Store.SaveGame(ctx, before, request, noTimer)
		if errors.Is(err, service.ErrChanged) { // by an earlier try, whose answer was lost
			after, err = db.Store.Game(ctx, request.ID)
		}
		var f *fault.Error
		switch {
		case err == nil:
			return after, nil
		case !errors.As(err, &f) || f.Kind() != fault.Unavailable:
			return game.Game{}, fmt.Errorf("the caller was told: %w", err)
		}
	}
}

// rewind makes a row again what it was when its game began, around the Store, for as long as it takes.
func rewind(ctx context.Context, db *testkit.Database, g game.Game) (err error) {
	around, err := sql.Open("pgx", db.Config.URL.DSN())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, around.Close()) }()
	for {
		_, err = around.ExecContext(ctx, "UPDATE games SET moves = '', movers = '', took = '', version = $1, stamp = $2, turn_started = $3 WHERE id = $4",
			g.Version, g.Stamp, g.TurnStarted.UnixMicro(), string(g.ID))
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// onOwnServer makes a database on a server that may crash, and whose commits wait for the disk.
func onOwnServer(t *testing.T) *testkit.Database {
	t.Helper()
	programs, err := postgres.Find()
	require.NoError(t, err)
	server, err := postgres.Start(t.Context(), programs, postgres.Durable)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	url, err := config.ParseDatabaseURL(server.URL())
	require.NoError(t, err)
	db := &testkit.Database{
		Config: config.Database{URL: url, Connections: 8, SQLiteSynchronous: config.SynchronousFull},
		Clock:  testkit.NewClock(), Statements: &testkit.Statements{},
	}
	db.Store = db.Open(t)
	require.NoError(t, db.Store.Migrate(t.Context()))
	return db
}

// crash kills one of the server's processes, on which the server throws all connections out and recovers from its log.
func crash(t *testing.T, db *testkit.Database) {
	t.Helper()
	around := db.SQL(t)
	victim, err := around.Conn(t.Context())
	require.NoError(t, err)
	defer func() { _ = victim.Close() }() // it is dead
	var pid int
	require.NoError(t, victim.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid))
	_, err = around.ExecContext(t.Context(), fmt.Sprintf("COPY (SELECT 1) TO PROGRAM 'kill -9 %d'", pid))
	if err != nil { // the killer is thrown out with the rest
		t.Logf("crash: %v", err)
	}
}
