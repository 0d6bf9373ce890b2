package solver

import (
	"context"
	"math/bits"
	"slices"
)

// A Key names a position up to its mirror image: the discs of the side to move, plus all discs, plus the
// bottom row, seven bits a column with column 1 lowest; of the two mirror images the smaller number.
type Key uint64

// position gives back the discs: in each column the highest bit set stands on top of the discs, and the
// bits below it are those of the side to move.
func (k Key) position() (current, mask uint64) {
	for column := range columns {
		shift := uint(column * stride)
		top := bits.Len64(uint64(k)>>shift&(1<<stride-1)) - 1
		mask |= (1<<max(top, 0) - 1) << shift
	}
	return uint64(k) - mask - bottomRow, mask
}

// valid tells whether the key names a position of that many discs.
func (k Key) valid(ply int) bool {
	for column := range columns {
		if uint64(k)>>(column*stride)&(1<<stride-1) == 0 {
			return false
		}
	}
	current, mask := k.position()
	return plyOf(mask) == ply && plyOf(current) == ply/2 && k>>(columns*stride) == 0
}

// Keys lists the positions with that many discs that can be reached and aren't over, one of each pair of
// mirror images, in ascending order.
func Keys(ply int) []Key {
	level := []Key{Key(keyOf(0, 0))}
	for range ply {
		next := make([]Key, 0, len(level)*columns/2)
		for _, k := range level {
			current, mask := k.position()
			for moves := playable(mask); moves != 0; moves &= moves - 1 {
				move := moves & -moves
				if !over(current^mask, mask|move) {
					next = append(next, Key(canonical(keyOf(current^mask, mask|move))))
				}
			}
		}
		slices.Sort(next)
		level = slices.Clip(slices.Compact(next))
	}
	return level
}

// SolveKey finds the exact score of the position a key names. The errors are those of Solve.
func (s *Solver) SolveKey(ctx context.Context, key Key) (Result, error) {
	current, mask := key.position()
	if over(current, mask) {
		return Result{}, ErrGameOver
	}
	return s.run(ctx, func() Result { return s.search.solve(current, mask, -maxScore-1, maxScore+1, 0) })
}
