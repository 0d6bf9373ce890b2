package text_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/text"
)

func TestWhatAnEditMeansIsSaidInEveryLanguage(t *testing.T) {
	t.Parallel()
	edit := text.RuleEdit{
		Default: "30", Options: []string{"0", "30", "60"}, Changeable: true,
		Kept: []text.KeptOption{{Option: "0", Tables: 123}, {Option: "60", Tables: 1}},
	}
	for language, want := range map[text.Language]string{
		text.English: "Tables opened from now on play by 30, and hosts may choose 0, 30 or 60. 123 open tables keep 0, 1 keeps 60.",
		german:       "An Tischen, die ab jetzt eröffnet werden, gilt 30, und zur Wahl stehen 0, 30 oder 60. 123 offene Tische bleiben bei 0, 1 bleibt bei 60.",
		polish:       "Przy stołach otwieranych od teraz obowiązuje 30, a gospodarz może wybrać 0, 30 lub 60. 123 otwarte stoły zostają przy 0, 1 zostaje przy 60.",
		russian:      "За столами, открытыми с этого момента, действует 30, а хозяин может выбрать 0, 30 или 60. У 123 открытых столов остаётся 0, у 1 остаётся 60.",
	} {
		assert.Equal(t, want, text.RuleEditMeaning(language, edit))
	}
	edit.Kept, edit.Options = nil, []string{"30"}
	assert.Equal(t, "Tables opened from now on play by 30, and hosts may choose only 30.", text.RuleEditMeaning(text.English, edit))
	edit.Changeable = false
	assert.Equal(t, "Tables opened from now on play by 30, and hosts may not choose.", text.RuleEditMeaning(text.English, edit))
	assert.Equal(t, "Ничего не меняется.", text.RuleEditMeaning(russian, text.RuleEdit{Nothing: true}))
}
