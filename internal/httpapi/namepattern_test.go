package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// A pattern can't say all the rules of a text, but whoever reads the text takes nothing that the pattern refuses.
func TestPatternsOfTextsRefuseNothingThatIsRead(t *testing.T) {
	t.Parallel()
	name, reason := contract(t).Components.Schemas["DisplayNameChoice"].Value, contract(t).Components.Schemas["EditHouseRuleRequest"].Value.Properties["reason"].Value
	// Characters at the edges of the pattern's classes, between letters.
	edges := rapid.SampledFrom([]rune("aжé\u0301 \t\n\v\r\x00\x08\x1b\x1f\x7f\u0080\u0085\u009f\u00a0\u00ad\u200b\u200c\u200d\u2027\u2028\u2029\u202a\u202e\u202f" +
		"\u205f\u2060\u2064\u2065\u2066\u2069\u206f\u2070\ue000\ufeff\ufffc\ufffd\U0001f468\U000e0041\U000f0000"))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(edges, 1, 8, -1)).Draw(t, "text")
		if _, err := profile.ParseName(text); err == nil {
			assert.NoError(t, name.VisitJSON(text), "a name: %+q", text)
		}
		if _, err := houserule.ParseReason(text); err == nil {
			assert.NoError(t, reason.VisitJSON(text), "a reason: %+q", text)
		}
	})
}
