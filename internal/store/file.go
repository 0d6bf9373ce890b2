package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

var (
	// errMoved says that an SQLite file is not where it was opened. What is written to it nobody finds again.
	errMoved = errors.New("the database's file was moved, replaced or removed")
	// errDamaged says that SQLite has found its file malformed. What is written to it may be lost, and more with it.
	errDamaged = errors.New("the database's file is malformed")
)

// file is where an SQLite database lies: its file and the log of writes beside it, as they were when they were opened. A
// connection holds both open, so no other file gets their numbers. A nil one is that of a database that is no file.
type file struct {
	path, wal string
	logger    *slog.Logger
	opened    os.FileInfo
	log       os.FileInfo  // nil: nothing has been written by this process
	moved     atomic.Bool  // and nothing is written any more
	malformed atomic.Int32 // how many beats have to succeed before anything else is written; 0: the file is whole
}

// findFile looks at a file before it is opened.
func findFile(path string, logger *slog.Logger) (*file, error) {
	opened, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("find the database's file: %w", err)
	}
	if opened.IsDir() {
		return nil, fmt.Errorf("%s is a directory: DATABASE_URL names a file in it, such as %s", path, filepath.Join(path, "fourinarow.db"))
	}
	if n := links(opened); n > 1 {
		return nil, fmt.Errorf("the file has %d names (hard links): SQLite keeps a log of writes beside each, and what is written by one name "+
			"is lost by another; keep one of them (find DIRECTORY -samefile %s lists them), or copy the file", n, path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("find the database's file: %w", err)
	}
	return &file{path: path, wal: real + "-wal", logger: logger, opened: opened, log: nil, moved: atomic.Bool{}, malformed: atomic.Int32{}}, nil
}

// all returns the paths of the file and of what SQLite keeps beside it.
func (f *file) all() []string {
	return []string{f.path, f.wal, strings.TrimSuffix(f.wal, "-wal") + "-shm"}
}

// hold notes which the log of writes is. A connection has opened it, and stays open.
func (f *file) hold() (err error) {
	if f.log, err = os.Stat(f.wal); err != nil {
		return fmt.Errorf("find the log of writes: %w", err)
	}
	return nil
}

// unmoved makes sure, before a commit, that it goes where the next process will look for it. Once it didn't, nothing is
// written any more, also when the file comes back: somebody else may have written to it.
func (f *file) unmoved() error {
	if f == nil {
		return nil
	}
	if f.moved.Load() {
		return errMoved
	}
	err := isStill(f.path, f.opened)
	if err == nil && f.log != nil {
		err = isStill(f.wal, f.log)
	}
	if errors.Is(err, errMoved) && f.moved.CompareAndSwap(false, true) {
		f.logger.Error("nothing is written any more: put the database's files back and start again", "error", err)
	}
	return err
}

// beatsWhole is how many beats in a row show that a file which was malformed is whole again.
const beatsWhole = 3

// damaged has nothing written to a file that SQLite has found malformed, by whichever connection.
func (f *file) damaged(err error) {
	if f != nil && f.malformed.Swap(beatsWhole) == 0 {
		f.logger.Error("nothing is written while the database's file is malformed", "error", err,
			"advice", "stop, keep a copy of it and of what lies beside it, see what verify says, and restore a backup")
	}
}

// beaten notes that a beat was written and everything read that it needs.
func (f *file) beaten() {
	if f == nil {
		return
	}
	for left := f.malformed.Load(); left > 0; left = f.malformed.Load() {
		if f.malformed.CompareAndSwap(left, left-1) {
			if left == 1 {
				f.logger.Info("the database's file is whole again, and written to")
			}
			return
		}
	}
}

// refusal returns why nothing may be written; nil: it may. A trial may be written to a malformed file.
func (f *file) refusal(trial bool) error {
	switch {
	case f.moved.Load():
		return errMoved
	case !trial && f.malformed.Load() > 0:
		return errDamaged
	default:
		return nil
	}
}

// isStill compares what lies at a path with what was opened.
func isStill(path string, opened os.FileInfo) error {
	now, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: there is no %s", errMoved, path)
	case err != nil:
		return fmt.Errorf("look at the database's file: %w: %w", errUnseen, err)
	case !os.SameFile(now, opened):
		return fmt.Errorf("%w: %s is another file", errMoved, path)
	default:
		return nil
	}
}

// errUnseen says that nobody knows what lies at the path of the database's file now.
var errUnseen = errors.New("it can't be found out whether it is the one that was opened")

// unmovedConnector opens connections to the file that was there first, and makes none where it is gone.
type unmovedConnector struct {
	driver.Connector

	file *file
}

// Connect opens a connection.
func (c unmovedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.file.unmoved(); err != nil {
		return nil, err
	}
	return c.Connector.Connect(ctx)
}
