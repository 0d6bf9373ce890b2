package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/text"
)

func TestTheAcceptedLanguageIsSpoken(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		header string
		want   text.Language
	}{
		{"", text.English},
		{"de", text.German},
		{"PL", text.Polish},
		{"ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7", text.Russian},
		{"de-AT", text.German},
		{"de-Latn-CH-1996", text.German},
		{"en-GB, pl;q=0.9", text.English},
		{"fr-FR, fr;q=0.9, pl;q=0.5, en;q=0.4", text.Polish},
		{"en;q=0.2, de;q=0.8", text.German},
		{"de;q=0.5, pl;q=0.5", text.German},
		{"de;q=0, pl;q=0.001", text.Polish},
		{"*", text.English},
		{"*;q=0.1, ru;q=0.2", text.Russian},
		{"fr, *;q=0.5", text.English},
		{"en;q=0, *", text.German},
		{"en;q=0, de;q=0, *;q=0.5", text.Polish},
		{"en;q=0", text.German},
		{"en;q=0, de;q=0, pl;q=0, ru;q=0", text.English},
		{"ja, zh-Hant", text.English},
		{"uk", text.English},
		{"deu-AT, en", text.German},
		{"und-PL", text.English},
		{"uk, ru;q=0.5", text.Russian},
		{"de ; q = 0.7 , pl ; Q=0.9", text.Polish},
		{"de,,pl;;q=1,", text.German},
		{"i-klingon, pl", text.Polish},
		{"de_DE", text.German},
		{"pl;q=2, de;q=0.1", text.German},
		{"pl;q=-1, de;q=0.1", text.German},
		{"pl;q=NaN, de;q=0.1", text.German},
		{"pl;q=, de;q=0.1", text.German},
		{"pl;level=1, de;q=0.1", text.German},
		{"english", text.English},
		{"\x00\xff, ;q=1, \"de\", 12, pl", text.Polish},
		{strings.Repeat("fr,", 5000) + "de", text.English},
		{strings.Repeat("-", 10_000), text.English},
	} {
		assert.Equal(t, row.want, text.Choose("", row.header, ""), "%.60q", row.header)
	}
}

func TestOneLanguageIsAskedFor(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]text.Language{
		"":                          text.Polish,
		"de":                        text.German,
		"RU":                        text.Russian,
		"de-AT":                     text.German,
		"deu":                       text.German,
		"en-GB":                     text.English,
		"fr":                        text.Polish,
		"uk":                        text.Polish,
		"*":                         text.Polish,
		"de,ru":                     text.Polish,
		"fr,de":                     text.Polish,
		"de;q=1":                    text.Polish,
		" ":                         text.Polish,
		"\x00\xff":                  text.Polish,
		strings.Repeat("-", 10_000): text.Polish,
		strings.Repeat("de-", 9999): text.Polish,
	} {
		assert.Equal(t, want, text.Choose(asked, "pl", "ru"), "%.60q", asked)
	}
}

func TestWhatIsAskedForComesFirstAndThePlayersOwnLanguageLast(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		asked, accepted, own string
		want                 text.Language
	}{
		{"pl", "de", "ru", text.Polish},
		{"", "de", "ru", text.German},
		{"", "", "ru", text.Russian},
		{"", "", "", text.English},
		{"fr", "de", "ru", text.German},
		{"fr", "fr", "ru", text.Russian},
		{"fr", "", "fr", text.English},
		{"", "*", "ru", text.Russian},
		{"", "fr, *;q=0.1", "ru", text.Russian},
		{"", "ru;q=0", "ru", text.English},
		{"", "ru;q=0, *", "ru", text.English},
		{"nonsense", "?", "?", text.English},
	} {
		assert.Equal(t, row.want, text.Choose(row.asked, row.accepted, row.own), "%q", row)
	}
}

func TestAnyHeaderIsAnsweredInALanguageThereIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		header := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z*]{1,3}(-[A-Za-z0-9]{1,8})?(;q=[0-9.]{0,4})?,? ?){0,9}`))
		chosen := text.Choose(header.Draw(t, "asked"), header.Draw(t, "accepted"), header.Draw(t, "own"))
		assert.Contains(t, text.Languages(), chosen)
	})
}
