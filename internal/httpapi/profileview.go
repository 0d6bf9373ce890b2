package httpapi

import (
	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// toProfile converts a player as everybody may see it.
func toProfile(p profile.Profile) api.Profile {
	return api.Profile{ID: idOf(p.ID), Kind: string(game.Human), DisplayName: string(p.Name), CreatedAt: timeOf(p.Created)}
}

// toOwnProfile converts a player as it sees itself.
func toOwnProfile(p profile.Profile) api.OwnProfile {
	return api.OwnProfile{
		ID: idOf(p.ID), Kind: string(game.Human), DisplayName: string(p.Name), CreatedAt: timeOf(p.Created),
		Locale: optional(string(p.Locale)),
	}
}

// changeOf reads what a player wants to be called and in which language. The faults are invalid_name and
// invalid_request.
func changeOf(displayName, locale *string) (profile.Change, error) {
	change := profile.Change{Name: nil, Locale: nil}
	if displayName != nil {
		name, err := profile.ParseName(*displayName)
		if err != nil {
			return profile.Change{}, err
		}
		change.Name = &name
	}
	if locale != nil {
		parsed, err := profile.ParseLocale(*locale)
		if err != nil {
			return profile.Change{}, err
		}
		change.Locale = &parsed
	}
	return change, nil
}
