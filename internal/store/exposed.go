package store

import (
	"context"
	"os"
	"strings"
)

// existsRow says whether there is something.
type existsRow struct {
	Found bool `gorm:"column:found"`
}

// Exposed returns the command that keeps other users of this machine from the hashes of tokens in an SQLite file, or
// nothing when they can't read it or there are none.
func (s *Store) Exposed(ctx context.Context) (command string, err error) {
	if s.pools.file == nil {
		return "", nil
	}
	var open []string
	for _, path := range s.pools.file.all() {
		if info, err := os.Stat(path); err == nil && othersRead(info) {
			open = append(open, "'"+strings.ReplaceAll(path, "'", `'\''`)+"'")
		}
	}
	if len(open) == 0 {
		return "", nil
	}
	hashes, err := read[existsRow](ctx, s, "SELECT EXISTS (SELECT 1 FROM devices) OR EXISTS (SELECT 1 FROM admin_tokens) AS found")
	if err != nil || !hashes[0].Found {
		return "", err
	}
	return "chmod 600 " + strings.Join(open, " "), nil
}
