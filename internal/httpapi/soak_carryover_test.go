//go:build soak

package httpapi_test

import "testing"

func TestSoakEverythingThatOlderProgramsAnsweredIsAnsweredAlike(t *testing.T) {
	t.Parallel()
	carryAllOver(t, 1)
}
