//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// writable makes sure, without opening it, that this process may read and write a file.
func writable(path string) error {
	const readAndWrite = 4 | 2
	if err := syscall.Access(path, readAndWrite); err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}

// links is how many names a file has.
func links(info fs.FileInfo) uint64 {
	if stat, known := info.Sys().(*syscall.Stat_t); known {
		return uint64(stat.Nlink) //nolint:unconvert // it has another size elsewhere
	}
	return 1
}

// othersRead reports whether not only its owner may read a file.
func othersRead(info fs.FileInfo) bool {
	const groupAndOthers = 0o044
	return info.Mode().Perm()&groupAndOthers != 0
}
