//go:build unix

package store

import (
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
