package store_test

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/migrations"
)

// oldMigrator migrates a database that has nothing yet, as far as a test wants.
func oldMigrator(t *testing.T, db *testkit.Database) *goose.Provider {
	t.Helper()
	folder, dialect := "postgres", goose.DialectPostgres
	if isSQLite(db) {
		folder, dialect = "sqlite", goose.DialectSQLite3
	}
	files, err := fs.Sub(migrations.Files, folder)
	require.NoError(t, err)
	migrator, err := goose.NewProvider(dialect, db.SQL(t), files)
	require.NoError(t, err)
	return migrator
}

// oldTable reads a table that was there before.
func oldTable(t *testing.T, db *testkit.Database, n int) table.Table {
	t.Helper()
	found, err := db.Store.Table(t.Context(), table.ID(oldID("table", n)))
	require.NoError(t, err)
	return found
}

func TestTablesOfBeforeShowTheRatingsAfterTheirLastGames(t *testing.T) {
	t.Parallel()
	testkit.OnBothEmptyDatabases(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		around, migrator := db.SQL(t), oldMigrator(t, db)
		_, err := migrator.UpTo(t.Context(), 1)
		require.NoError(t, err)
		for player := range 2 {
			exec(t, around, fmt.Sprintf("INSERT INTO profiles (id, name, created) VALUES ('%s', 'Ola', 1)", oldID("profile", player+1)))
		}
		for n, old := range []oldGame{ // the second and the fourth are rated below
			{red: 1, yellow: 2, winner: "red"},
			{red: 1, yellow: 2, winner: "red", ranked: true},
			{red: 1, yellow: 0, winner: "red"},
			{red: 2, yellow: 1, winner: "red", ranked: true},
		} {
			old.insert(t, around, n+1)
		}
		_, err = migrator.UpTo(t.Context(), 5)
		require.NoError(t, err)
		for _, change := range []struct{ n, game, player, rival, before, after int }{
			{1, 2, 1, 2, 1500_000000, 1516_000000},
			{1, 2, 2, 1, 1500_000000, 1484_000000},
			{2, 4, 1, 2, 1516_000000, 1498_530000},
			{2, 4, 2, 1, 1484_000000, 1501_470000},
		} {
			exec(t, around, fmt.Sprintf("INSERT INTO rating_changes (profile_id, n, game_id, opponent_id, before, after, changed) VALUES ('%s', %d, '%s', '%s', %d, %d, 1)",
				oldID("profile", change.player), change.n, oldID("game", change.game), oldID("profile", change.rival), change.before, change.after))
		}
		exec(t, around, "INSERT INTO seat_presence (table_id, seat, last_seen, said_away) VALUES ('"+oldID("table", 2)+"', 1, 7, false)")

		require.NoError(t, db.Store.Migrate(t.Context()))

		for n, want := range []struct {
			host, guest profile.Rating
			version     int64
		}{
			{1500_000000, 1500_000000, 3}, // as it was
			{1516_000000, 1484_000000, 4},
			{1516_000000, 0, 4},
			{1501_470000, 1498_530000, 4},
		} {
			found := oldTable(t, db, n+1)
			assert.Equal(t, want.host, found.Seats[0].Rating, "host of table %d", n+1)
			assert.Equal(t, want.guest, found.Seats[1].Rating, "guest of table %d", n+1)
			assert.Equal(t, want.version, found.Version, "table %d", n+1)
			assert.Equal(t, table.Idle, found.Reason)
		}
		assert.EqualValues(t, 7, oldTable(t, db, 2).Seats[0].Seen.UnixMicro(), "what refers to a table is still there")
		if isSQLite(db) {
			var verdict string
			require.NoError(t, around.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict))
			assert.Equal(t, "ok", verdict)
		}
	})
}

func TestWhoWaitedForAQuickMatchBeforeGoesOnWaiting(t *testing.T) {
	t.Parallel()
	testkit.OnBothEmptyDatabases(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		around, migrator := db.SQL(t), oldMigrator(t, db)
		_, err := migrator.UpTo(t.Context(), 5)
		require.NoError(t, err)
		exec(t, around, fmt.Sprintf("INSERT INTO profiles (id, name, created) VALUES ('%s', 'Ola', 1)", oldID("profile", 1)))
		for n, row := range []struct {
			clock int
			quick bool
		}{{0, true}, {30, true}, {0, false}} {
			exec(t, around, fmt.Sprintf(`INSERT INTO tables (id, version, status, visibility, ranked, settings_version, alternate_first_move,
first_player, move_time_limit_seconds, end_dead_positions, on_timeout, cpu_cover, cover_grace_seconds, cover_level, seat1_profile, seat1_name,
seat1_left, seat1_wins, seat2_left, seat2_wins, draws, next_first, quick, created, active)
VALUES ('%s', 1, 'waiting', 'public', FALSE, 1, TRUE, 'seat_order', %d, TRUE, 'cpu_move', TRUE, 30, 'medium', '%s', 'Ola',
FALSE, 0, FALSE, 0, 0, 1, %t, 1, 1)`, oldID("table", n+1), row.clock, oldID("profile", 1), row.quick))
		}

		require.NoError(t, db.Store.Migrate(t.Context()))

		assert.True(t, oldTable(t, db, 1).AnyClock, "a clock that is the default's need not have been named")
		assert.False(t, oldTable(t, db, 2).AnyClock)
		assert.False(t, oldTable(t, db, 3).AnyClock, "and not at a table of the lobby")
		for n := range 3 {
			assert.EqualValues(t, 1, oldTable(t, db, n+1).Version)
		}
	})
}
