package profile_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
)

func TestATokenIsReadBackAndNeverShown(t *testing.T) {
	t.Parallel()
	token, err := profile.NewToken(rand.Reader)
	require.NoError(t, err)
	assert.Len(t, string(token), 47)

	read, ok := profile.ParseToken(string(token))
	assert.True(t, ok)
	assert.Equal(t, token.Hash(), read.Hash())
	assert.Equal(t, "fir_…", fmt.Sprintf("%v", token))

	other, err := profile.NewToken(rand.Reader)
	require.NoError(t, err)
	assert.NotEqual(t, token.Hash(), other.Hash())
}

func TestWhatIsNoTokenIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "fir_", "fia_" + strings.Repeat("A", 43), "fir_" + strings.Repeat("A", 42), "fir_" + strings.Repeat("A", 44),
		"fir_" + strings.Repeat("A", 42) + "B", "fir_" + strings.Repeat("!", 43), "FIR_" + strings.Repeat("A", 43),
	} {
		_, ok := profile.ParseToken(text)
		assert.False(t, ok, text)
	}
}

func TestATokenNeedsRandomness(t *testing.T) {
	t.Parallel()
	_, err := profile.NewToken(strings.NewReader("short"))
	require.Error(t, err)
}

func TestAChangeLeavesTheRestAsItIs(t *testing.T) {
	t.Parallel()
	name, locale := profile.Name("Aleksandra"), profile.Locale("pl")
	ola := profile.Profile{ID: "1", Name: "Ola", Locale: "en"}
	assert.Equal(t, ola, ola.Apply(profile.Change{}))
	assert.Equal(t, name, ola.Apply(profile.Change{Name: &name}).Name)
	assert.Equal(t, profile.Locale("en"), ola.Apply(profile.Change{Name: &name}).Locale)
	assert.Equal(t, locale, ola.Apply(profile.Change{Locale: &locale}).Locale)
}
