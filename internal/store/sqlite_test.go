package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// newSQLite makes a file without tables.
func newSQLite(t *testing.T) *testkit.Database {
	t.Helper()
	return sqliteAt(t, filepath.Join(t.TempDir(), "fourinarow.db"))
}

func sqliteAt(t *testing.T, path string) *testkit.Database {
	t.Helper()
	db := testkit.SQLite(t)
	require.NoError(t, db.Config.URL.UnmarshalText([]byte("sqlite://"+path)))
	db.Store = db.Open(t)
	return db
}

func TestFilesOfSQLiteAreTheirOwnersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "fourinarow.db")
	db := sqliteAt(t, path)
	require.NoError(t, db.Store.Migrate(t.Context()))
	playing(t, db)
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), file)
	}
}

func TestFileOfSQLiteMayHaveAnyName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b.db", "100%20.db", "ü&_pragma=x.db", "file:x.db", "-", "a;b.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), name)
			db := sqliteAt(t, path)
			require.NoError(t, db.Store.Migrate(t.Context()))
			playing(t, db)
			_, err := os.Stat(path)
			require.NoError(t, err)
		})
	}
}

func TestMissingDirectoryIsNamed(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "nowhere")
	db := testkit.SQLite(t)
	options := db.Options()
	require.NoError(t, options.Database.URL.UnmarshalText([]byte("sqlite://"+directory+"/fourinarow.db")))
	_, err := store.Open(t.Context(), options)
	require.ErrorContains(t, err, "there is no directory "+directory)
	_, err = os.Stat(directory)
	require.ErrorIs(t, err, os.ErrNotExist, "nor is it made")
}

func TestFileThatIsNoDatabaseIsRefusedAndKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "letter.txt")
	content := []byte("Dear Ola, this is a letter and no database, however long it is made. " + string(make([]byte, 4096)))
	require.NoError(t, os.WriteFile(path, content, 0o600))
	options := testkit.SQLite(t).Options()
	require.NoError(t, options.Database.URL.UnmarshalText([]byte("sqlite://"+path)))
	_, err := store.Open(t.Context(), options)
	require.ErrorContains(t, err, "not a database")
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, content, kept)
}

func TestBothWaysOfCommittingKeepWhatWasWritten(t *testing.T) {
	t.Parallel()
	for _, synchronous := range []config.Synchronous{config.SynchronousFull, config.SynchronousNormal} {
		t.Run(string(synchronous), func(t *testing.T) {
			t.Parallel()
			db := testkit.SQLite(t)
			db.Config.SQLiteSynchronous = synchronous
			db.Store = db.Open(t)
			_, g := playing(t, db)
			_, err := db.Open(t).Game(t.Context(), g.ID)
			require.NoError(t, err)
		})
	}
}

func TestOverwrittenNameIsNowhereInTheFile(t *testing.T) {
	t.Parallel()
	db := testkit.SQLite(t)
	const secret, other = profile.Name("Unmistakable Name"), profile.Name("X")
	p, d := stranger(t, db, secret)
	s, err := store.Open(t.Context(), db.Options())
	require.NoError(t, err)
	require.NoError(t, s.OpenProfile(t.Context(), p, d))
	require.NoError(t, db.Store.Close()) // so that the next one is the last and tidies up
	name := other
	_, err = s.ChangeProfile(t.Context(), p.ID, profile.Change{Name: &name})
	require.NoError(t, err)
	require.NoError(t, s.Close())

	content, err := os.ReadFile(db.Config.URL.Path())
	require.NoError(t, err)
	assert.NotContains(t, string(content), string(secret))
	_, err = os.Stat(db.Config.URL.Path() + "-wal")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestLockedFileIsUnavailableForWritesAndReadable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		because string
		timeout time.Duration
	}{
		{"SQLite waited long enough", time.Minute},
		{"the store waited long enough", 50 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(test.because, func(t *testing.T) {
			t.Parallel()
			db := testkit.SQLite(t)
			_, g := playing(t, db)
			impatient := db.Open(t, func(o *store.Options) { o.WriteTimeout = test.timeout })
			holder := hold(t, db)

			_, err := impatient.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer)
			requireFault(t, err, fault.Away)
			read, err := impatient.Game(t.Context(), g.ID)
			require.NoError(t, err)
			assert.Equal(t, g.Version, read.Version)

			require.NoError(t, holder.Rollback())
			move := played(t, db, g, "4")
			require.Eventually(t, func() bool {
				_, err := impatient.SaveGame(t.Context(), g, move, noTimer)
				return err == nil
			}, patience, time.Millisecond)
		})
	}
}
