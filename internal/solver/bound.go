package solver

import "math/bits"

// Follow-up bounds: what a side reaches by answering above every move of the other, which needs no search.
//
// Yellow follows up (red is to move, so the number of empty fields is even, and so is the number of
// columns with an odd number of them). Red plays a column with an even number left: yellow plays on top of
// it. Red takes the lowest field of an odd column: yellow takes the lowest of another odd one. So yellow
// always has an answer, and red gets at most the empty fields of the odd rows and those even ones that are
// playable now; yellow gets all the other even ones. If no four of red's fits into what red gets, red
// doesn't win. Nor does red ever get a field above an even-row threat of yellow's: to open the way it
// would have to play right below the threat. If besides a four of yellow's fits into what yellow surely
// gets, yellow wins, at the latest when the highest of its even rows is reached with all else full.
//
// Red follows up (yellow is to move, the number of odd columns is odd) when it has an odd-row threat in a
// column with an odd number left. In this column red answers right above until yellow would have to play
// below the threat; of the other odd columns there is an even number, and red plays them in pairs as
// above. So yellow runs out of moves elsewhere and must open the threat. Yellow gets at most the empty
// odd-row fields of the other columns, the playable fields, the even-row fields below the threat, and
// nothing above an even-row threat of red's. If no four of yellow's fits into that, red wins, at the
// latest with everything full but what lies above the threat.
//
// Victor Allis named these rules claim-even and zugzwang control (master's thesis, Vrije Universiteit
// Amsterdam, 1988); here both are turned into bounds of the score and tested against the search.

// aboveEven gives all fields above the given even-row ones, row 6 having none.
func aboveEven(threats uint64) uint64 {
	return threats&(bottomRow<<1)*0b11110 | threats&(bottomRow<<3)*0b110
}

// evenRowsWorth gives the even rows that, reached last, still make a win worth the score asked for: with
// row 6 that is 1, with row 4 it is 2, with row 2 it is 3.
func evenRowsWorth(score int) uint64 {
	switch {
	case score <= 1:
		return evenRows
	case score == 2:
		return evenRows & (bottomRow * 0b1111)
	case score == 3:
		return evenRows & (bottomRow * 0b11)
	default:
		return 0
	}
}

// yellowHolds tells whether yellow, who has just moved and has these threats, reaches the score by
// following up.
func yellowHolds(red, yellow, playable, threats uint64, score int) bool {
	empty := allFields &^ (red | yellow)
	reach := empty & (oddRows | playable) &^ aboveEven(threats&evenRows&^playable)
	if hasFour(red | reach) {
		return false
	}
	return score <= 0 || hasFour(yellow|empty&evenRowsWorth(score)&^playable)
}

// redHolds tells whether red, who has just moved and has these threats, reaches the score by following up.
func redHolds(yellow, mask, playable, threats uint64, score int) bool {
	odd := threats & oddRows
	if score > 1 {
		odd &= bottomRow << 2 // a win in row 3 leaves three fields and is worth 2, one in row 5 is worth 1
	}
	if odd == 0 {
		return false
	}
	empty := allFields &^ mask
	closed := aboveEven(threats & evenRows &^ playable)
	for odd != 0 {
		threat := odd & -odd
		column := columnFields[bits.TrailingZeros64(odd)/stride]
		odd &^= column
		if playable&column&evenRows == 0 {
			continue
		}
		reach := empty & (oddRows&^column | evenRows&column&(threat-1)) &^ closed
		if !hasFour(yellow | playable | reach) {
			return true
		}
	}
	return false
}

// The scores that following up can prove at most: a threat in row 3 leaves three fields empty, a line
// finished in row 2 four.
const (
	redHoldsUpTo    = 2
	yellowHoldsUpTo = 3
)

// holds tells whether the mover reaches beta by following up after this move, and what that proves.
func (c *child) holds(p node, beta int) (int, bool) {
	mask := p.mask | c.move
	if p.ply%2 == 0 {
		return max(beta, 1), beta <= redHoldsUpTo &&
			redHolds(p.current^p.mask, mask, playable(mask), c.threats, beta)
	}
	return max(beta, 0), beta <= yellowHoldsUpTo &&
		yellowHolds(p.current^p.mask, p.current|c.move, playable(mask), c.threats, beta)
}

// holds tells whether any child does.
func (f *fan) holds(p node, beta int) (int, bool) {
	if p.ply%2 == 0 && beta > redHoldsUpTo || p.ply%2 == 1 && (beta > yellowHoldsUpTo || f.redBreaks(p)) {
		return 0, false
	}
	for i := range f.children[:f.size] {
		if v, ok := f.children[i].holds(p, beta); ok {
			return v, true
		}
	}
	return 0, false
}

// redBreaks tells whether a four of red's fits into what red gets whatever yellow plays now, so that yellow
// can't hold by following up.
func (f *fan) redBreaks(p node) bool {
	threats := uint64(0)
	for i := range f.children[:f.size] {
		threats |= f.children[i].threats
	}
	reach := oddRows &^ (p.mask | p.moves | aboveEven(threats&evenRows))
	return hasFour(p.current ^ p.mask | reach)
}
