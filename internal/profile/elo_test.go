package profile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/profile"
)

const point = 1_000_000

// The values were worked out by hand from the formula, to sixty digits where the exponent is no whole number.
func TestGain(t *testing.T) {
	t.Parallel()
	const won, drawn, lost = profile.Won, profile.Drawn, profile.Lost
	for _, row := range []struct {
		own, other profile.Rating
		result     profile.Result
		want       profile.Rating
	}{
		{1500 * point, 1500 * point, won, 16_000_000},     // 32 · 1/2
		{1500 * point, 1500 * point, drawn, 0},            // equals who draw
		{1500 * point, 1500 * point, lost, -16_000_000},   //
		{1500 * point, 1900 * point, won, 29_090_909},     // 32 · 10/11
		{1900 * point, 1500 * point, won, 2_909_091},      // 32 · 1/11, rounded up
		{1500 * point, 1900 * point, drawn, 13_090_909},   // 32 · (1/2 − 1/11)
		{1900 * point, 1500 * point, drawn, -13_090_909},  //
		{1500 * point, 1900 * point, lost, -2_909_091},    //
		{1500 * point, 2300 * point, won, 31_683_168},     // 32 · 100/101
		{2300 * point, 1500 * point, lost, -31_683_168},   //
		{2300 * point, 1500 * point, won, 316_832},        // 32 · 1/101, rounded up
		{1500 * point, 1700 * point, won, 24_311_902},     // 32 · √10/(1+√10) = 24.311901 65…
		{1700 * point, 1500 * point, won, 7_688_098},      // 7.688098 34…
		{1700 * point, 1500 * point, drawn, -8_311_902},   // −8.311901 65…
		{1600 * point, 1500 * point, won, 11_517_920},     // 11.517920 00…
		{1500 * point, 1600 * point, won, 20_482_080},     // 20.482079 99…
		{1516 * point, 1484 * point, won, 14_530_498},     // 14.530498 47…
		{1516 * point, 1484 * point, lost, -17_469_502},   // −17.469501 52…
		{1516 * point, 1484 * point, drawn, -1_469_502},   // −1.469501 52…
		{1_512_400_000, 1500 * point, won, 15_429_201},    // 15.429201 23…
		{1_500_000_001, 1500 * point, drawn, 0},           // −0.000000 04…: too little to tell
		{1_500_000_010, 1500 * point, drawn, 0},           // −0.000000 46…
		{1_500_000_011, 1500 * point, drawn, -1},          // −0.000000 50…: just enough
		{0, 4000 * point, won, 32_000_000},                // as good as never expected
		{-100 * point, 2_900_123_456, lost, -1},           // as good as always expected
		{1500 * point, 1500 * point, profile.NoResult, 0}, // a game that counts nowhere
	} {
		assert.Equal(t, row.want, profile.Gain(row.own, row.other, row.result), "%d against %d, %d", row.own, row.other, row.result)
	}
}

var ratings = rapid.Map(rapid.Int64Range(-1000*point, 5000*point), func(r int64) profile.Rating { return profile.Rating(r) })

func TestWhatOneGainsTheOtherLoses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		own, other := ratings.Draw(t, "own"), ratings.Draw(t, "other")
		assert.Equal(t, profile.Gain(own, other, profile.Won), -profile.Gain(other, own, profile.Lost))
		assert.Equal(t, profile.Gain(own, other, profile.Lost), -profile.Gain(other, own, profile.Won))
		assert.Equal(t, profile.Gain(own, other, profile.Drawn), -profile.Gain(other, own, profile.Drawn))
	})
}

func TestADrawMovesRatingsTowardsEachOtherAndNeverAcross(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		low, high := ratings.Draw(t, "one"), ratings.Draw(t, "other")
		low, high = min(low, high), max(low, high)
		gain := profile.Gain(low, high, profile.Drawn)
		assert.GreaterOrEqual(t, gain, profile.Rating(0))
		assert.LessOrEqual(t, low+gain, high-gain)
		if low == high {
			assert.Zero(t, gain)
		}
	})
}

func TestAGainStaysWithinItsBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		own, other := ratings.Draw(t, "own"), ratings.Draw(t, "other")
		won, lost := profile.Gain(own, other, profile.Won), profile.Gain(own, other, profile.Lost)
		assert.True(t, won >= 0 && won <= 32*point, won)
		assert.True(t, lost <= 0 && lost >= -32*point, lost)
		assert.InDelta(t, 32*point, int64(won-lost), 1, "K is what lies between a win and a loss")
	})
}
