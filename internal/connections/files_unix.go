//go:build unix

package connections

import (
	"fmt"
	"syscall"
)

// FileLimit returns how many files this process may have open.
func FileLimit() (int, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("ask for the limit on open files: %w", err)
	}
	return int(min(limit.Cur, mostFiles)), nil
}
