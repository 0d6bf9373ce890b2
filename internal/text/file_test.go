package text_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestEveryLanguageHasAFileAndEveryFileIsOfALanguage(t *testing.T) {
	t.Parallel()
	var files []string
	for _, l := range text.Languages() {
		files = append(files, string(l)+".yaml")
		kept, err := profile.ParseLocale(string(l))
		require.NoError(t, err)
		assert.Equal(t, l, text.Choose("", "", string(kept)), "a player may have it")
	}
	assert.ElementsMatch(t, files, text.FileNames())
}

func TestEveryFileHasTheKeysThatAreReadAndNoOther(t *testing.T) {
	t.Parallel()
	for _, l := range text.Languages() {
		asked, err := text.Asked(l)
		require.NoError(t, err, l)
		assert.ElementsMatch(t, slices.Collect(maps.Keys(asked)), slices.Collect(maps.Keys(written(t, l))), "keys in %s", l)
	}
}

// The forms a counted text has, by language: CLDR's plural categories.
var plurals = map[text.Language][]string{
	text.English: {"one", "other"},
	text.German:  {"one", "other"},
	text.Polish:  {"one", "few", "many", "other"},
	text.Russian: {"one", "few", "many", "other"},
}

func TestEveryTextHasItsPlaceholdersAndEveryFormOfItsNumber(t *testing.T) {
	t.Parallel()
	for _, l := range text.Languages() {
		asked, err := text.Asked(l)
		require.NoError(t, err, l)
		for key, message := range written(t, l) {
			counts := slices.Contains(asked[key], "Count")
			if counts {
				assert.ElementsMatch(t, plurals[l], slices.Collect(maps.Keys(formsOf(message))), "forms of %s in %s", key, l)
			} else {
				assert.Equal(t, []string{"other"}, slices.Collect(maps.Keys(formsOf(message))), "forms of %s in %s", key, l)
			}
			for form, said := range formsOf(message) {
				assert.Equal(t, append([]string{}, asked[key]...), placeholdersOf(said), "placeholders of %s (%s) in %s", key, form, l)
			}
		}
	}
}

// What stands between backticks is of the contract: the same in every language.
func TestEveryTranslationNamesTheSameThingsOfTheContract(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile("`[^`]*`")
	english := written(t, text.English)
	for _, l := range text.Languages() {
		for key, message := range written(t, l) {
			assert.ElementsMatch(t, code.FindAllString(english[key].Other, -1), code.FindAllString(message.Other, -1), "%s in %s", key, l)
			assert.Equal(t, paragraphs(english[key].Other), paragraphs(message.Other), "paragraphs of %s in %s", key, l)
		}
	}
}

func paragraphs(said string) int { return strings.Count(said, "\n") }

// day is the one text that is no prose.
const day = "rules.updated"

func TestNothingIsLeftUntranslated(t *testing.T) {
	t.Parallel()
	english := written(t, text.English)
	for _, l := range text.Languages()[1:] {
		for key, message := range written(t, l) {
			if key == day {
				continue
			}
			assert.NotEqual(t, english[key].Other, message.Other, "%s in %s", key, l)
		}
	}
}

// How each language writes its quotes and letters.
var typography = map[text.Language]struct{ forbidden, letters *regexp.Regexp }{
	text.English: {regexp.MustCompile(`["„«»’]`), regexp.MustCompile(`[A-Za-z]`)},
	text.German:  {regexp.MustCompile(`["'”«»’]`), regexp.MustCompile(`[A-Za-zÄÖÜäöüß]`)},
	text.Polish:  {regexp.MustCompile(`["'“«»’]`), regexp.MustCompile(`[A-Za-ząćęłńóśźżĄĆĘŁŃÓŚŹŻ]`)},
	text.Russian: {regexp.MustCompile(`["'“”„’]`), regexp.MustCompile(`[А-Яа-яЁё]`)},
}

var (
	careless     = regexp.MustCompile(` {2}| [,.;:!?]|\.\.\.|^\s|\s$|--`)
	twoAlphabets = regexp.MustCompile(`[А-Яа-яЁё][A-Za-z]|[A-Za-z][А-Яа-яЁё]`) // а for a
	asWritten    = regexp.MustCompile("`[^`]*`|{{[^}]*}}")
)

func TestTextsAreSetWithCare(t *testing.T) {
	t.Parallel()
	for _, l := range text.Languages() {
		for key, message := range written(t, l) {
			for _, said := range formsOf(message) {
				if key == day {
					continue
				}
				prose := asWritten.ReplaceAllString(said, "x")
				assert.NotRegexp(t, careless, prose, "%s in %s", key, l)
				assert.NotRegexp(t, typography[l].forbidden, prose, "%s in %s", key, l)
				assert.Regexp(t, typography[l].letters, prose, "%s in %s", key, l)
				assert.NotRegexp(t, twoAlphabets, asWritten.ReplaceAllString(said, " "), "%s in %s", key, l)
			}
		}
	}
}

func written(t *testing.T, l text.Language) map[string]*i18n.Message {
	t.Helper()
	messages, err := text.Written(l)
	require.NoError(t, err)
	require.NotEmpty(t, messages)
	return messages
}

// formsOf returns the forms of a text that are there.
func formsOf(m *i18n.Message) map[string]string {
	forms := map[string]string{"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many, "other": m.Other}
	maps.DeleteFunc(forms, func(_, said string) bool { return said == "" })
	return forms
}

var placeholder = regexp.MustCompile(`{{\s*\.(\w+)\s*}}`)

func placeholdersOf(said string) []string {
	names := []string{}
	for _, found := range placeholder.FindAllStringSubmatch(said, -1) {
		names = append(names, found[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
