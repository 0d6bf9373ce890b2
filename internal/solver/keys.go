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
	keys := FamilyKeys(ply)
	slices.Sort(keys)
	return keys
}

// FamilyKeys lists the same positions as Keys in the order in which a walk through the tree of games meets
// them. Neighbours mostly differ by a disc or two, so that what follows them is mostly the same: solved in
// this order, tables that stay warm save half of the work.
func FamilyKeys(ply int) []Key {
	var keys []Key
	seen := make([]map[Key]struct{}, ply+1)
	for i := range seen {
		seen[i] = map[Key]struct{}{}
	}
	var walk func(k Key, at int)
	walk = func(k Key, at int) {
		if _, again := seen[at][k]; again {
			return
		}
		seen[at][k] = struct{}{}
		if at == ply {
			keys = append(keys, k)
			return
		}
		current, mask := k.position()
		for moves := playable(mask); moves != 0; moves &= moves - 1 {
			move := moves & -moves
			if !over(current^mask, mask|move) {
				walk(Key(canonical(keyOf(current^mask, mask|move))), at+1)
			}
		}
	}
	walk(Key(keyOf(0, 0)), 0)
	return keys
}

// SolveKey finds the exact score of the position a key names. The errors are those of Solve.
func (s *Solver) SolveKey(ctx context.Context, key Key) (Result, error) {
	return s.SolveKeyNear(ctx, key, noGuess)
}

// SolveKeyNear is SolveKey for a position much like one whose score is known: the closer that score is,
// the less there is to search. The answer is exact whatever it is.
func (s *Solver) SolveKeyNear(ctx context.Context, key Key, score int) (Result, error) {
	current, mask := key.position()
	if over(current, mask) {
		return Result{}, ErrGameOver
	}
	return s.run(ctx, func() Result { return s.search.solve(current, mask, -maxScore-1, maxScore+1, score) })
}
