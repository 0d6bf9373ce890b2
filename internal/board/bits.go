package board

import "math/bits"

const (
	columnBits = Rows + 1 // bits from one column to the next, the spare one included

	// bottomRow has the lowest field of every column; times 1<<n it is the row n+1.
	bottomRow uint64 = 1<<(0*columnBits) | 1<<(1*columnBits) | 1<<(2*columnBits) | 1<<(3*columnBits) |
		1<<(4*columnBits) | 1<<(5*columnBits) | 1<<(6*columnBits)
	topRow uint64 = bottomRow << (Rows - 1)
	whole  uint64 = bottomRow * (1<<Rows - 1) // all 42 fields

	// Distances between neighbours on a line.
	vertical   = 1
	horizontal = columnBits
	rising     = columnBits + 1
	falling    = columnBits - 1
)

// fourInLine says whether a whole line is among the discs.
func fourInLine(discs uint64) bool {
	v := discs & (discs >> vertical)
	h := discs & (discs >> horizontal)
	r := discs & (discs >> rising)
	f := discs & (discs >> falling)
	return v&(v>>(2*vertical))|h&(h>>(2*horizontal))|r&(r>>(2*rising))|f&(f>>(2*falling)) != 0
}

// fieldsInLine gives those of the discs that lie on a line which is whole.
func fieldsInLine(discs uint64) uint64 {
	var found uint64
	for _, d := range [...]uint{vertical, horizontal, rising, falling} {
		pairs := discs & (discs >> d)
		starts := pairs & (pairs >> (2 * d))
		found |= starts | starts<<d | starts<<(2*d) | starts<<(3*d)
	}
	return found
}

// fieldAt is the field of a bit, given its number.
func fieldAt(number int) Field {
	return Field{Column: Column(number/columnBits + 1), Row: number%columnBits + 1}
}

// fieldsOf lists the fields of a word, by column and row.
func fieldsOf(word uint64) []Field {
	fields := make([]Field, 0, bits.OnesCount64(word))
	for ; word != 0; word &= word - 1 {
		fields = append(fields, fieldAt(bits.TrailingZeros64(word)))
	}
	return fields
}
