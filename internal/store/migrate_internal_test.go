package store

import (
	"database/sql"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
)

const (
	parentAndChild = `CREATE TABLE parent (id INTEGER PRIMARY KEY, old TEXT);
CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE);
INSERT INTO parent VALUES (1, 'a'), (2, 'b');
INSERT INTO child VALUES (1, 1), (2, 1), (3, 2);`
	rebuilt = `CREATE TABLE new_parent (id INTEGER PRIMARY KEY, new TEXT NOT NULL);
INSERT INTO new_parent SELECT id, old FROM parent WHERE id <= 2;
DROP TABLE parent;
ALTER TABLE new_parent RENAME TO parent;`
	rebuiltWithLoss = `CREATE TABLE new_parent (id INTEGER PRIMARY KEY);
INSERT INTO new_parent SELECT id FROM parent WHERE id < 2;
DROP TABLE parent;
ALTER TABLE new_parent RENAME TO parent;`
)

// sqliteMigrator opens the connection that migrations run on.
func sqliteMigrator(t *testing.T) *sql.DB {
	t.Helper()
	url, err := config.ParseDatabaseURL("sqlite://" + filepath.Join(t.TempDir(), "fourinarow.db"))
	require.NoError(t, err)
	p, err := openSQLite(config.Database{URL: url, Connections: 1, SQLiteSynchronous: config.SynchronousNormal}, false, time.Second, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	db := sized(sql.OpenDB(p.migrator), 1)
	t.Cleanup(func() {
		require.NoError(t, errors.Join(db.Close(), p.reader.Close(), p.writer.Close(), p.keeper.Close()))
	})
	return db
}

// script is a file of migrations.
func script(statements string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("-- +goose Up\n" + statements)}
}

func rowsOf(t *testing.T, db *sql.DB, query string) (rows int) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&rows))
	return rows
}

func TestMigrationOfSQLiteMayRebuildATableThatOthersReferTo(t *testing.T) {
	t.Parallel()
	db := sqliteMigrator(t)
	migrator, err := sqliteDialect().migrator(db, fstest.MapFS{"1_make.sql": script(parentAndChild), "2_rebuild.sql": script(rebuilt)}, nil)
	require.NoError(t, err)

	_, err = migrator.Up(t.Context())

	require.NoError(t, err)
	assert.Equal(t, 2, rowsOf(t, db, "SELECT count(*) FROM parent WHERE new IS NOT NULL"))
	assert.Equal(t, 3, rowsOf(t, db, "SELECT count(*) FROM child"), "the cascade took nothing")
	_, err = db.ExecContext(t.Context(), "PRAGMA foreign_keys = on")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "INSERT INTO child VALUES (4, 3)")
	require.ErrorContains(t, err, "FOREIGN KEY", "it refers to the new table")
}

func TestMigrationOfSQLiteThatLosesARowIsTakenBack(t *testing.T) {
	t.Parallel()
	db := sqliteMigrator(t)
	migrator, err := sqliteDialect().migrator(db, fstest.MapFS{"1_make.sql": script(parentAndChild), "2_rebuild.sql": script(rebuiltWithLoss)}, nil)
	require.NoError(t, err)

	_, err = migrator.Up(t.Context())

	require.ErrorContains(t, err, "row 3 of child refers to no row of parent")
	assert.Equal(t, 2, rowsOf(t, db, "SELECT count(*) FROM parent WHERE old IS NOT NULL"))
	assert.Equal(t, 3, rowsOf(t, db, "SELECT count(*) FROM child"))
	assert.Equal(t, 1, rowsOf(t, db, "SELECT max(version_id) FROM goose_db_version"))
}

func TestMigrationOfSQLiteIsNotAppliedTwice(t *testing.T) {
	t.Parallel()
	db := sqliteMigrator(t)
	files := fstest.MapFS{"1_count.sql": script(`CREATE TABLE IF NOT EXISTS counted (n INTEGER);
INSERT INTO counted VALUES (1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (1, TRUE);`)} // as another process would
	migrator, err := sqliteDialect().migrator(db, files, nil)
	require.NoError(t, err)

	_, err = migrator.Up(t.Context())

	require.ErrorIs(t, err, errMigratedMeanwhile)
	assert.Zero(t, rowsOf(t, db, "SELECT count(*) FROM sqlite_schema WHERE name = 'counted'"), "the second time is taken back")
}
