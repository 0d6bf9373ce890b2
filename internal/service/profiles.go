package service

import (
	"context"
	"time"

	"github.com/hashicorp/golang-lru/v2"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/text"
)

// Profiles is what a caller may ask about players, and who a token belongs to.
type Profiles struct {
	deps   Deps
	tokens *lru.Cache[profile.TokenHash, knownToken]
}

// knownToken is a token that was looked up a moment ago.
type knownToken struct {
	holder  profile.Holder
	expires time.Time
}

// tokensCached is how many tokens are remembered; about 200 bytes each.
const tokensCached = 50_000

// NewProfiles returns the methods about players.
func NewProfiles(d Deps) (*Profiles, error) {
	tokens, err := lru.New[profile.TokenHash, knownToken](tokensCached)
	if err != nil {
		return nil, wrap(err, "make the cache of tokens")
	}
	return &Profiles{deps: d, tokens: tokens}, nil
}

// Identify returns who holds a token. A token that was right is taken as right for
// Settings.TokenCacheLifetime. The fault is unauthenticated.
func (s *Profiles) Identify(ctx context.Context, token profile.Token) (profile.Holder, error) {
	now, hash := s.deps.Clock(), token.Hash()
	if known, found := s.tokens.Get(hash); found && now.Before(known.expires) {
		return known.holder, nil
	}
	holder, err := s.deps.Profiles.HolderOf(ctx, hash)
	if err != nil {
		return profile.Holder{}, err
	}
	s.deps.Attendance.heardDevice(holder.Device, now)
	s.tokens.Add(hash, knownToken{holder: holder, expires: now.Add(s.deps.Settings.TokenCacheLifetime)})
	return holder, nil
}

// Open makes a guest and the token of its first device, which may have a name. Without a name the guest gets a friendly
// one in a language.
func (s *Profiles) Open(ctx context.Context, c profile.Change, device profile.Name, l text.Language) (profile.Profile, profile.Token, error) {
	now := s.deps.Clock()
	id, err := newID(now, s.deps.Random)
	if err != nil {
		return profile.Profile{}, "", err
	}
	d, token, err := s.newDevice(profile.ID(id), device)
	if err != nil {
		return profile.Profile{}, "", err
	}
	guest := profile.Profile{
		ID: profile.ID(id), Name: profile.Name(text.GuestName(l, s.deps.draw())), Locale: "", Created: now, Standing: profile.Newcomer(), Rank: 0,
	}.Apply(c)
	if err = s.deps.Profiles.OpenProfile(ctx, guest, d); err != nil {
		return profile.Profile{}, "", wrap(err, "open a profile")
	}
	return guest, token, nil
}

// Read returns a player. The fault is not_found.
func (s *Profiles) Read(ctx context.Context, id profile.ID) (profile.Profile, error) {
	return s.deps.Profiles.Profile(ctx, id)
}

// Me returns the caller's profile.
func (s *Profiles) Me(ctx context.Context, c Caller) (profile.Profile, error) {
	if err := signedIn(c); err != nil {
		return profile.Profile{}, err
	}
	return s.deps.own(ctx, c)
}

// own returns the caller's profile. The fault is unauthenticated: the caller has left for good.
func (d Deps) own(ctx context.Context, c Caller) (profile.Profile, error) {
	p, err := d.Profiles.Profile(ctx, c.Profile)
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
	p, err := s.deps.Profiles.ChangeProfile(ctx, c.Profile, change)
	s.tokens.Remove(c.Token)
	return p, departed(err)
}
