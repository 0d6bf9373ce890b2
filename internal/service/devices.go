package service

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
)

const (
	// codeLifetime is how long a code lets a device in.
	codeLifetime = 10 * time.Minute
	// CodesAtMost is how many codes of a profile are good at once; the oldest give way to new ones.
	CodesAtMost = 5
	// DevicesAtMost is how many devices a profile may have.
	DevicesAtMost = 20
)

// DeviceCode is what is stored of a code.
type DeviceCode struct {
	Hash    profile.CodeHash
	Profile profile.ID
	By      profile.DeviceID // which drew it
	Expires time.Time
}

// DeviceStore keeps devices and the codes that let more of them in.
type DeviceStore interface {
	// HolderOf returns who holds a token. The fault is unauthenticated.
	HolderOf(ctx context.Context, hash profile.TokenHash) (profile.Holder, error)
	// Devices returns the devices of a profile, oldest first.
	Devices(ctx context.Context, who profile.ID) ([]profile.Device, error)
	// AddDeviceCode stores a code; of a profile's codes the newest CodesAtMost stay. The faults are too_many_devices:
	// the profile has DevicesAtMost already, and unauthenticated: the device that drew it was removed meanwhile.
	AddDeviceCode(ctx context.Context, c DeviceCode) error
	// UseDeviceCode stores a device of the profile that a code is for, and removes the code, all or nothing. The profile
	// of d is filled in. The faults are code_expired and too_many_devices.
	UseDeviceCode(ctx context.Context, hash profile.CodeHash, d profile.Device) (profile.Profile, error)
	// RemoveDevice removes a device of a profile and returns what it was, and with it the profile's codes: it may have
	// drawn one. The fault is not_found.
	RemoveDevice(ctx context.Context, who profile.ID, id profile.DeviceID) (profile.Device, error)
	// RemoveDevices removes all devices of a profile but one, none but those with an empty one, and returns them. The
	// codes go with them.
	RemoveDevices(ctx context.Context, who profile.ID, but profile.DeviceID) ([]profile.Device, error)
}

// Devices returns the caller's devices, oldest first.
func (s *Profiles) Devices(ctx context.Context, c Caller) ([]profile.Device, error) {
	if err := signedIn(c); err != nil {
		return nil, err
	}
	devices, err := s.deps.Profiles.Devices(ctx, c.Profile)
	for i := range devices {
		devices[i].Seen = s.deps.Attendance.hourOf(devices[i])
	}
	return devices, err
}

// NewDeviceCode draws a code that lets another device in, once, until it expires. The fault is too_many_devices.
func (s *Profiles) NewDeviceCode(ctx context.Context, c Caller) (profile.DeviceCode, time.Time, error) {
	if err := signedIn(c); err != nil {
		return "", time.Time{}, err
	}
	drawn, err := profile.DrawCode(s.deps.Random)
	if err != nil {
		return "", time.Time{}, wrap(err, "let a device in")
	}
	code, expires := profile.DeviceCode(drawn), s.deps.Clock().Add(codeLifetime)
	err = s.deps.Profiles.AddDeviceCode(ctx, DeviceCode{Hash: code.Hash(), Profile: c.Profile, By: c.Device, Expires: expires})
	return code, expires, err
}

// AddDevice makes a device of the profile that a code is for, and its token. Name may be empty. The faults are
// code_expired (a wrong code, a used one and one that has expired are alike) and too_many_devices.
func (s *Profiles) AddDevice(ctx context.Context, code profile.DeviceCode, name profile.Name) (profile.Profile, profile.Device, profile.Token, error) {
	device, token, err := s.newDevice("", name)
	if err != nil {
		return profile.Profile{}, profile.Device{}, "", err
	}
	guest, err := s.deps.Profiles.UseDeviceCode(ctx, code.Hash(), device)
	if err != nil {
		return profile.Profile{}, profile.Device{}, "", err
	}
	device.Profile = guest.ID
	return guest, device, token, nil
}

// newDevice draws a device and its token.
func (s *Profiles) newDevice(of profile.ID, name profile.Name) (profile.Device, profile.Token, error) {
	now := s.deps.Clock()
	id, err := newID(now, s.deps.Random)
	if err != nil {
		return profile.Device{}, "", err
	}
	token, err := profile.NewToken(s.deps.Random)
	if err != nil {
		return profile.Device{}, "", err
	}
	return profile.Device{
		ID: profile.DeviceID(id), Profile: of, Name: name, Hash: token.Hash(), Created: now, Seen: time.Time{},
	}, token, nil
}

// RemoveDevice takes a device's token away: it is refused here at once, everywhere within
// Settings.TokenCacheLifetime, and its waiting requests end. The fault is not_found, also about somebody else's.
func (s *Profiles) RemoveDevice(ctx context.Context, c Caller, id profile.DeviceID) error {
	if err := signedIn(c); err != nil {
		return err
	}
	device, err := s.deps.Profiles.RemoveDevice(ctx, c.Profile, id)
	if err != nil {
		return err
	}
	s.forget(device)
	return nil
}

// RemoveDevices does the same with all the caller's devices but the one that asks, or with that one too.
func (s *Profiles) RemoveDevices(ctx context.Context, c Caller, thisToo bool) error {
	if err := signedIn(c); err != nil {
		return err
	}
	but := c.Device
	if thisToo {
		but = ""
	}
	devices, err := s.deps.Profiles.RemoveDevices(ctx, c.Profile, but)
	if err != nil {
		return err
	}
	s.forget(devices...)
	return nil
}

// forget refuses the tokens of devices and ends what waits for them.
func (s *Profiles) forget(devices ...profile.Device) {
	gone := make(map[profile.DeviceID]bool, len(devices))
	for _, d := range devices {
		s.tokens.Remove(d.Hash)
		gone[d.ID] = true
	}
	s.deps.Waiters.Dismiss(func(p live.Party) bool { return gone[profile.DeviceID(p.Device)] })
}

// DismissRevoked ends the waiting requests of devices whose tokens were taken away, by whichever replica.
func (s *Duty) DismissRevoked(ctx context.Context, hub Dismisser) error {
	waiting := map[profile.DeviceID]bool{}
	for _, p := range hub.Parties() {
		if p.Device != "" {
			waiting[profile.DeviceID(p.Device)] = true
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	gone, err := s.deps.Duties.Revoked(ctx, slices.Collect(maps.Keys(waiting)))
	if err != nil {
		return wrap(err, "look for %d devices that wait", len(waiting))
	}
	if len(gone) > 0 {
		hub.Dismiss(func(p live.Party) bool { return gone[profile.DeviceID(p.Device)] })
	}
	return nil
}

// Dismisser is the waiters of a process, by party; internal/live has it.
type Dismisser interface {
	Parties() []live.Party
	Dismiss(gone func(live.Party) bool)
}

// DropCodes removes codes that have expired.
func (s *Duty) DropCodes(ctx context.Context) error {
	return s.deps.Duties.DropDeviceCodes(ctx, s.deps.Clock())
}

// errRevoked ends a waiting request whose token was taken away.
func errRevoked() error {
	return fault.New(fault.NoToken, "the token was revoked while the request waited")
}
