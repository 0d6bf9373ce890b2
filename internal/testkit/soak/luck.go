package soak

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Luck is where the random numbers of a soak test come from. Each goroutine takes a source of its own.
type Luck struct{ seed uint64 }

// Drawn returns the luck of SOAK_SEED, or new luck, and says which.
func Drawn(tb testing.TB) Luck {
	tb.Helper()
	l := Luck{seed: rand.Uint64()} //nolint:gosec // it need not be secret
	if text := os.Getenv("SOAK_SEED"); text != "" {
		var err error
		l.seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(tb, err, "SOAK_SEED")
	}
	tb.Logf("SOAK_SEED=%d", l.seed)
	return l
}

// Source returns the nth source, the same one again for the same seed.
func (l Luck) Source(n int) *rand.Rand {
	return rand.New(rand.NewPCG(l.seed, uint64(n))) //nolint:gosec // it need not be secret
}
