package profile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/profile"
)

func TestAStandingAddsUpWhatWasPlayed(t *testing.T) {
	t.Parallel()
	s := profile.Newcomer()
	for _, f := range []profile.Finished{
		{Result: profile.Won},
		{Result: profile.Won, Ranked: true, Rated: true, After: 1516 * point, NewRival: true},
		{Result: profile.Lost, VersusCPU: true},
		{Result: profile.NoResult, Ranked: true},
		{Result: profile.Won, Ranked: true}, // not rated for some reason
		{Result: profile.Drawn},
		{Result: profile.Won, Ranked: true, Rated: true, After: 1530 * point},
		{Result: profile.Lost, Ranked: true, Rated: true, After: 1514 * point, NewRival: true},
		{Result: profile.Won},
	} {
		s = s.After(f)
	}
	assert.Equal(t, profile.Standing{
		Games: 9, People: profile.Tally{Wins: 5, Losses: 1, Draws: 1}, Ranked: profile.Tally{Wins: 3, Losses: 1},
		CPU: profile.Tally{Losses: 1}, Streak: profile.Streak{Current: 1, Longest: 3},
		Rating: 1514 * point, Rated: 3, Opponents: 2,
	}, s)
	assert.Equal(t, 7, s.People.Games())
}
