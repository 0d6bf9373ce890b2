package board

import "fmt"

// Reason is what is wrong with a moves string.
type Reason uint8

// The reasons. The first two say that the string is no notation at all, the others that it is no game.
const (
	BadCharacter Reason = iota + 1 // a character other than 1 to 7
	TooLong                        // more than 42 moves
	ColumnFull                     // a move into a column that holds six discs
	AfterTheEnd                    // a move after a win
)

// String gives the reason as the end of a sentence about a move.
func (r Reason) String() string {
	switch r {
	case BadCharacter:
		return "is not a column from 1 to 7"
	case TooLong:
		return "is more than the board has fields"
	case ColumnFull:
		return "goes into a full column"
	case AfterTheEnd:
		return "comes after the end of the game"
	default:
		return "is wrong"
	}
}

// MovesError says which move of a moves string can't be played, and why.
type MovesError struct {
	Ply    int // 1 to 43
	Reason Reason
}

// Error names the move and the reason.
func (e *MovesError) Error() string { return fmt.Sprintf("move %d %s", e.Ply, e.Reason) }

// Parse gives the position after a game in the field's notation: the columns played, one digit a move, "" for the empty
// board. Its error is always a *MovesError for the first thing wrong; a string that is no notation (BadCharacter,
// TooLong) is refused as such, even when an earlier move breaks a rule. Rules 1 to 3 alone are applied: a game may go
// on in a dead position.
func Parse(moves string) (Position, error) {
	for i := range min(len(moves), Fields) {
		if !columnOf(moves[i]).Valid() {
			return Position{}, &MovesError{Ply: i + 1, Reason: BadCharacter}
		}
	}
	if len(moves) > Fields {
		return Position{}, &MovesError{Ply: Fields + 1, Reason: TooLong}
	}
	var p Position
	for i := range len(moves) {
		c := columnOf(moves[i])
		switch {
		case p.won:
			return Position{}, &MovesError{Ply: i + 1, Reason: AfterTheEnd}
		case p.columnFull(c):
			return Position{}, &MovesError{Ply: i + 1, Reason: ColumnFull}
		}
		p = p.drop(c)
	}
	return p, nil
}

func columnOf(digit byte) Column { return Column(digit) - '0' }

// Picture shows the board as people see it: six strings of seven characters, the top row first, 'R' and 'Y' for the
// discs and '.' for an empty field.
func (p Position) Picture() [Rows]string {
	var discs [Fields]byte
	for i := range discs {
		switch p.Disc(Field{Column: Column(i%Columns + 1), Row: Rows - i/Columns}) {
		case Red:
			discs[i] = 'R'
		case Yellow:
			discs[i] = 'Y'
		case NoSide:
			discs[i] = '.'
		}
	}
	whole := string(discs[:])
	var picture [Rows]string
	for i := range picture {
		picture[i] = whole[i*Columns : (i+1)*Columns]
	}
	return picture
}
