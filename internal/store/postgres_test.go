package store_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// withParameter sets a parameter of the session through the URL, as an operator would.
func withParameter(tb testing.TB, name, value string) func(*store.Options) {
	tb.Helper()
	return func(o *store.Options) {
		parsed, err := url.Parse(o.Database.URL.DSN())
		require.NoError(tb, err)
		query := parsed.Query()
		query.Set(name, value)
		parsed.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // the driver takes a + for itself
		require.NoError(tb, o.Database.URL.UnmarshalText([]byte(parsed.String())))
	}
}

// lockRow keeps the row of a game from others until the test ends.
func lockRow(tb testing.TB, db *testkit.Database, g game.Game) {
	tb.Helper()
	holder, err := db.SQL(tb).BeginTx(context.WithoutCancel(tb.Context()), nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, holder.Rollback()) })
	_, err = holder.ExecContext(tb.Context(), "SELECT 1 FROM games WHERE id = $1 FOR UPDATE", string(g.ID))
	require.NoError(tb, err)
}

// awaitLock waits until somebody waits for a lock in the database.
func awaitLock(t *testing.T, db *testkit.Database) {
	t.Helper()
	around := db.SQL(t)
	require.Eventually(t, func() bool {
		var waiting int
		err := around.QueryRowContext(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
		return err == nil && waiting > 0
	}, patience, 5*time.Millisecond)
}

// idleInTransaction counts transactions that nobody ends; on SQLite it can't know of any.
func idleInTransaction(tb testing.TB, db *testkit.Database) int {
	tb.Helper()
	if isSQLite(db) {
		return 0
	}
	var idle int
	require.NoError(tb, db.SQL(tb).QueryRowContext(tb.Context(),
		"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'").Scan(&idle))
	return idle
}

func TestPasswordIsInNoError(t *testing.T) {
	t.Parallel()
	const secret, encoded = "ge heim%", "ge%20heim%25"
	db := testkit.Postgres(t)
	server, err := url.Parse(db.Config.URL.DSN())
	require.NoError(t, err)
	for _, dsn := range []string{
		"postgres://me:" + encoded + "@" + server.Host + "/nothing",                       // wrong
		"postgres://me:" + encoded + "@127.0.0.1:1/nothing",                               // nobody there
		"postgres://me:" + encoded + "@no-such-host.invalid/nothing",                      // nowhere
		"postgres://me:" + encoded + "@" + server.Host + "/nothing?sslmode=sometimes",     // no such mode
		"postgres://me@" + server.Host + "/nothing?sslmode=sometimes&password=" + encoded, // in the query
		"postgres://me:" + encoded + "@" + server.Host + "/nothing?connect_timeout=" + encoded,
	} {
		options := db.Options()
		require.NoError(t, options.Database.URL.UnmarshalText([]byte(dsn)))
		_, err := store.Open(t.Context(), options)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), secret)
		assert.NotContains(t, err.Error(), encoded)
	}
}

func TestTimesAreThoseOfUTCWhateverTheSessionSays(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	exec(t, db.SQL(t), "ALTER DATABASE "+databaseName(t, db)+" SET timezone TO 'Asia/Kathmandu'")
	db.Store = db.Open(t, withParameter(t, "timezone", "Pacific/Chatham"))
	room, g := playing(t, db)
	stored, err := db.Open(t).Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Equal(t, g.Started, stored.Started)
	read, err := db.Store.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.Equal(t, room.Created, read.Created)
}

func databaseName(tb testing.TB, db *testkit.Database) string {
	tb.Helper()
	parsed, err := url.Parse(db.Config.URL.DSN())
	require.NoError(tb, err)
	return parsed.Path[1:]
}

// A move changes no indexed column and finds room on its page: the index grows by nothing.
func TestMovesAreHotUpdates(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	for range 20 {
		g := endless(t, db)
		saved(t, db, g, full[:40])
	}
	require.NoError(t, db.Store.Close()) // a session reports what it did when it ends
	around := db.SQL(t)
	var updates, hot int
	require.Eventually(t, func() bool {
		err := around.QueryRowContext(t.Context(),
			"SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'games'").Scan(&updates, &hot)
		return err == nil && updates == 20*40
	}, patience, 20*time.Millisecond)
	assert.Greater(t, hot, updates*9/10)
}

func TestStatementPreparedBeforeAMigrationIsPreparedAnew(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s := db.Open(t, func(o *store.Options) { o.Database.Connections = 1 })
	_, g := playing(t, db)
	g, err := s.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer)
	require.NoError(t, err)
	_, err = s.Game(t.Context(), g.ID)
	require.NoError(t, err)
	exec(t, db.SQL(t), "ALTER TABLE games ALTER COLUMN version TYPE bigint, ALTER COLUMN moves TYPE varchar(50)")

	_, err = s.Game(t.Context(), g.ID)
	require.NoError(t, err)
	exec(t, db.SQL(t), "ALTER TABLE games ALTER COLUMN moves TYPE text")
	_, err = s.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer)
	require.NoError(t, err)
}
