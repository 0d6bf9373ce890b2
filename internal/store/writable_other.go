//go:build !unix

package store

import "io/fs"

// writable leaves it to SQLite to find out.
func writable(string) error { return nil }

// links is not known.
func links(fs.FileInfo) uint64 { return 1 }

// othersRead is not known.
func othersRead(fs.FileInfo) bool { return false }
