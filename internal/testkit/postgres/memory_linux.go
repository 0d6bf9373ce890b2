package postgres

import "syscall"

// inMemory are directories that lie in memory and have room for the databases of many tests at once, if there are any.
func inMemory() []string {
	const shared, tmpfs, room = "/dev/shm", 0x01021994, 2 << 30
	var disk syscall.Statfs_t
	if err := syscall.Statfs(shared, &disk); err != nil || disk.Type != tmpfs || disk.Bavail < room/uint64(disk.Bsize) {
		return nil
	}
	return []string{shared}
}
