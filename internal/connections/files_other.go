//go:build !unix

package connections

// FileLimit returns how many files this process may have open.
func FileLimit() (int, error) { return mostFiles, nil }
