package store_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
	older "github.com/fourinarow/fourinarow/internal/testkit/kept"
	"github.com/fourinarow/fourinarow/migrations"
)

const (
	postgresWhole = `SELECT table_name, concat_ws(' ', column_name, data_type, is_nullable, column_default) FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT CAST(conrelid AS regclass)::text, conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = CAST('public' AS regnamespace)
UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'`
	sqliteWhole = "SELECT tbl_name, name || ' ' || coalesce(sql, '') FROM sqlite_schema"
)

const versions = "goose_db_version"

// lists reads all rows of a statement as text, without columns that differ from run to run, in order.
func lists(t *testing.T, around *sql.DB, query string) []string {
	t.Helper()
	found, err := around.QueryContext(t.Context(), query)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, found.Close()) }()
	columns, err := found.Columns()
	require.NoError(t, err)
	var all []string
	for found.Next() {
		values, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		require.NoError(t, found.Scan(targets...))
		line := make([]string, 0, len(columns))
		for i, value := range values {
			if columns[i] != "stamp" {
				line = append(line, fmt.Sprintf("%s=%v", columns[i], value))
			}
		}
		all = append(all, strings.Join(line, " "))
	}
	require.NoError(t, found.Err())
	slices.Sort(all)
	return all
}

// whole returns everything that a database holds, schema and rows, by table.
func whole(t *testing.T, db *testkit.Database) map[string][]string {
	t.Helper()
	around := db.SQL(t)
	defer func() { require.NoError(t, around.Close()) }()
	query, tables := postgresWhole, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	if isSQLite(db) {
		query, tables = sqliteWhole, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'"
	}
	all := map[string][]string{"schema": lists(t, around, query)}
	for _, table := range lists(t, around, tables) {
		_, table, _ = strings.Cut(table, "=")
		columns := "*"
		if table == versions {
			columns = "version_id, is_applied"
		}
		all[table] = lists(t, around, "SELECT "+columns+" FROM "+table)
	}
	return all
}

// killing migrates a database by processes that are killed, each some statements later, until a migration is done, and
// then anew from its successor's first statements on.
type killing struct {
	db    *testkit.Database
	step  int // how many statements later; no more than a migration has
	kills int
}

// once migrates by a process that is killed after some statements, and reports whether it was.
func (k *killing) once(t *testing.T, statements int) bool {
	t.Helper()
	s, err := store.Open(t.Context(), k.db.Options())
	require.NoError(t, err)
	process := &doomed{Connector: nil, left: statements, killed: false, die: nil, failed: nil}
	next := k.db
	process.die = func(on driver.Conn) error {
		if conn, isPostgres := on.(*stdlib.Conn); isPostgres {
			return conn.Conn().PgConn().Conn().Close()
		}
		var err error
		next, err = photographed(t, k.db)
		return err
	}
	err = s.MigrateThrough(t.Context(), func(usual driver.Connector) driver.Connector {
		process.Connector = usual
		return process
	})
	require.NoError(t, process.failed)
	require.NoError(t, s.Close())
	if !process.killed {
		require.NoError(t, err)
		return false
	}
	require.ErrorIs(t, err, errKilled)
	k.db = next
	k.kills++
	awaitGone(t, k.db)
	return true
}

// photographed copies the files of an SQLite database as they are now, which is what a killed process leaves.
func photographed(t *testing.T, db *testkit.Database) (*testkit.Database, error) {
	t.Helper()
	copied := *db
	path := filepath.Join(t.TempDir(), "fourinarow.db")
	if err := copied.Config.URL.UnmarshalText([]byte("sqlite://" + path)); err != nil {
		return nil, err
	}
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(db.Config.URL.Path() + suffix)
		if err != nil {
			return nil, err
		}
		if err = os.WriteFile(path+suffix, content, 0o600); err != nil {
			return nil, err
		}
	}
	return &copied, nil
}

// awaitGone waits until PostgreSQL has noticed that the migrator is gone.
func awaitGone(t *testing.T, db *testkit.Database) {
	t.Helper()
	if isSQLite(db) {
		return
	}
	around := db.SQL(t)
	defer func() { require.NoError(t, around.Close()) }()
	require.Eventually(t, func() bool {
		var others int
		const query = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'fourinarow'`
		return around.QueryRowContext(t.Context(), query).Scan(&others) == nil && others == 0
	}, patience, time.Millisecond)
}

// throughout returns what the database holds in the end.
func (k *killing) throughout(t *testing.T) map[string][]string {
	t.Helper()
	before := whole(t, k.db)
	for statements := rand.IntN(k.step); k.once(t, statements); statements += k.step {
		after := whole(t, k.db)
		if len(after[versions]) > len(before[versions]) {
			require.Len(t, after[versions], max(1, len(before[versions])+1), "one migration at a time")
			before, statements = after, rand.IntN(k.step)-k.step
			continue
		}
		require.Equal(t, before, after, "nothing is half done when it is killed before statement %d", statements)
	}
	return whole(t, k.db)
}

// The soak kills at every statement.
func TestAMigrationThatIsKilledIsDoneWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	killMigrations(t, 5)
}

func killMigrations(t *testing.T, step int) {
	t.Helper()
	for name, start := range map[string]func(t *testing.T, postgres bool) *testkit.Database{
		"of nothing": func(t *testing.T, postgres bool) *testkit.Database {
			t.Helper()
			if postgres {
				return testkit.RestoredPostgres(t, []byte("SELECT 1"))
			}
			return testkit.RestoredSQLite(t, nil)
		},
		"of what an older program has left": keptDatabase,
	} {
		for _, dialect := range []string{"sqlite", "postgres"} {
			t.Run(name+"/"+dialect, func(t *testing.T) {
				t.Parallel()
				unhurt := start(t, dialect == "postgres")
				require.NoError(t, unhurt.Store.Migrate(t.Context()))
				k := &killing{db: start(t, dialect == "postgres"), step: step, kills: 0}
				require.NoError(t, k.db.Store.Close())
				result := k.throughout(t)
				require.Empty(t, testkit.Diff(whole(t, unhurt), result))
				assert.Greater(t, k.kills, 40/step)
				t.Logf("killed %d times", k.kills)
			})
		}
	}
}

// keptDatabase is the oldest that is kept, with rows in it.
func keptDatabase(t *testing.T, postgres bool) *testkit.Database {
	t.Helper()
	folder := filepath.Join("..", "..", "migrations", "testdata", "0005")
	if postgres {
		dump, err := older.Unpack(filepath.Join(folder, older.Postgres))
		require.NoError(t, err)
		return testkit.RestoredPostgres(t, dump)
	}
	content, err := older.Unpack(filepath.Join(folder, older.SQLite))
	require.NoError(t, err)
	return testkit.RestoredSQLite(t, content)
}

// Only a migration in one transaction is done whole or not at all.
func TestEveryMigrationIsATransaction(t *testing.T) {
	t.Parallel()
	require.NoError(t, fs.WalkDir(migrations.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.Files, path)
		assert.NotContains(t, strings.ToUpper(string(text)), "+GOOSE NO TRANSACTION", path)
		return err
	}))
}
