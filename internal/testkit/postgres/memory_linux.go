package postgres

import "syscall"

// inMemory are directories that lie in memory and have room for the databases of many tests at once, if there are any.
func inMemory() []string {
	const shared, tmpfs, room = "/dev/shm", 0x01021994, 2 << 30
	var disk syscall.Statfs_t
	if err := syscall.Statfs(shared, &disk); err != nil || disk.Type != tmpfs {
		return nil
	}
	if disk.Bavail*uint64(disk.Bsize) < room { //nolint:gosec // the size of a block is above 0
		return nil
	}
	return []string{shared}
}
