package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestADatabaseThatIsSomebodyElsesIsRefused(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"its own tables":           "CREATE TABLE letters (id INTEGER); CREATE TABLE stamps (id INTEGER)",
		"a table of the same name": "CREATE TABLE games (title TEXT); CREATE VIEW letters AS SELECT 1 AS one",
		"migrations of its own": "CREATE TABLE letters (id INTEGER); CREATE TABLE goose_db_version (version_id INTEGER, is_applied BOOLEAN); " +
			"INSERT INTO goose_db_version VALUES (0, TRUE), (3, TRUE)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.OnBothEmptyDatabases(t, func(t *testing.T, db *testkit.Database) {
				require.NoError(t, db.Store.Close())
				exec(t, db.SQL(t), content)
				before := readSchema(t, db)
				_, err := store.Open(t.Context(), db.Options())
				var foreign *store.ForeignDatabaseError
				require.ErrorAs(t, err, &foreign)
				assert.Contains(t, err.Error(), "the database holds tables that this service did not make (")
				assert.Contains(t, foreign.Tables, "letters")
				assert.NotContains(t, foreign.Tables, "goose_db_version")
				assert.Empty(t, testkit.Diff(before, readSchema(t, db)))
			})
		})
	}
}

func TestAForeignFileIsLeftByteForByte(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "letters.db")
	around, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	exec(t, around, "CREATE TABLE letters (id INTEGER)")
	require.NoError(t, around.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, readOnly := range []bool{false, true} {
		options := testkit.SQLite(t).Options()
		options.ReadOnly = readOnly
		require.NoError(t, options.Database.URL.UnmarshalText([]byte("sqlite://"+path)))
		_, err = store.Open(t.Context(), options)
		var foreign *store.ForeignDatabaseError
		require.ErrorAs(t, err, &foreign)
	}
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, content, kept)
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, files, 1)
}

func (conformance) TestTablesBesideTheServicesOwnAreNoHindrance(t *testing.T, db *testkit.Database) {
	exec(t, db.SQL(t), "CREATE TABLE letters (id INTEGER)")
	require.NoError(t, db.Open(t).Migrate(t.Context()))
}

func TestAFileWithHashesThatOthersCanReadComesWithTheCommandThatMendsIt(t *testing.T) {
	t.Parallel()
	db := testkit.SQLite(t)
	path := db.Config.URL.Path()
	exposed := func() string {
		command, err := db.Store.Exposed(t.Context())
		require.NoError(t, err)
		return command
	}
	require.NoError(t, os.Chmod(path, 0o640))
	assert.Empty(t, exposed(), "there are no hashes in it")
	guest(t, db, "Ola")
	assert.Equal(t, "chmod 600 '"+path+"'", exposed())
	require.NoError(t, os.Chmod(path+"-wal", 0o604))
	assert.Equal(t, "chmod 600 '"+path+"' '"+path+"-wal'", exposed())
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.Chmod(path+"-wal", 0o600))
	assert.Empty(t, exposed())
}
