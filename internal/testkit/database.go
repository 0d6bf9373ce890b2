package testkit

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/store"
)

// Database is a database of one test: migrated and without rows, unless it was asked for otherwise.
type Database struct {
	Config     config.Database
	Store      *store.Store // open until the test ends
	Clock      *Clock       // the Store's
	Statements *Statements  // of the Store
}

// connections is small so that many tests fit on one server.
const connections = 4

// OnBothDatabases runs a test twice, in parallel, as "sqlite" and "postgres", each on a database of its own.
func OnBothDatabases(t *testing.T, test func(t *testing.T, db *Database)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, SQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, Postgres(t))
	})
}

// OnBothEmptyDatabases is OnBothDatabases without tables: nothing has been migrated.
func OnBothEmptyDatabases(t *testing.T, test func(t *testing.T, db *Database)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, "sqlite://"+filepath.Join(t.TempDir(), "fourinarow.db")))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, postgresDatabase(t, empty)))
	})
}

// SQLite makes a database in a file.
func SQLite(tb testing.TB) *Database {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "fourinarow.db")
	content, err := sqliteTemplate()
	require.NoError(tb, err, "make a template of an SQLite database")
	require.NoError(tb, os.WriteFile(path, content, 0o600))
	return open(tb, "sqlite://"+path)
}

// Postgres makes a database on the server that TEST_DATABASE_URL leads to. Without one the test fails.
func Postgres(tb testing.TB) *Database {
	tb.Helper()
	return open(tb, postgresDatabase(tb, migrated))
}

func open(tb testing.TB, url string) *Database {
	tb.Helper()
	db := &Database{
		Config: config.Database{URL: parse(tb, url), Connections: connections, SQLiteSynchronous: config.SynchronousNormal},
		Store:  nil, Clock: NewClock(), Statements: &Statements{},
	}
	db.Store = db.Open(tb)
	return db
}

// Open opens another Store on the database, as another replica would, until the test ends. The options are those of
// Store after the changes.
func (db *Database) Open(tb testing.TB, changes ...func(*store.Options)) *store.Store {
	tb.Helper()
	options := db.Options()
	for _, change := range changes {
		change(&options)
	}
	s, err := store.Open(tb.Context(), options)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })
	return s
}

// Options are those that Store was opened with.
func (db *Database) Options() store.Options {
	return store.Options{
		Database: db.Config, Logger: slog.New(slog.DiscardHandler), Clock: db.Clock.Now, Observe: db.Statements.Observe,
		Alone: db.Config.URL.Dialect() == config.SQLite,
	}
}

// SQL opens the database around the Store, for tests of what the Store would never write.
func (db *Database) SQL(tb testing.TB) *sql.DB {
	tb.Helper()
	driver, name := "pgx", db.Config.URL.DSN()
	if db.Config.URL.Dialect() == config.SQLite {
		driver, name = "sqlite", db.Config.URL.Path()+"?_foreign_keys=on&_busy_timeout=5000&_txlock=immediate"
	}
	around, err := sql.Open(driver, name)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, around.Close()) })
	return around
}

func parse(tb testing.TB, url string) config.DatabaseURL {
	tb.Helper()
	parsed, err := config.ParseDatabaseURL(url)
	require.NoError(tb, err)
	return parsed
}

// sqliteTemplate migrates a file once and hands out its content, since copying is faster than migrating.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	directory, err := os.MkdirTemp("", "fourinarow-template-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // what is left of it is the system's to remove
	path := filepath.Join(directory, "template.db")
	if err = migrate("sqlite://" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // ours
})

// migrate makes the tables of a database, and what a start adds to them.
func migrate(url string) error {
	parsed, err := config.ParseDatabaseURL(url)
	if err != nil {
		return err
	}
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{
		Database: config.Database{URL: parsed, Connections: 1, SQLiteSynchronous: config.SynchronousNormal},
		Logger:   slog.New(slog.DiscardHandler), Clock: NewClock().Now, Observe: nil,
	})
	if err != nil {
		return err
	}
	if err = s.Migrate(ctx); err == nil {
		err = s.AddRules(ctx, houserule.Standard().Rules(), NewClock().Now())
	}
	if err != nil {
		_ = s.Close() // the first error says it
		return err
	}
	return s.Close()
}
