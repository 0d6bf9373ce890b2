package houserule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

func TestEveryDefaultIsOnOffer(t *testing.T) {
	t.Parallel()
	rules := houserule.Standard()
	for _, rule := range rules.Rules() {
		assert.Contains(t, rule.Options, rule.Default, rule.Key)
		assert.Equal(t, rule.Default, rules.Default(rule.Key))
		for _, option := range rule.Options {
			err := rules.Choose(rule.Key, option)
			if rule.Changeable {
				require.NoError(t, err, rule.Key)
				continue
			}
			require.ErrorIs(t, err, fault.New(fault.Refused, fault.RuleNotChangeable, ""), rule.Key)
		}
	}
}

func TestWhatIsNotOnOfferIsRefusedWithTheRulesKey(t *testing.T) {
	t.Parallel()
	err := houserule.Standard().Choose(houserule.FirstPlayer, "loser")
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	assert.Equal(t, fault.OptionNotOffered, f.Code)
	assert.Equal(t, "/settings/first_player", f.Pointer)
	assert.Contains(t, f.Message, "seat_order, random")
}

func TestAnUnknownRuleIsNotChangeable(t *testing.T) {
	t.Parallel()
	err := houserule.Standard().Choose("gravity", houserule.Off)
	require.ErrorIs(t, err, fault.New(fault.Refused, fault.RuleNotChangeable, ""))
}

func TestACatalogueCannotBeChangedThroughItsRules(t *testing.T) {
	t.Parallel()
	rules := houserule.Standard()
	rules.Rules()[0].Default = "changed"
	assert.NotEqual(t, "changed", rules.Rules()[0].Default)
}
