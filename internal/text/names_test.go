package text_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestTheGameHasANameInEveryLanguage(t *testing.T) {
	t.Parallel()
	for language, want := range map[text.Language]string{
		text.English: "Four in a Row", german: "Vier in einer Reihe", polish: "Cztery w rzędzie",
		russian: "Четыре в ряд", "la": "Four in a Row",
	} {
		assert.Equal(t, want, text.GameName(language))
	}
}

func TestAGuestIsNamedInItsLanguage(t *testing.T) {
	t.Parallel()
	for language, want := range map[text.Language]string{
		text.English: "Guest 0042", german: "Gast 0042", polish: "Gość 0042", russian: "Гость 0042",
	} {
		assert.Equal(t, want, text.GuestName(language, 120_042))
	}
}

func TestGuestNamesAreNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := text.GuestName(rapid.SampledFrom(text.Languages()).Draw(t, "language"), rapid.Uint32().Draw(t, "number"))
		parsed, err := profile.ParseName(name)
		require.NoError(t, err)
		assert.Equal(t, profile.Name(name), parsed)
	})
}
