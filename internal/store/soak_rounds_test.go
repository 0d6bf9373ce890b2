//go:build soak

package store_test

import (
	"testing"

	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

func rounds(tb testing.TB, number int) int {
	tb.Helper()
	return soak.Scaled(tb, number)
}

func TestSoakStoreConforms(t *testing.T) {
	t.Parallel()
	conforms(t)
}
