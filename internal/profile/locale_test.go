package profile_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
)

func TestALocaleIsWhatADeviceIsSetTo(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]profile.Locale{
		"en": "en", "de": "de", "DE": "de", "de-DE": "de-DE", "de_DE": "de-DE", "DE-de": "de-DE", "de_AT": "de-AT", "pl_PL": "pl-PL",
		"zh-Hant-TW": "zh-Hant-TW", "zh_hant_tw": "zh-Hant-TW", "es-419": "es-419", "fr": "fr", "sr-Latn-RS": "sr-Latn-RS", "deu": "de",
		"ca-ES-valencia": "ca-ES-valencia", "de-DE-u-co-phonebk": "de-DE-u-co-phonebk", "und": "und",
		"xx": "xx", "XX_yy": "xx-YY", "xx-latn-yy": "xx-Latn-YY", "de-ZQ": "de-ZQ", "en_us_posix": "en-US-u-va-posix",
		"de_AT.UTF-8": "de-AT", "en_US@rg=dezzzz": "en-US", "zh_TW_#Hant": "zh-TW", "und-t-en-h0-hybrid": "und-t-en-h0-hybrid",
		"zh-t-abc1": "zh-t-abc1", "en-US-posix-u-ca-gregory-cu-usd": "en-US-posix-u-ca-gregory-cu-usd",
	} {
		got, err := profile.ParseLocale(sent)
		require.NoError(t, err, sent)
		assert.Equal(t, want, got, sent)
		again, err := profile.ParseLocale(string(got))
		require.NoError(t, err, sent)
		assert.Equal(t, got, again, "what is canonical stays as it is")
	}
}

func TestWhatIsNoLocaleIsRefused(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{
		"", " ", "d", "de-", "-de", "de DE", "de,en", "*", "deutsch und gut", "de\n", "\x00", "\x1b[1m", "de\u200b", "дe", "123", "s3cret-value",
		strings.Repeat("x", 100), "C", "de.UTF 8", "de@\n", "de@é", ".de", "de" + strings.Repeat("-DE", 12),
	} {
		_, err := profile.ParseLocale(sent)
		require.True(t, fault.Is(err, fault.InvalidRequest), "%q", sent)
	}
}

// The database and the logs take what comes out.
func FuzzALocale(f *testing.F) {
	for _, seed := range []string{"de_DE", "zh-Hant-TW", "sh-x-a", "art-lojban", "i-klingon", "de.UTF-8", "xx-x-u-co", "en-u-va-posix", "a-b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		got, err := profile.ParseLocale(sent)
		if err != nil {
			return
		}
		require.NotEmpty(t, got)
		require.LessOrEqual(t, len(got), profile.MaxLocaleLength)
		for _, c := range string(got) {
			require.True(t, c == '-' || c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)), "%q of %q", got, sent)
		}
	})
}
