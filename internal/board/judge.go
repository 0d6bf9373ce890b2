package board

import "math/bits"

// earliestDead is the smallest number of discs with which a position can be dead. A vertical line over rows 3 to 6
// needs a disc of each side, so every column reaches row 4: 28 discs. In rows 5 and 6 one side can meet all four
// horizontal lines with a single disc, but only in column 4, so the other needs two: 3 discs more in each row.
const earliestDead = 4*Columns + 3 + 3

// Dead says whether each of the 69 lines holds a disc of each side, so that nobody can win any more. A line that could
// only be completed with more discs than are left isn't dead.
func (p Position) Dead() bool { return p.Ply() >= earliestDead && p.everyLineDead() }

func (p Position) everyLineDead() bool {
	return !fourInLine(whole&^p.current) && !fourInLine(whole&^(p.current^p.mask))
}

// WinningFields gives the fields of all lines the winner has completed, by column, then row, each once: four for one
// line, five for five in a row, seven for two lines that cross. None, but not nil, when nobody has won. All these lines
// hold the last disc, since the game ends with the first.
func (p Position) WinningFields() []Field { return fieldsOf(fieldsInLine(p.current ^ p.mask)) }

// Threats gives the empty fields on which a disc of side s would complete a line, by column, then row, whether or not it
// is that side's turn. None, but not nil, when the game is over and for NoSide.
func (p Position) Threats(s Side) []Threat {
	threats := []Threat{}
	if s.Other() == NoSide || p.Over() {
		return threats
	}
	discs := p.discsOf(s)
	landings := p.mask + bottomRow
	for empty := whole &^ p.mask; empty != 0; empty &= empty - 1 {
		field := empty & -empty
		if fourInLine(discs | field) {
			threats = append(threats, Threat{
				Field:    fieldAt(bits.TrailingZeros64(field)),
				Playable: landings&field != 0,
			})
		}
	}
	return threats
}
