package profile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/profile"
)

func TestACodeIsReadAsItIsTyped(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{
		"7GQ2M10KPA", "7gq2m10kpa", "7gq2mlokpa", "7GQ2MIOKPA", "7GQ2M-10KPA", "7gq2m 10kpa", " 7GQ-2M1-0KPA ", "7 g q 2 m 1 0 k p a", "--7GQ2M10KPA",
	} {
		assert.Equal(t, "7GQ2M10KPA", profile.ReadCode(typed), typed)
	}
	for _, typed := range []string{"7GQ2M10KP", "7GQ2M10KPA1", "7GQ2M_10KPA", "7GQ2M.10KPA", "", " - "} {
		assert.NotEqual(t, "7GQ2M10KPA", profile.ReadCode(typed), typed)
	}
}
