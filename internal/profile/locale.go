package profile

import (
	"errors"
	"strings"

	"golang.org/x/text/language"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// Locale is the language a player's device is set to: a tag of BCP 47 in canonical form, like de-AT. It need not be one
// that the service speaks.
type Locale string

// MaxLocaleLength is the longest tag, as RFC 5646 recommends (section 4.4.1).
const MaxLocaleLength = 35

// ParseLocale reads a language as devices write it: de-AT, de_AT, DE. The fault points to /locale.
func ParseLocale(text string) (Locale, error) {
	parsed, err := language.Parse(text)
	canonical := parsed.String()
	if _, unknown := errors.AsType[language.ValueError](err); unknown { // well-formed; the list of languages grows
		canonical, err = inUsualCase(text), nil
	}
	if err != nil || len(text) > MaxLocaleLength || len(canonical) > MaxLocaleLength {
		return "", fault.At("/locale", fault.Invalid, fault.InvalidRequest, "want a language tag of up to %d characters, like de-AT", MaxLocaleLength)
	}
	return Locale(canonical), nil
}

// inUsualCase returns a well-formed tag in the case that RFC 5646 recommends (section 2.1.1).
func inUsualCase(tag string) string {
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	for i, part := range parts {
		switch {
		case i == 0 || len(parts[i-1]) == 1:
		case len(part) == 2:
			parts[i] = strings.ToUpper(part)
		case len(part) == 4:
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "-")
}
