package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/text"
)

// What the tests of texts name; a language that is added is in none of them.
const (
	german  text.Language = "de"
	polish  text.Language = "pl"
	russian text.Language = "ru"
)

// choose chooses among these, whatever there is now.
func choose(asked, accepted, own string) text.Language {
	return text.ChooseAmong([]text.Language{text.English, german, polish, russian}, asked, accepted, own)
}

func TestTheAcceptedLanguageIsSpoken(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		header string
		want   text.Language
	}{
		{"", text.English},
		{"de", german},
		{"PL", polish},
		{"ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7", russian},
		{"de-AT", german},
		{"de-Latn-CH-1996", german},
		{"en-GB, pl;q=0.9", text.English},
		{"fr-FR, fr;q=0.9, pl;q=0.5, en;q=0.4", polish},
		{"en;q=0.2, de;q=0.8", german},
		{"de;q=0.5, pl;q=0.5", german},
		{"de;q=0, pl;q=0.001", polish},
		{"*", text.English},
		{"*;q=0.1, ru;q=0.2", russian},
		{"fr, *;q=0.5", text.English},
		{"en;q=0, *", german},
		{"en;q=0, de;q=0, *;q=0.5", polish},
		{"en;q=0", german},
		{"en;q=0, de;q=0, pl;q=0, ru;q=0", text.English},
		{"ja, zh-Hant", text.English},
		{"uk", text.English},
		{"deu-AT, en", german},
		{"und-PL", text.English},
		{"uk, ru;q=0.5", russian},
		{"de ; q = 0.7 , pl ; Q=0.9", polish},
		{"de,,pl;;q=1,", german},
		{"i-klingon, pl", polish},
		{"de_DE", german},
		{"pl;q=2, de;q=0.1", german},
		{"pl;q=-1, de;q=0.1", german},
		{"pl;q=NaN, de;q=0.1", german},
		{"pl;q=, de;q=0.1", german},
		{"pl;level=1, de;q=0.1", german},
		{"english", text.English},
		{"\x00\xff, ;q=1, \"de\", 12, pl", polish},
		{strings.Repeat("fr,", 5000) + "de", text.English},
		{strings.Repeat("-", 10_000), text.English},
	} {
		assert.Equal(t, row.want, choose("", row.header, ""), "%.60q", row.header)
	}
}

func TestOneLanguageIsAskedFor(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]text.Language{
		"":                          polish,
		"de":                        german,
		"RU":                        russian,
		"de-AT":                     german,
		"deu":                       german,
		"en-GB":                     text.English,
		"fr":                        polish,
		"uk":                        polish,
		"*":                         polish,
		"de,ru":                     polish,
		"fr,de":                     polish,
		"de;q=1":                    polish,
		" ":                         polish,
		"\x00\xff":                  polish,
		strings.Repeat("-", 10_000): polish,
		strings.Repeat("de-", 9999): polish,
	} {
		assert.Equal(t, want, choose(asked, "pl", "ru"), "%.60q", asked)
	}
}

func TestWhatIsAskedForComesFirstAndThePlayersOwnLanguageLast(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		asked, accepted, own string
		want                 text.Language
	}{
		{"pl", "de", "ru", polish},
		{"", "de", "ru", german},
		{"", "", "ru", russian},
		{"", "", "", text.English},
		{"fr", "de", "ru", german},
		{"fr", "fr", "ru", russian},
		{"fr", "", "fr", text.English},
		{"", "*", "ru", russian},
		{"", "fr, *;q=0.1", "ru", russian},
		{"", "ru;q=0", "ru", text.English},
		{"", "ru;q=0, *", "ru", text.English},
		{"nonsense", "?", "?", text.English},
	} {
		assert.Equal(t, row.want, choose(row.asked, row.accepted, row.own), "%q", row)
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
