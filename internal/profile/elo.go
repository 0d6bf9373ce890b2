package profile

import "math/big"

// Rating is how well somebody plays, in millionths of a point.
type Rating int64

const (
	point = 1_000_000
	// FirstRating is what everybody starts with.
	FirstRating Rating = 1500 * point
	// factorHalf is half of K = 32: the most that a game can move a rating by is twice that.
	factorHalf = 16 * point
	// decade is the difference of ratings at which the stronger is expected to score ten times what the weaker does.
	decade = 400 * point
)

// Gain returns what a player rated own wins by a game against one rated other, and what that one loses by it:
//
//	round(K · (score − expected)), expected = 1 / (1 + 10^((other − own) / 400)), K = 32
//
// This is Elo's formula with the logistic curve, as in the FIDE Handbook, B.02, and in M. Glickman and A. Jones, Rating
// the chess rating system, Chance 12 (1999). A half is rounded away from nought. A game without a result gains nothing.
//
// It is reckoned in integers, since floating point differs between processors, so that every replica finds the same.
// Gain(a, b, Won) and Gain(b, a, Lost) are exactly each other's opposite.
func Gain(own, other Rating, r Result) Rating {
	halves := map[Result]int64{Won: 2, Drawn: 1, Lost: 0}
	score, counts := halves[r]
	if !counts {
		return 0
	}
	// The stronger scores p times what the weaker does: they expect p/(1+p) and 1/(1+p).
	p := odds(max(own-other, other-own))
	sum := new(big.Int).Add(unit, p)
	expected := p
	if own < other {
		expected = unit
	}
	above := new(big.Int).Mul(big.NewInt(score), sum)
	above.Sub(above, new(big.Int).Lsh(expected, 1)) // twice the score above what was expected, times sum
	above.Mul(above, big.NewInt(factorHalf))
	return Rating(rounded(above, sum).Int64())
}

// Odds are fixed-point numbers with fractionBits bits after the point: far more than the rounding of a gain can tell.
const fractionBits = 160

var unit = new(big.Int).Lsh(big.NewInt(1), fractionBits)

// ln10 is the natural logarithm of ten, in units of 10^-60.
var ln10, ln10Unit = integer("2302585092994045684017991454684364207601101488628772976033328"), integer("1" + sixtyNoughts)

const sixtyNoughts = "000000000000000000000000000000000000000000000000000000000000"

func integer(digits string) *big.Int {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		panic("not a number: " + digits)
	}
	return n
}

// odds returns 10^(difference / 400) for a difference of at least 0: ten to the whole part, and the series of e^x for
// what is left, x < ln 10.
func odds(difference Rating) *big.Int {
	whole, rest := int64(difference/decade), int64(difference%decade)
	x := new(big.Int).Mul(ln10, big.NewInt(rest))
	x.Mul(x, unit)
	x.Quo(x, new(big.Int).Mul(ln10Unit, big.NewInt(decade)))
	sum, term := new(big.Int).Set(unit), new(big.Int).Set(unit)
	for n := int64(1); term.Sign() > 0; n++ {
		term.Mul(term, x)
		term.Rsh(term, fractionBits)
		term.Quo(term, big.NewInt(n))
		sum.Add(sum, term)
	}
	return sum.Mul(sum, new(big.Int).Exp(big.NewInt(10), big.NewInt(whole), nil))
}

// rounded returns a/b, b > 0, to the nearest integer, halves away from nought.
func rounded(a, b *big.Int) *big.Int {
	twice := new(big.Int).Lsh(new(big.Int).Abs(a), 1)
	twice.Add(twice, b)
	twice.Quo(twice, new(big.Int).Lsh(b, 1))
	if a.Sign() < 0 {
		twice.Neg(twice)
	}
	return twice
}
