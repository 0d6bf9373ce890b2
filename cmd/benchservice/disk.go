package main

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// fsyncs is how often one measurement of the disk writes and waits.
const fsyncs = 200

// fsyncTime is the median time that a page of 4 KiB takes to reach the disk.
func fsyncTime(directory string) (time.Duration, error) {
	file, err := os.Create(filepath.Join(directory, "fsync")) //nolint:gosec // a directory of ours
	if err != nil {
		return 0, err
	}
	defer file.Close() //nolint:errcheck // it was written for its time alone
	page := make([]byte, 4<<10)
	took := make([]time.Duration, fsyncs)
	for i := range took {
		if _, err := file.WriteAt(page, int64(i*len(page))); err != nil {
			return 0, err
		}
		began := time.Now()
		if err := file.Sync(); err != nil {
			return 0, err
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}
