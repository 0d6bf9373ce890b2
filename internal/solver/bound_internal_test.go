package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainScores is negamax without any of the package's ideas but remembering, for positions that aren't over.
type plainScores map[[2]uint64]int

func (known plainScores) score(current, mask uint64) int {
	if hasFour(current ^ mask) {
		return -winAt(plyOf(mask) - 1)
	}
	if mask == allFields {
		return 0
	}
	if score, ok := known[[2]uint64{current, mask}]; ok {
		return score
	}
	best := -maxScore
	for moves := playable(mask); moves != 0; moves &= moves - 1 {
		best = max(best, -known.score(current^mask, mask|moves&-moves))
	}
	known[[2]uint64{current, mask}] = best
	return best
}

// randomNode plays at random to a node of the search with at least that many discs.
func randomNode(random *rand.Rand, atLeast int) node {
	for {
		current, mask := uint64(0), uint64(0)
		for range atLeast + random.IntN(fields-3-atLeast) {
			var open []uint64
			for moves := playable(mask); moves != 0; moves &= moves - 1 {
				if move := moves & -moves; !hasFour(current | move) {
					open = append(open, move)
				}
			}
			if len(open) == 0 {
				break
			}
			current, mask = current^mask, mask|open[random.IntN(len(open))]
		}
		if p, _, plain := start(current, mask); !plain {
			return p
		}
	}
}

func TestFollowUpBoundsAreTrue(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	held := map[int]int{}
	for range 3000 {
		p := randomNode(random, 26)
		known := plainScores{}
		for moves := p.moves; moves != 0; moves &= moves - 1 {
			move := moves & -moves
			mask := p.mask | move
			threats := completing(p.current|move) & (allFields &^ mask)
			c := child{move: move, threats: threats, replies: safeReplies(playable(mask), threats)}
			for beta := -3; beta <= 4; beta++ {
				value, holds := c.holds(p, beta)
				if !holds {
					continue
				}
				held[beta]++
				require.GreaterOrEqual(t, value, beta)
				require.GreaterOrEqual(t, -known.score(p.current^p.mask, mask), value)
			}
		}
	}
	for beta := -3; beta <= 3; beta++ {
		require.Positive(t, held[beta], "no position tested a bound of %d", beta)
	}
	require.Zero(t, held[4])
}

func TestCompletingFindsWhatAFourthDiscWouldComplete(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := randomNode(random, 4)
		found := completing(p.current) & (allFields &^ p.mask)
		for field := uint64(1); field <= allFields; field <<= 1 {
			if field&allFields&^p.mask != 0 {
				require.Equal(t, hasFour(p.current|field), found&field != 0, "field %x of %x", field, p.current)
			}
		}
	}
}

func TestMirroringTwiceGivesTheSameAndKeysGiveBackTheirPosition(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		p := randomNode(random, 4)
		key := keyOf(p.current, p.mask)
		require.Equal(t, key, mirror(mirror(key)))
		require.Equal(t, canonical(key), canonical(mirror(key)))
		require.True(t, Key(key).valid(p.ply))
		current, mask := Key(key).position()
		require.Equal(t, p.current, current)
		require.Equal(t, p.mask, mask)
	}
}

func TestATableForgetsOnlyToMakeRoom(t *testing.T) {
	t.Parallel()
	table := newTable(4)
	entry := func(key uint64) uint64 { return table.slot(key).entry(key) }
	require.Zero(t, entry(1))
	for key := uint64(1); key <= 100; key++ {
		table.store(key, -3, 5, key)
		e := entry(key)
		require.Equal(t, [2]int{-3, 5}, [2]int{lowerOf(e), upperOf(e)})
	}
	table = newTable(1)
	table.store(7, 1, 2, 1_000_000)
	for key := range uint64(5) {
		table.store(key+10, 0, 0, 0)
	}
	require.NotZero(t, entry(7), "what was dear outlives the cheap")
	for key := range uint64(5) {
		table.store(key+20, 0, 0, 0)
	}
	require.Zero(t, entry(7), "but not for ever")
}
