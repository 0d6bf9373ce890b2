package profile

import (
	"regexp"
	"strings"

	"golang.org/x/text/language"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// Locale is the language a player's device is set to: a tag of BCP 47 in canonical form, like de-AT. It need not be one
// that the service speaks.
type Locale string

// MaxLocaleLength is the longest tag, as RFC 5646 recommends (section 4.4.1).
const MaxLocaleLength = 35

// writtenLocale is a tag as the contract takes it: the grammar of RFC 5646 (section 2.1), with underscores too, and what some
// systems put behind it.
var writtenLocale = regexp.MustCompile(`^([A-Za-z]{2,3}([-_][A-Za-z]{3}){0,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?` +
	`([-_]([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*([-_][A-WYZa-wyz0-9]([-_][A-Za-z0-9]{2,8})+)*([-_][Xx]([-_][A-Za-z0-9]{1,8})+)?)(_?[.@#][!-~]*)?$`)

// ParseLocale reads a language as devices write it: de-AT, de_AT, DE, and de_AT.UTF-8, de_AT@euro or zh_TW_#Hant, of which
// what begins with the sign is left out. The fault points to /locale.
func ParseLocale(text string) (Locale, error) {
	canonical := ""
	if parts := writtenLocale.FindStringSubmatch(text); parts != nil {
		canonical = canonicalTag(parts[1])
	}
	if canonical == "" || len(text) > MaxLocaleLength || len(canonical) > MaxLocaleLength {
		return "", fault.At("/locale", fault.InvalidRequest, "want a language tag of up to %d characters, like de-AT", MaxLocaleLength)
	}
	return Locale(canonical), nil
}

// canonicalTag returns the canonical form of a well-formed tag; one in no list yet, or with an extension that nobody has
// defined, in the usual case. x/text may have to parse again what it has made of a tag.
func canonicalTag(tag string) string {
	for range 3 {
		parsed, err := language.Parse(tag)
		if err != nil {
			return inUsualCase(tag)
		}
		if parsed.String() == tag {
			break
		}
		tag = parsed.String()
	}
	return tag
}

// inUsualCase returns a well-formed tag in the case that RFC 5646 recommends (section 2.1.1).
func inUsualCase(tag string) string {
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	for i, part := range parts {
		switch {
		case len(part) == 1: // what follows is an extension, in small letters
			return strings.Join(parts, "-")
		case i == 0:
		case len(part) == 2:
			parts[i] = strings.ToUpper(part)
		case len(part) == 4:
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "-")
}
