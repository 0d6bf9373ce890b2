package profile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
)

func TestNamesPeopleHaveAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Ola", "Wójcik", "Иван", "李雷", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "<b>", "%s", "'; --", "O'Neill", "می\u200cخواهم", "Anna Maria", "42", "?",
		strings.Repeat("x", profile.MaxNameLength), strings.Repeat("李", profile.MaxNameLength),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := profile.ParseName(name)
			require.NoError(t, err)
			assert.Equal(t, profile.Name(name), got)
		})
	}
}

func TestNamesAreTrimmedAndComposed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]profile.Name{
		"  Ola ":             "Ola",
		"\u00a0Ola\u3000":    "Ola",
		"Wo\u0301jcik":       "Wójcik",
		"\u1112\u1161\u11ab": "한",
		strings.Repeat("o\u0301", profile.MaxNameLength): profile.Name(strings.Repeat("ó", profile.MaxNameLength)),
	} {
		got, err := profile.ParseName(text)
		require.NoError(t, err, "%+q", text)
		assert.Equal(t, want, got, "%+q", text)
	}
}

func TestNamesThatCannotBeUsedAreRefused(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"nothing":                     "",
		"only spaces":                 " \u3000\u00a0 ",
		"a zero width space":          "\u200b",
		"a word joiner":               "\u2060",
		"a Hangul filler":             "\u3164",
		"a byte order mark":           "\ufeff",
		"an override":                 "\u202e",
		"an override in a name":       "Ola\u202ealO",
		"an isolate in a name":        "Ola\u2066",
		"a zero width space in one":   "O\u200bla",
		"only combining marks":        "\u0301\u0302",
		"marks piled up":              "a" + strings.Repeat("\u0301", 11),
		"only a joiner":               "\u200d",
		"a Braille blank":             "\u2800",
		"NUL":                         "Ola\x00",
		"a line break":                "O\nla",
		"a line break at its end":     "Ola\n",
		"a line separator":            "O\u2028la",
		"a lone byte":                 "O\xffla",
		"one character too many":      strings.Repeat("x", profile.MaxNameLength+1),
		"a private use character":     "\ue000",
		"the replacement for garbage": "\ufffd",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			_, err := profile.ParseName(text)
			var f *fault.Error
			require.ErrorAs(t, err, &f)
			assert.Equal(t, fault.InvalidName, f.Code)
			assert.Equal(t, "/display_name", f.Pointer)
		})
	}
}

func TestAParsedNameParsesToItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name, err := profile.ParseName(rapid.String().Draw(t, "text"))
		if err != nil {
			return
		}
		again, err := profile.ParseName(string(name))
		require.NoError(t, err)
		require.Equal(t, name, again)
	})
}
