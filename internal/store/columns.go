package store

import (
	"strings"
	"time"
)

// named lists columns of an alias for a SELECT.
func named(alias string, columns []string) string {
	return alias + "." + strings.Join(columns, ", "+alias+".")
}

// moment is NULL for the zero time that stands for none in the domain.
func moment(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	kept := micros(t)
	return &kept
}

// when is what moment kept.
func when(kept *int64) time.Time {
	if kept == nil {
		return time.Time{}
	}
	return at(*kept)
}

// count is a number that is NULL for none.
func count(kept *int) int {
	if kept == nil {
		return 0
	}
	return *kept
}
