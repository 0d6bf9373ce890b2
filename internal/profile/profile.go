package profile

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// ID names a profile: a UUID in canonical form. The zero value is nobody.
type ID string

// Profile is a player.
type Profile struct {
	ID      ID
	Name    Name
	Locale  Locale // empty when the player has not said
	Created time.Time

	Standing Standing
	Rank     int // on the leaderboard as it was made last; 0: it isn't on it
}

// Locale is a language for people, one of Locales.
type Locale string

// Locales returns the languages of the service.
func Locales() []Locale { return []Locale{"en", "de", "pl", "ru"} }

// ParseLocale reads a language tag. The fault points to /locale.
func ParseLocale(tag string) (Locale, error) {
	for _, locale := range Locales() {
		if tag == string(locale) {
			return locale, nil
		}
	}
	return "", fault.At("/locale", fault.Invalid, fault.InvalidRequest, "the languages are en, de, pl, ru")
}

// Change is what a player changes about itself; nil leaves it as it is.
type Change struct {
	Name   *Name
	Locale *Locale
}

// Apply returns the profile after the change.
func (p Profile) Apply(c Change) Profile {
	if c.Name != nil {
		p.Name = *c.Name
	}
	if c.Locale != nil {
		p.Locale = *c.Locale
	}
	return p
}
