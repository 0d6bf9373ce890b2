//go:build soak

package httpapi_test

import "testing"

func TestSoakEverythingThatOlderProgramsAnsweredIsAnsweredAlike(t *testing.T) {
	carryAllOver(t, 1)
}
