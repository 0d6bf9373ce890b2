package text_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestEveryLanguageSaysSomethingAboutEveryHouseRule(t *testing.T) {
	t.Parallel()
	for _, language := range text.Languages() {
		for _, rule := range houserule.Standard().Rules() {
			said, known := text.HouseRuleOf(rule.Key, language)
			assert.True(t, known, "%s in %s", rule.Key, language)
			assert.NotEmpty(t, said.Name, "%s in %s", rule.Key, language)
			assert.LessOrEqual(t, len([]rune(said.Name)), 64, "%s in %s", rule.Key, language)
			assert.NotEmpty(t, said.Description, "%s in %s", rule.Key, language)
			assert.LessOrEqual(t, len([]rune(said.Description)), 1024, "%s in %s", rule.Key, language)
			for _, option := range rule.Options {
				assert.NotEmpty(t, text.OptionOf(rule.Key, option, language), "option %s of %s in %s", option, rule.Key, language)
			}
		}
	}
	_, known := text.HouseRuleOf("gravity", text.English)
	assert.False(t, known)
}

func TestSecondsAreCountedAsEachLanguageDoes(t *testing.T) {
	t.Parallel()
	for language, want := range map[text.Language][]string{
		text.English: {"1 second", "2 seconds", "5 seconds", "21 seconds", "22 seconds", "112 seconds"},
		german:       {"1 Sekunde", "2 Sekunden", "5 Sekunden", "21 Sekunden", "22 Sekunden", "112 Sekunden"},
		polish:       {"1 sekunda", "2 sekundy", "5 sekund", "21 sekund", "22 sekundy", "112 sekund"},
		russian:      {"1 секунда", "2 секунды", "5 секунд", "21 секунда", "22 секунды", "112 секунд"},
	} {
		for i, option := range []string{"1", "2", "5", "21", "22", "112"} {
			assert.Equal(t, want[i], text.OptionOf(houserule.CoverGrace, option, language))
		}
	}
	assert.Equal(t, "no limit", text.OptionOf(houserule.MoveTimeLimit, "0", text.English))
	assert.Equal(t, "later", text.OptionOf(houserule.CoverGrace, "later", text.English))
}
