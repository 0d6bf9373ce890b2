package testkit

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// RestoredSQLite makes a database of the content of a file. Nothing is migrated.
func RestoredSQLite(tb testing.TB, content []byte) *Database {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "fourinarow.db")
	require.NoError(tb, os.WriteFile(path, content, 0o600))
	return open(tb, "sqlite://"+path)
}

// RestoredPostgres makes a database of the statements of a dump. Nothing is migrated.
func RestoredPostgres(tb testing.TB, dump []byte) *Database {
	tb.Helper()
	url := postgresDatabase(tb, empty)
	require.NoError(tb, restore(tb.Context(), url, string(dump)))
	return open(tb, url)
}

// restore runs a dump on a connection of its own, since it changes the connection's settings.
func restore(ctx context.Context, url, dump string) (err error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, dump)
	return err
}
