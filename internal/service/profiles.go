package service

import (
	"context"
	"io"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/text"
)

// ProfileStore keeps profiles.
type ProfileStore interface {
	// OpenProfile stores a new profile and its first device.
	OpenProfile(ctx context.Context, p profile.Profile, d profile.Device) error
	// Profile returns a profile. The fault is not_found.
	Profile(ctx context.Context, id profile.ID) (profile.Profile, error)
	// ChangeProfile changes what is named and returns the profile after it. The fault is not_found.
	ChangeProfile(ctx context.Context, id profile.ID, c profile.Change) (profile.Profile, error)
}

// Profiles is what a caller may ask about players.
type Profiles struct {
	store   ProfileStore
	devices *Devices
	clock   func() time.Time
	random  io.Reader
}

// Open makes a guest and the token of its first device, which may have a name. Without a name the guest gets a friendly
// one in a language.
func (s *Profiles) Open(ctx context.Context, c profile.Change, device profile.Name, l text.Language) (profile.Profile, profile.Token, error) {
	now := s.clock()
	id, err := newID(now, s.random)
	if err != nil {
		return profile.Profile{}, "", err
	}
	d, token, err := s.devices.newDevice(profile.ID(id), device)
	if err != nil {
		return profile.Profile{}, "", err
	}
	guest := profile.Profile{
		ID: profile.ID(id), Name: profile.Name(text.GuestName(l, draw(s.random))), Locale: "", Created: now, Standing: profile.Newcomer(), Rank: 0,
	}.Apply(c)
	if err = s.store.OpenProfile(ctx, guest, d); err != nil {
		return profile.Profile{}, "", wrap(err, "open a profile")
	}
	return guest, token, nil
}

// Read returns a player. The fault is not_found.
func (s *Profiles) Read(ctx context.Context, id profile.ID) (profile.Profile, error) {
	return s.store.Profile(ctx, id)
}

// Me returns the caller's profile.
func (s *Profiles) Me(ctx context.Context, c Caller) (profile.Profile, error) {
	if err := signedIn(c); err != nil {
		return profile.Profile{}, err
	}
	return own(ctx, s.store, c)
}

// own returns the caller's profile. The fault is unauthenticated: the caller has left for good.
func own(ctx context.Context, players ProfileStore, c Caller) (profile.Profile, error) {
	p, err := players.Profile(ctx, c.Profile)
	return p, departed(err)
}

// departed returns the error about a caller's own profile: one that isn't there any more has no token either.
func departed(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.NoToken, "this player has left for good")
	}
	return err
}

// ChangeMe changes what is named about the caller. A change of language holds at once for the caller's token here; for
// its other devices, and on other replicas, within Settings.TokenCacheLifetime.
func (s *Profiles) ChangeMe(ctx context.Context, c Caller, change profile.Change) (profile.Profile, error) {
	if err := signedIn(c); err != nil {
		return profile.Profile{}, err
	}
	p, err := s.store.ChangeProfile(ctx, c.Profile, change)
	s.devices.tokens.Remove(c.Token)
	return p, departed(err)
}
