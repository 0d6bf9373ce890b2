package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"

	"github.com/fourinarow/fourinarow/internal/config"
)

// Exclusive makes sure that one process at a time serves an SQLite file: waiting requests are woken within a process,
// and what it has read of a game it may keep, so two of them would not see each other's moves. On PostgreSQL any
// number may serve. Two locks hold others off, both given up by release, and by the end of the process: one on a file
// beside the database, which is what older programs look for, and one on the database's file itself.
//
// Call it before Open and release after Close, also when the start fails, and open the file by its path nowhere else: where
// SQLite's locks are those of a process (everywhere but on Linux), closing any descriptor of the file drops them all, and
// another process that leaves the file then takes its log of writes away.
//
// Commands beside a service need no such lock, and none of them touches a game. Two of them write: admin-token the table
// of tokens, and both it and migrate the schema where it is older than their program, which wants the service stopped.
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
	beside, err := lockFile(u, path+".lock")
	if err != nil || !locksApart {
		return beside, err
	}
	itself, err := lockFile(u, path)
	if err != nil {
		return nil, errors.Join(err, beside())
	}
	return func() error { return errors.Join(itself(), beside()) }, nil
}

// locksApart says that flock and the locks that SQLite takes know nothing of each other. Elsewhere they are of one kind,
// and a process that has locked the file itself would keep its own connections out.
const locksApart = runtime.GOOS == "linux"

// lockFile locks a file, which it makes where there is none, and keeps it open until release.
func lockFile(u config.DatabaseURL, path string) (release func() error, err error) {
	lock := flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDWR))
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
