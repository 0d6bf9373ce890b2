package httpapi

import (
	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// toProfile converts a player as everybody may see it.
func toProfile(p profile.Profile) api.Profile {
	s := p.Standing
	return api.Profile{
		ID: idOf(p.ID), Kind: string(game.Human), DisplayName: string(p.Name), CreatedAt: timeOf(p.Created),
		Rating: ratingOf(s.Rating), RatedGames: int32Of(s.Rated), Rank: optional(int32Of(p.Rank)), Record: toRecord(s), Streak: toStreak(s.Streak),
	}
}

// toOwnProfile converts a player as it sees itself.
func toOwnProfile(p profile.Profile) api.OwnProfile {
	s := p.Standing
	return api.OwnProfile{
		ID: idOf(p.ID), Kind: string(game.Human), DisplayName: string(p.Name), CreatedAt: timeOf(p.Created),
		Rating: ratingOf(s.Rating), RatedGames: int32Of(s.Rated), Rank: optional(int32Of(p.Rank)), Record: toRecord(s), Streak: toStreak(s.Streak),
		Locale: optional(string(p.Locale)),
	}
}

// ratingOf returns a rating as the wire has it. Below a thousand million points the nearest float is written as exactly
// the millionths it stands for.
func ratingOf(r profile.Rating) float64 { return float64(r) / 1e6 }

func toRecord(s profile.Standing) api.PlayerRecord {
	return api.PlayerRecord{People: toTally(s.People), Ranked: toTally(s.Ranked), CPU: toTally(s.CPU)}
}

func toTally(t profile.Tally) api.Tally {
	return api.Tally{Games: int32Of(t.Games()), Wins: int32Of(t.Wins), Losses: int32Of(t.Losses), Draws: int32Of(t.Draws)}
}

func toStreak(s profile.Streak) api.Streak {
	return api.Streak{Current: int32Of(s.Current), Longest: int32Of(s.Longest)}
}

// toGameRating converts what became of the ratings by a finished game.
func toGameRating(r game.Rating) *api.GameRating {
	shown := api.GameRating{Rated: r.Reason == game.Rated, Reason: string(r.Reason), Red: nil, Yellow: nil}
	if shown.Rated {
		shown.Red, shown.Yellow = toRatingChange(r.Red), toRatingChange(r.Yellow)
	}
	return &shown
}

func toRatingChange(c game.RatingChange) *api.RatingChange {
	return &api.RatingChange{Before: ratingOf(c.Before), After: ratingOf(c.After)}
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
