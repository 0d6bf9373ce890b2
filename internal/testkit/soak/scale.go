package soak

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Scaled returns a number of rounds, games or clients, times SOAK_SCALE; at least one.
func Scaled(tb testing.TB, number int) int {
	tb.Helper()
	text, given := os.LookupEnv("SOAK_SCALE")
	if !given {
		return number
	}
	scale, err := strconv.ParseFloat(text, 64)
	require.NoError(tb, err, "SOAK_SCALE")
	return max(1, int(float64(number)*scale))
}
