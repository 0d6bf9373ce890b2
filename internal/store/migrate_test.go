package store_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// schema is for each table its columns, and whether they may be NULL.
type schema map[string]map[string]bool

const (
	postgresSchema = `SELECT table_name, column_name, is_nullable = 'YES' FROM information_schema.columns WHERE table_schema = 'public'`
	sqliteSchema   = `SELECT t.name, c.name, NOT c."notnull" FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`
)

func readSchema(tb testing.TB, db *testkit.Database) schema {
	tb.Helper()
	query := postgresSchema
	if isSQLite(db) {
		query = sqliteSchema
	}
	rows, err := db.SQL(tb).QueryContext(tb.Context(), query)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, rows.Close()) }()
	found := schema{}
	for rows.Next() {
		var table, column string
		var nullable bool
		require.NoError(tb, rows.Scan(&table, &column, &nullable))
		if table == "goose_db_version" || table == "sqlite_sequence" { // the migrator's own
			continue
		}
		if found[table] == nil {
			found[table] = map[string]bool{}
		}
		found[table][column] = nullable
	}
	require.NoError(tb, rows.Err())
	return found
}

func TestBothDialectsHaveTheSameTablesAndColumns(t *testing.T) {
	t.Parallel()
	inSQLite, inPostgres := readSchema(t, testkit.SQLite(t)), readSchema(t, testkit.Postgres(t))
	for _, feed := range []string{"changes_a", "changes_b"} { // an SQLite file has no other replicas to tell
		assert.Contains(t, inPostgres, feed)
		delete(inPostgres, feed)
	}
	assert.Empty(t, cmp.Diff(inSQLite, inPostgres), "(-SQLite +PostgreSQL)")
	assert.Contains(t, inSQLite["games"], "moves")
}

func TestMigratingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	testkit.OnBothEmptyDatabases(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		require.Empty(t, readSchema(t, db))
		require.NoError(t, db.Store.Migrate(t.Context()))
		once := readSchema(t, db)
		_, g := playing(t, db)

		require.NoError(t, db.Store.Migrate(t.Context()))

		assert.Empty(t, cmp.Diff(once, readSchema(t, db)))
		_, err := db.Store.Game(t.Context(), g.ID)
		require.NoError(t, err)
	})
}

func (conformance) TestNewerSchemaIsRefused(t *testing.T, db *testkit.Database) {
	exec(t, db.SQL(t), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)")

	err := db.Store.Migrate(t.Context())

	var newer *store.NewerSchemaError
	require.ErrorAs(t, err, &newer)
	assert.Equal(t, int64(99999), newer.Database)
	assert.Positive(t, newer.Program)
	assert.Less(t, newer.Program, newer.Database)
	assert.Contains(t, err.Error(), "version 99999, this program knows up to ")
}

func TestManyMayMigrateAtOnce(t *testing.T) {
	t.Parallel()
	testkit.OnBothEmptyDatabases(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		const many = 4
		stores := make([]*store.Store, many)
		for i := range stores {
			stores[i] = db.Open(t)
		}
		for _, err := range race(many, func(i int) error { return stores[i].Migrate(t.Context()) }) {
			require.NoError(t, err)
		}
		playing(t, db)
		var applied int
		count := "SELECT count(*) FROM goose_db_version WHERE version_id = 1"
		require.NoError(t, db.SQL(t).QueryRowContext(t.Context(), count).Scan(&applied))
		assert.Equal(t, 1, applied)
	})
}

func TestMigrationOfALockedFileWaitsAndChangesNothingMeanwhile(t *testing.T) {
	t.Parallel()
	db := newSQLite(t)
	holder := hold(t, db)

	impatient, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- db.Store.Migrate(impatient) }()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Empty(t, readSchema(t, db))

	go func() { ended <- db.Store.Migrate(t.Context()) }()
	require.NoError(t, holder.Rollback())
	require.NoError(t, <-ended)
	playing(t, db)
}

// hold locks an SQLite file for writing, as another process would.
func hold(tb testing.TB, db *testkit.Database) *sql.Tx {
	tb.Helper()
	holder, err := db.SQL(tb).BeginTx(context.WithoutCancel(tb.Context()), nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = holder.Rollback() }) // the test may have done so
	return holder
}
