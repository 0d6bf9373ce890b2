package admin_test

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/profile"
)

func TestANameSaysWhoEdits(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"o", "ola", "Ola.Nowak-2", "ola@four.example", "Żółw", "李雷", "night_shift", strings.Repeat("ж", 64)} {
		parsed, err := admin.ParseName(name)
		require.NoError(t, err, name)
		assert.Equal(t, admin.Name(name), parsed)
	}
	for _, name := range []string{"", " ", "a b", "a\n", "a\x00", "a\x1b[31m", "\u202eola", "\u200b", "a/b", "'; --", "<b>", "a\xff", strings.Repeat("ж", 65)} {
		_, err := admin.ParseName(name)
		require.Error(t, err, "%q", name)
	}
}

func TestATokenIsDrawnAndReadBack(t *testing.T) {
	t.Parallel()
	token, err := admin.NewToken(rand.Reader)
	require.NoError(t, err)
	other, err := admin.NewToken(rand.Reader)
	require.NoError(t, err)
	assert.NotEqual(t, token, other)
	assert.Regexp(t, `^fia_[0-9A-Za-z_-]{43}$`, string(token))
	assert.Equal(t, "fia_…", token.String(), "no log shows it")
	parsed, formed := admin.ParseToken(string(token))
	assert.True(t, formed)
	assert.Equal(t, token.Hash(), parsed.Hash())
	assert.NotEqual(t, token.Hash(), other.Hash())
	for _, text := range []string{"", "fia_", string(token)[:46], string(token) + "A", string(token) + "=", strings.Replace(string(token), "fia_", "fir_", 1), " " + string(token)} {
		_, formed = admin.ParseToken(text)
		assert.False(t, formed, text)
	}
	_, formed = profile.ParseToken(string(token))
	assert.False(t, formed, "it is no player's")
	_, err = admin.NewToken(strings.NewReader("short"))
	require.Error(t, err)
}
