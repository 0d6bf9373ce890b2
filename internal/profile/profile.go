package profile

import "time"

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
