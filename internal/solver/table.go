package solver

import "math/bits"

// A table remembers what searches proved about positions. An entry is one word: the key (49 bits), a
// lower bound (6), an upper bound (6) and how much work it took (3). The whole key is there, so no
// other position is ever taken for this one; the bounds are true for good, so a table is never cleared
// between searches.
//
// Entries live in pairs. A new one takes the place of the cheaper of its pair, and the dearer one grows
// cheaper by that: what cost much stays long, but not for ever. (A best move in the three bits instead
// was tried: the order of the moves is so good without it that it saved nothing.)
type table struct {
	entries []uint64
	shift   uint
}

const (
	keyShift   = 15
	lowerShift = 9
	upperShift = 3
	boundMask  = 1<<6 - 1
	workMask   = 1<<3 - 1

	// maxScore bounds every score from both sides; a bound b is stored as b+maxScore.
	maxScore = 21

	// spread is 2^64 divided by the golden ratio: multiplying by it and keeping the highest bits scatters
	// neighbouring keys.
	spread = 0x9E3779B97F4A7C15
)

// newTable makes a table of 2^bits entries of eight bytes.
func newTable(bits uint) *table {
	return &table{entries: make([]uint64, 1<<bits), shift: 64 - bits}
}

// A pair is what a table holds where a key would be.
type pair struct{ first, second uint64 }

// slot reads the pair of a key.
func (t *table) slot(key uint64) pair {
	slot := key * spread >> (t.shift & 63)
	return pair{t.entries[slot], t.entries[slot^1]}
}

// entry returns what the pair knows about a key, zero for nothing.
func (p pair) entry(key uint64) uint64 {
	if p.first>>keyShift == key {
		return p.first
	}
	if p.second>>keyShift == key {
		return p.second
	}
	return 0
}

// bounds gives what is known about a key's score.
func (t *table) bounds(key uint64) (lower, upper int) {
	e := t.slot(key).entry(key)
	if e == 0 {
		return -maxScore, maxScore
	}
	return lowerOf(e), upperOf(e)
}

// store keeps proven bounds and the work, in nodes, that proved them.
func (t *table) store(key uint64, lower, upper int, work uint64) {
	e := key<<keyShift | uint64(lower+maxScore)<<lowerShift | uint64(upper+maxScore)<<upperShift | workClass(work)
	slot := key * spread >> (t.shift & 63)
	first, second := t.entries[slot], t.entries[slot^1]
	switch {
	case first>>keyShift == key:
		t.entries[slot] = e
	case second>>keyShift == key:
		t.entries[slot^1] = e
	case first&workMask <= second&workMask:
		t.entries[slot] = e
		if second&workMask > 0 {
			t.entries[slot^1] = second - 1
		}
	default:
		t.entries[slot^1] = e
		t.entries[slot] = first - 1
	}
}

// workClass folds a number of nodes into three bits: 0, 1, 2-3, 4-15, 16-63 and so on up to 1024 and more.
func workClass(nodes uint64) uint64 {
	class := uint64(bits.Len64(nodes))
	if class > 2 {
		class = class/2 + 1
	}
	return min(class, workMask)
}

// lowerOf and upperOf read the bounds of an entry that isn't zero.
func lowerOf(entry uint64) int { return int(entry>>lowerShift&boundMask) - maxScore }
func upperOf(entry uint64) int { return int(entry>>upperShift&boundMask) - maxScore }
