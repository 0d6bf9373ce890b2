package houserule_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

func ruleOf(t *testing.T, key houserule.Key) houserule.Rule {
	t.Helper()
	rule, err := houserule.Standard().Rule(key)
	require.NoError(t, err)
	return rule
}

func TestTermsThatCannotBeHonouredAreRefused(t *testing.T) {
	t.Parallel()
	rule := ruleOf(t, houserule.MoveTimeLimit)
	for what, row := range map[string]struct {
		terms   houserule.Terms
		pointer string
	}{
		"no options":                   {houserule.Terms{Default: "0", Options: nil}, "/options"},
		"a default not on offer":       {houserule.Terms{Default: "0", Options: []string{"30", "60"}}, "/default"},
		"a default nobody knows":       {houserule.Terms{Default: "90", Options: []string{"30", "60"}}, "/default"},
		"no default":                   {houserule.Terms{Default: "", Options: []string{"30"}}, "/default"},
		"an option nobody knows":       {houserule.Terms{Default: "0", Options: []string{"0", "90"}}, "/options/1"},
		"an option of another rule":    {houserule.Terms{Default: "0", Options: []string{"on", "0"}}, "/options/0"},
		"an option named twice":        {houserule.Terms{Default: "0", Options: []string{"0", "30", "0"}}, "/options/2"},
		"an option written in another": {houserule.Terms{Default: "0", Options: []string{"0", "030"}}, "/options/1"},
	} {
		_, err := rule.Check(row.terms)
		var f *fault.Error
		require.ErrorAs(t, err, &f, what)
		assert.Equal(t, fault.InvalidRule, f.Code, what)
		assert.Equal(t, row.pointer, f.Pointer, what)
	}
}

func TestOptionsAreOfferedInTheirOrder(t *testing.T) {
	t.Parallel()
	checked, err := ruleOf(t, houserule.CoverGrace).Check(houserule.Terms{Default: "120", Options: []string{"120", "20", "60"}})
	require.NoError(t, err)
	assert.Equal(t, []string{"20", "60", "120"}, checked.Options)
}

func TestAnEditIsOneVersionOn(t *testing.T) {
	t.Parallel()
	rule, now := ruleOf(t, houserule.CPUCover), time.Date(2026, time.March, 17, 12, 0, 0, 0, time.UTC)
	terms := houserule.Terms{Default: houserule.Off, Options: []string{houserule.Off}, Changeable: false}
	after := rule.Under(terms, now)
	assert.Equal(t, terms, after.Terms())
	assert.Equal(t, rule.Version+1, after.Version)
	assert.Equal(t, now, after.Updated)
	assert.Equal(t, []string{houserule.On, houserule.Off}, after.Known(), "what the rule means stays")
	assert.Equal(t, houserule.On, rule.Default)

	catalogue := houserule.Standard().With(after)
	assert.Equal(t, houserule.Off, catalogue.Default(houserule.CPUCover))
	assert.Equal(t, houserule.Off, catalogue.With(rule).Default(houserule.CPUCover), "an older version changes nothing")
}
