package store_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestAFileWithTwoNamesIsRefusedByEither(t *testing.T) {
	t.Parallel()
	db := testkit.SQLite(t)
	require.NoError(t, db.Store.Close())
	path, other := db.Config.URL.Path(), filepath.Join(t.TempDir(), "other.db")
	require.NoError(t, os.Link(path, other))
	for _, name := range []string{path, other} {
		for _, readOnly := range []bool{false, true} {
			options := db.Options()
			options.ReadOnly = readOnly
			require.NoError(t, options.Database.URL.UnmarshalText([]byte("sqlite://"+name)))
			_, err := store.Open(t.Context(), options)
			require.ErrorContains(t, err, "the file has 2 names (hard links)")
			_, err = os.Stat(name + "-wal")
			require.ErrorIs(t, err, os.ErrNotExist)
		}
	}
	require.NoError(t, os.Remove(other))
	guest(t, &testkit.Database{Store: db.Open(t), Clock: db.Clock}, "Ola")
}

// writer is a Store of a file that is about to be taken from under it.
type writer struct {
	*testkit.Database

	path  string
	lines *bytes.Buffer // of its log
}

func newWriter(t *testing.T) writer {
	t.Helper()
	db := testkit.SQLite(t)
	require.NoError(t, db.Store.Close())
	w := writer{Database: db, path: db.Config.URL.Path(), lines: &bytes.Buffer{}}
	w.Store = db.Open(t, func(o *store.Options) { o.Logger = slog.New(slog.NewTextHandler(w.lines, nil)) })
	return w
}

// opens stores a player.
func (w writer) opens(t *testing.T) error {
	t.Helper()
	p, d := stranger(t, w.Database, "Zofia")
	return w.Store.OpenProfile(t.Context(), p, d)
}

func TestNothingIsWrittenToAFileThatIsNotWhereItWasOpened(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		take, back func(t *testing.T, path string)
		said       string
	}{
		"removed": {
			func(t *testing.T, path string) { t.Helper(); require.NoError(t, os.Remove(path)) },
			func(*testing.T, string) {}, "there is no ",
		},
		"moved": {
			func(t *testing.T, path string) { t.Helper(); require.NoError(t, os.Rename(path, path+".old")) },
			func(t *testing.T, path string) { t.Helper(); require.NoError(t, os.Rename(path+".old", path)) }, "there is no ",
		},
		"replaced": {
			func(t *testing.T, path string) {
				t.Helper()
				content, err := os.ReadFile(path)
				require.NoError(t, err)
				require.NoError(t, os.Rename(path, path+".old"))
				require.NoError(t, os.WriteFile(path, content, 0o600))
			},
			func(t *testing.T, path string) { t.Helper(); require.NoError(t, os.Rename(path+".old", path)) }, "fourinarow.db is another file",
		},
		"without its log of writes": {
			func(t *testing.T, path string) { t.Helper(); require.NoError(t, os.Rename(path+"-wal", path+"-old")) },
			func(t *testing.T, path string) { t.Helper(); require.NoError(t, os.Rename(path+"-old", path+"-wal")) }, "fourinarow.db-wal",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriter(t)
			before := guest(t, w.Database, "Ola")
			row.take(t, w.path)
			for _, err := range race(8, func(int) error { return w.opens(t) }) { // some share a commit
				requireFault(t, err, fault.Away)
			}
			read, err := w.Store.Profile(t.Context(), before.ID)
			require.NoError(t, err, "reads go on")
			assert.Equal(t, before.Name, read.Name)

			row.back(t, w.path)
			requireFault(t, w.opens(t), fault.Away)
			renamed := profile.Name("Иван")
			_, err = w.Store.ChangeProfile(t.Context(), before.ID, profile.Change{Name: &renamed})
			requireFault(t, err, fault.Away)
			requireFault(t, w.Store.Migrate(t.Context()), fault.Away)
			assert.Equal(t, 1, strings.Count(w.lines.String(), "level=ERROR"), "%s", w.lines)
			assert.Contains(t, w.lines.String(), "nothing is written any more")
			assert.Contains(t, w.lines.String(), row.said)
		})
	}
}

// The log of writes is cut short in place, so that path and file are what they were.
func TestNothingIsWrittenAfterSQLiteHasFoundItsFileMalformed(t *testing.T) {
	t.Parallel()
	w := newWriter(t)
	before := guest(t, w.Database, "Ola")
	require.NoError(t, w.opens(t))
	require.NoError(t, os.Truncate(w.path+"-wal", 0))
	_, err := w.Store.Profile(t.Context(), before.ID)
	require.Error(t, err, "what SQLite looks for in the log isn't there")

	for _, err := range race(8, func(int) error { return w.opens(t) }) {
		requireFault(t, err, fault.Away)
	}
	assert.Equal(t, 1, strings.Count(w.lines.String(), "level=ERROR"), "%s", w.lines)
	assert.Contains(t, w.lines.String(), "restore a backup")
}

func TestADirectoryIsNoDatabase(t *testing.T) {
	t.Parallel()
	options := testkit.SQLite(t).Options()
	require.NoError(t, options.Database.URL.UnmarshalText([]byte("sqlite://"+t.TempDir())))
	_, err := store.Open(t.Context(), options)
	require.ErrorContains(t, err, "is a directory: DATABASE_URL names a file in it, such as ")
}

func TestWhatWasAnsweredIsInAFileThatIsPutBack(t *testing.T) {
	t.Parallel()
	w := newWriter(t)
	before := guest(t, w.Database, "Ola")
	require.NoError(t, os.Rename(w.path, w.path+".old"))
	requireFault(t, w.opens(t), fault.Away)
	_, err := os.Stat(w.path)
	require.ErrorIs(t, err, os.ErrNotExist, "no other file is made in its place")
	require.NoError(t, os.Rename(w.path+".old", w.path))
	require.NoError(t, w.Store.Close())

	again := w.Open(t)
	read, err := again.Profile(t.Context(), before.ID)
	require.NoError(t, err)
	assert.Equal(t, before.Name, read.Name)
	var profiles int
	require.NoError(t, w.SQL(t).QueryRowContext(t.Context(), "SELECT count(*) FROM profiles").Scan(&profiles))
	assert.Equal(t, 1, profiles, "and nothing that was refused")
}

func TestAConnectionIsOpenedToTheFirstFileOrNone(t *testing.T) {
	t.Parallel()
	w := newWriter(t)
	require.NoError(t, os.Rename(w.path, w.path+".old"))
	conns := 0
	for range w.Config.Connections { // all readers' connections at once, of which most aren't open yet
		conn, err := w.Store.Pools()["reader"].Conn(t.Context())
		if err != nil {
			require.ErrorContains(t, err, "there is no "+w.path)
			break
		}
		conns++
		t.Cleanup(func() { require.NoError(t, conn.Close()) })
	}
	assert.Less(t, conns, w.Config.Connections)
	_, err := os.Stat(w.path)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestAFileMayBeReachedByASymbolicLinkThatStays(t *testing.T) {
	t.Parallel()
	db, link := testkit.SQLite(t), filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(db.Config.URL.Path(), link))
	require.NoError(t, db.Config.URL.UnmarshalText([]byte("sqlite://"+link)))
	db.Store = db.Open(t)
	guest(t, db, "Ola")
	other := testkit.SQLite(t)
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink(other.Config.URL.Path(), link))
	p, d := stranger(t, db, "Zofia")
	requireFault(t, db.Store.OpenProfile(t.Context(), p, d), fault.Away)
}
