package postgres

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// childrenOf lists the processes that a process has started. One that ends meanwhile may be missing.
func childrenOf(parent int) ([]int, error) {
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var children []int
	for _, path := range found {
		content, err := os.ReadFile(path) //nolint:gosec // of the system
		if err != nil {
			continue // it has ended
		}
		// "pid (name) state parent …", where a name may hold anything
		_, rest, _ := bytes.Cut(content[max(bytes.LastIndexByte(content, ')'), 0):], []byte(" "))
		fields := bytes.Fields(rest)
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && len(fields) > 1 && string(fields[1]) == strconv.Itoa(parent) {
			children = append(children, pid)
		}
	}
	return children, nil
}
