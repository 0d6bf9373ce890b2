package service

import (
	"context"
	"io"
	"time"

	"github.com/hashicorp/golang-lru/v2"

	"github.com/fourinarow/fourinarow/internal/fault"
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
	// Revoked returns which devices aren't there any more.
	Revoked(ctx context.Context, devices []profile.DeviceID) (map[profile.DeviceID]bool, error)
	// DropDeviceCodes removes codes that have expired.
	DropDeviceCodes(ctx context.Context, at time.Time) error
}

// Devices is what a caller may ask about its devices, and who a token belongs to.
type Devices struct {
	store    DeviceStore
	tokens   *lru.Cache[profile.TokenHash, knownToken]
	lifetime time.Duration // see Settings.TokenCacheLifetime
	presence *PresenceLog
	waiters  Waiters
	clock    func() time.Time
	random   io.Reader
	removed  removals
}

// knownToken is a token that was looked up a moment ago.
type knownToken struct {
	holder  profile.Holder
	expires time.Time
}

// tokensCached is how many tokens are remembered; about 200 bytes each.
const tokensCached = 50_000

// newTokens returns a cache of tokens that were right a moment ago.
func newTokens() (*lru.Cache[profile.TokenHash, knownToken], error) {
	tokens, err := lru.New[profile.TokenHash, knownToken](tokensCached)
	if err != nil {
		return nil, wrap(err, "make the cache of tokens")
	}
	return tokens, nil
}

// Identify returns who holds a token. A token that was right is taken as right for
// Settings.TokenCacheLifetime. The fault is unauthenticated.
func (s *Devices) Identify(ctx context.Context, token profile.Token) (profile.Holder, error) {
	now, hash := s.clock(), token.Hash()
	if known, found := s.tokens.Get(hash); found && now.Before(known.expires) {
		return known.holder, nil
	}
	holder, err := s.store.HolderOf(ctx, hash)
	if err != nil {
		if fault.Is(err, fault.NoToken) {
			s.tokens.Remove(hash)
		}
		return profile.Holder{}, err
	}
	s.presence.heardDevice(holder.Device, now)
	s.tokens.Add(hash, knownToken{holder: holder, expires: now.Add(s.lifetime)})
	return holder, nil
}

// Recalls reports whether a token was right here before, so that it is no guess.
func (s *Devices) Recalls(token profile.Token) bool { return s.tokens.Contains(token.Hash()) }

// List returns the caller's devices, oldest first.
func (s *Devices) List(ctx context.Context, c Caller) ([]profile.Device, error) {
	if err := signedIn(c); err != nil {
		return nil, err
	}
	devices, err := s.store.Devices(ctx, c.Profile)
	for i := range devices {
		devices[i].Seen = s.presence.hourOf(devices[i])
	}
	return devices, err
}

// NewCode draws a code that lets another device in, once, until it expires. The fault is too_many_devices.
func (s *Devices) NewCode(ctx context.Context, c Caller) (profile.DeviceCode, time.Time, error) {
	if err := signedIn(c); err != nil {
		return "", time.Time{}, err
	}
	drawn, err := profile.DrawCode(s.random)
	if err != nil {
		return "", time.Time{}, wrap(err, "let a device in")
	}
	code, expires := profile.DeviceCode(drawn), s.clock().Add(codeLifetime)
	err = s.store.AddDeviceCode(ctx, DeviceCode{Hash: code.Hash(), Profile: c.Profile, By: c.Device, Expires: expires})
	return code, expires, err
}

// Add makes a device of the profile that a code is for, and its token. Name may be empty. The faults are
// code_expired (a wrong code, a used one and one that has expired are alike) and too_many_devices.
func (s *Devices) Add(ctx context.Context, code profile.DeviceCode, name profile.Name) (profile.Profile, profile.Device, profile.Token, error) {
	device, token, err := s.newDevice("", name)
	if err != nil {
		return profile.Profile{}, profile.Device{}, "", err
	}
	guest, err := s.store.UseDeviceCode(ctx, code.Hash(), device)
	if err != nil {
		return profile.Profile{}, profile.Device{}, "", err
	}
	device.Profile = guest.ID
	return guest, device, token, nil
}

// newDevice draws a device and its token.
func (s *Devices) newDevice(of profile.ID, name profile.Name) (profile.Device, profile.Token, error) {
	now := s.clock()
	id, err := newID(now, s.random)
	if err != nil {
		return profile.Device{}, "", err
	}
	token, err := profile.NewToken(s.random)
	if err != nil {
		return profile.Device{}, "", err
	}
	return profile.Device{
		ID: profile.DeviceID(id), Profile: of, Name: name, Hash: token.Hash(), Created: now, Seen: time.Time{},
	}, token, nil
}

// Remove takes a device's token away: it is refused here at once, everywhere within
// Settings.TokenCacheLifetime, and its waiting requests end. The fault is not_found, also about somebody else's.
func (s *Devices) Remove(ctx context.Context, c Caller, id profile.DeviceID) error {
	if err := signedIn(c); err != nil {
		return err
	}
	device, err := s.store.RemoveDevice(ctx, c.Profile, id)
	if err != nil {
		return err
	}
	s.forget(device)
	return nil
}

// RemoveAll does the same with all the caller's devices but the one that asks, or with that one too.
func (s *Devices) RemoveAll(ctx context.Context, c Caller, thisToo bool) error {
	if err := signedIn(c); err != nil {
		return err
	}
	but := c.Device
	if thisToo {
		but = ""
	}
	devices, err := s.store.RemoveDevices(ctx, c.Profile, but)
	if err != nil {
		return err
	}
	s.forget(devices...)
	return nil
}

// forget refuses the tokens of devices and ends what waits for them.
func (s *Devices) forget(devices ...profile.Device) {
	ids := make([]profile.DeviceID, 0, len(devices))
	for _, d := range devices {
		s.tokens.Remove(d.Hash)
		ids = append(ids, d.ID)
	}
	s.dismiss(s.waiters, ids...)
}

// DropCodes removes codes that have expired.
func (s *Devices) DropCodes(ctx context.Context) error {
	return s.store.DropDeviceCodes(ctx, s.clock())
}

// errRevoked ends a waiting request whose token was taken away.
func errRevoked() error {
	return fault.New(fault.NoToken, "the token was revoked while the request waited")
}
