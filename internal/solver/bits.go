package solver

import "math/bits"

// The board as bits: seven bits a column, column 1 lowest, row 1 the lowest bit of its column, the
// seventh bit of every column always empty so that no shift carries a line across an edge.
const (
	columns   = 7
	rows      = 6
	fields    = columns * rows
	stride    = rows + 1
	bottomRow = uint64(1)<<(0*stride) | 1<<(1*stride) | 1<<(2*stride) | 1<<(3*stride) |
		1<<(4*stride) | 1<<(5*stride) | 1<<(6*stride)
	allFields = bottomRow * (1<<rows - 1)
	oddRows   = bottomRow | bottomRow<<2 | bottomRow<<4
	evenRows  = oddRows << 1
)

// columnFields holds the fields of each column, looked up because a shift by a variable costs more.
var columnFields = [columns]uint64{
	0x3f << (0 * stride), 0x3f << (1 * stride), 0x3f << (2 * stride), 0x3f << (3 * stride),
	0x3f << (4 * stride), 0x3f << (5 * stride), 0x3f << (6 * stride),
}

// playable gives the lowest free field of every column that has one.
func playable(mask uint64) uint64 {
	return (mask + bottomRow) & allFields
}

// completing gives every field, taken or not, that would complete four in a row with the discs given. In
// a column only the field on top counts, since gravity leaves no gap there.
func completing(discs uint64) uint64 {
	return upward(discs) | along(discs, stride-1) | along(discs, stride) | along(discs, stride+1)
}

// upward gives the fields on top of three discs in a column.
func upward(discs uint64) uint64 {
	return discs << 1 & (discs << 2) & (discs << 3)
}

// along gives the fields that complete a line whose fields are step bits apart: a pair with the third disc
// beside it, or behind the gap. It is small enough to become part of its callers.
func along(discs uint64, step int) uint64 {
	next := discs >> step
	pair := discs & next
	return pair>>step&(next>>(2*step)|discs<<step) | pair<<(2*step)&(next|discs<<(3*step))
}

// hasFour tells whether the discs hold four in a row.
func hasFour(discs uint64) bool {
	pair := discs & (discs >> 1)
	four := pair & (pair >> 2)
	pair = discs & (discs >> 7)
	four |= pair & (pair >> 14)
	pair = discs & (discs >> 6)
	four |= pair & (pair >> 12)
	pair = discs & (discs >> 8)
	four |= pair & (pair >> 16)
	return four != 0
}

// keyOf names a position with 49 bits: in every column the discs of the side to move, added to a one
// standing on top of the column. It is never zero.
func keyOf(current, mask uint64) uint64 {
	return current + mask + bottomRow
}

// mirror turns any seven-bits-a-column set around the middle column.
func mirror(set uint64) uint64 {
	const column = 1<<stride - 1
	return set>>42&column | set>>28&(column<<7) | set>>14&(column<<14) | set&(column<<21) |
		set<<14&(column<<28) | set<<28&(column<<35) | set<<42&(column<<42)
}

// canonical gives the same key for a position and its mirror image.
func canonical(key uint64) uint64 {
	return min(key, mirror(key))
}

// plyOf counts the discs.
func plyOf(mask uint64) int {
	return bits.OnesCount64(mask)
}
