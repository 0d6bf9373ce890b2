package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/fourinarow/fourinarow/internal/config"
)

// Exclusive makes sure that one process at a time serves an SQLite file: waiting requests are woken within a process,
// so two of them would not hear of each other's moves. Short commands need it not. On PostgreSQL any number may serve.
// The lock is a file beside the database; release gives it up, and so does the end of the process.
func Exclusive(u config.DatabaseURL) (release func() error, err error) {
	if u.Dialect() != config.SQLite {
		return func() error { return nil }, nil
	}
	path, err := filepath.EvalSymlinks(u.Path())
	if errors.Is(err, fs.ErrNotExist) { // the first start makes it
		path, err = filepath.EvalSymlinks(filepath.Dir(u.Path()))
		path = filepath.Join(path, filepath.Base(u.Path()))
	}
	if err != nil {
		return nil, fmt.Errorf("find the database %s: %w", u.Redacted(), err)
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	taken, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock the database %s: %w", u.Redacted(), err)
	case !taken:
		return nil, fmt.Errorf("another process serves %s already; stop it, or use PostgreSQL to serve with several", u.Redacted())
	default:
		return lock.Unlock, nil
	}
}
