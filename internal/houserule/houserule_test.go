package houserule_test

import (
	"slices"
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
			require.True(t, fault.Is(err, fault.RuleNotChangeable), rule.Key)
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
	require.True(t, fault.Is(err, fault.RuleNotChangeable), "%v", err)
}

func TestRulesThatSayOnOrOffAreSwitches(t *testing.T) {
	t.Parallel()
	for _, rule := range houserule.Standard().Rules() {
		want := houserule.Choice
		if slices.Contains(rule.Options, houserule.On) {
			want = houserule.Toggle
		}
		assert.Equal(t, want, rule.Kind(), rule.Key)
	}
}

func TestWhatAnotherReleaseKeptIsLeftOut(t *testing.T) {
	t.Parallel()
	kept := houserule.Restore([]houserule.Rule{
		{Key: "gravity", Options: []string{"down", "up"}, Default: "up", Version: 7},
		{Key: houserule.MoveTimeLimit, Options: []string{"90", "60", "0"}, Default: "60", Changeable: false, Version: 4},
		{Key: houserule.OnTimeout, Options: []string{"coin", houserule.Loss}, Default: "coin", Changeable: true, Version: 3},
		{Key: houserule.FirstPlayer, Options: []string{"loser"}, Default: "loser", Changeable: true, Version: 2},
	})
	require.Len(t, kept.Rules(), len(houserule.Standard().Rules()))
	for _, row := range []struct {
		key     houserule.Key
		options []string
		first   string
		version int64
	}{
		{houserule.MoveTimeLimit, []string{"0", "60"}, "60", 4},
		{houserule.OnTimeout, []string{houserule.Loss}, houserule.Loss, 3},
		{houserule.FirstPlayer, []string{houserule.SeatOrder, houserule.Random}, houserule.SeatOrder, 2},
		{houserule.CPUCover, []string{houserule.On, houserule.Off}, houserule.On, 1},
	} {
		rule, err := kept.Rule(row.key)
		require.NoError(t, err)
		assert.Equal(t, row.options, rule.Options, row.key)
		assert.Equal(t, row.first, rule.Default, row.key)
		assert.Equal(t, row.version, rule.Version, row.key)
	}
	_, err := kept.Rule("gravity")
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
}

func TestACatalogueCannotBeChangedThroughItsRules(t *testing.T) {
	t.Parallel()
	rules := houserule.Standard()
	rules.Rules()[0].Default = "changed"
	assert.NotEqual(t, "changed", rules.Rules()[0].Default)
}
