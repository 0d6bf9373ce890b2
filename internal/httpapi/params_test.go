package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/httpapi"
)

func TestWhatFitsAParameterByAShortCheckFitsTheContract(t *testing.T) {
	t.Parallel()
	for value, usual := range map[string]bool{
		"": false, "0": true, "1": true, "-0": false, "-1": false, "+1": false, "01": false, "42": true, "43": true, "60": true,
		"61": true, "2147483647": true, "2147483648": true, "9223372036854775807": true, "9223372036854775808": true,
		"99999999999999999999": true, "1.0": false, "1e1": false, "true": true, "True": false, "x": false, " ": false, "a,b": false,
		"01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12": true, "01990C2E-7A10-7D4F-8A2C-6B7C8D9E0F12": true,
		"01990c2e7a107d4f8a2c6b7c8d9e0f12": false, `W/"5-r"`: true, strings.Repeat("ż", 600): false, strings.Repeat("x", 1024): false,
	} {
		fits, wrong, err := httpapi.FitsWrongly(value)
		require.NoError(t, err)
		assert.Empty(t, wrong, "%.60q", value)
		if usual {
			assert.Positive(t, fits, "%.60q needs no validator", value)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.String(), rapid.StringMatching(`-?[0-9]{0,20}`), rapid.StringMatching(`[0-9a-fA-F-]{36}`)).Draw(t, "value")
		_, wrong, err := httpapi.FitsWrongly(value)
		require.NoError(t, err)
		require.Empty(t, wrong)
	})
}
