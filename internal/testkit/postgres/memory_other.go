//go:build unix && !linux

package postgres

// inMemory are no directories: other systems have none that is always in memory.
func inMemory() []string { return nil }
