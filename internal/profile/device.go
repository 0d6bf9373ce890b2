package profile

import "time"

// DeviceID names a device: a UUID in canonical form.
type DeviceID string

// Device is something that holds a token of a profile.
type Device struct {
	ID      DeviceID
	Profile ID
	Name    Name // empty when it gave none
	Hash    TokenHash
	Created time.Time
	Seen    time.Time // the hour it was last seen in, as far as it is written; zero: that of its beginning
}

// Holder is who holds a token: a device, and what is asked about its owner with each request.
type Holder struct {
	Device

	Locale Locale // of the owner; empty when they have not said
}

// Hour is what is kept of when a device was seen.
func Hour(at time.Time) time.Time { return at.UTC().Truncate(time.Hour) }

// LastSeen returns the hour the device was last seen in.
func (d Device) LastSeen() time.Time {
	if began := Hour(d.Created); began.After(d.Seen) {
		return began
	}
	return d.Seen
}
