package board

import (
	"errors"
	"math/bits"
)

// Why a move is refused.
var (
	// ErrNoSuchColumn refuses a column outside 1 to 7.
	ErrNoSuchColumn = errors.New("no such column")
	// ErrGameOver refuses a move after a win or on the full board.
	ErrGameOver = errors.New("the game is over")
	// ErrColumnFull refuses a column that holds six discs.
	ErrColumnFull = errors.New("the column is full")
)

// Position is where the discs lie, and with that whose turn it is. It is immutable and comparable; the zero value is
// the empty board. Two games that reach the same discs in another order reach the same Position.
type Position struct {
	current uint64 // discs of the side to move
	mask    uint64 // all discs
	won     bool   // the side that moved last has a line
}

// Play gives the position after the side to move has dropped a disc into column c; p stays as it is. The errors are
// ErrNoSuchColumn, ErrGameOver and ErrColumnFull, looked for in this order, and come with p itself.
func (p Position) Play(c Column) (Position, error) {
	switch {
	case !c.Valid():
		return p, ErrNoSuchColumn
	case p.Over():
		return p, ErrGameOver
	case p.columnFull(c):
		return p, ErrColumnFull
	}
	return p.drop(c), nil
}

// drop plays a legal move.
func (p Position) drop(c Column) Position {
	mask := p.mask | (p.mask + bottomOf(c))
	return Position{
		current: p.current ^ p.mask,
		mask:    mask,
		won:     fourInLine(p.current | (mask ^ p.mask)),
	}
}

// Undo gives the position before the side that moved last dropped its disc into column c, which is for the caller to
// know: any column with a disc of that side on top may be the one. It gives p itself when c is empty or no column.
func (p Position) Undo(c Column) Position {
	if !c.Valid() || p.height(c) == 0 {
		return p
	}
	last := bottomOf(c) << (p.height(c) - 1)
	return Position{current: p.current ^ p.mask ^ last, mask: p.mask ^ last, won: false}
}

// CanPlay says whether Play would accept column c.
func (p Position) CanPlay(c Column) bool {
	return c.Valid() && !p.columnFull(c) && !p.Over()
}

// LegalColumns gives the columns Play would accept, from left to right; none, but not nil, when the game is over.
func (p Position) LegalColumns() []Column {
	legal := make([]Column, 0, Columns)
	if p.Over() {
		return legal
	}
	for c := Column(1); c <= Columns; c++ {
		if !p.columnFull(c) {
			legal = append(legal, c)
		}
	}
	return legal
}

// Ply is the number of discs on the board, 0 to 42. The next move is that of ply Ply()+1.
func (p Position) Ply() int { return bits.OnesCount64(p.mask) }

// Turn is the side to move: red on even plies, yellow on odd ones. It goes on alternating when the game is over.
func (p Position) Turn() Side {
	if p.Ply()%2 == 0 {
		return Red
	}
	return Yellow
}

// Winner is the side that has four or more in a line, and NoSide while nobody has.
func (p Position) Winner() Side {
	if p.won {
		return p.Turn().Other()
	}
	return NoSide
}

// Full says whether all 42 fields are taken.
func (p Position) Full() bool { return p.mask == whole }

// Over says whether the game has ended by a line or a full board. A dead position isn't over: whether it ends the game
// is a house rule, and Dead tells it.
func (p Position) Over() bool { return p.won || p.Full() }

// Landing is the field on which a disc dropped into column c would come to rest. There is none when c is full or no
// column; that the game is over doesn't matter.
func (p Position) Landing(c Column) (Field, bool) {
	if !c.Valid() || p.columnFull(c) {
		return Field{}, false
	}
	return Field{Column: c, Row: p.height(c) + 1}, true
}

// Top is the field of the uppermost disc in column c: right after a move that of the disc just played. There is none
// when c is empty or no column.
func (p Position) Top(c Column) (Field, bool) {
	if !c.Valid() || p.height(c) == 0 {
		return Field{}, false
	}
	return Field{Column: c, Row: p.height(c)}, true
}

// Disc is the side whose disc lies on f; NoSide when f is empty or not on the board.
func (p Position) Disc(f Field) Side {
	switch {
	case !f.Valid() || p.mask&f.bit() == 0:
		return NoSide
	case p.current&f.bit() != 0:
		return p.Turn()
	default:
		return p.Turn().Other()
	}
}

// Bits gives the discs of the side to move and all discs, in the layout described at the package.
func (p Position) Bits() (current, mask uint64) { return p.current, p.mask }

// discsOf gives the discs of a side; none for NoSide.
func (p Position) discsOf(s Side) uint64 {
	switch s {
	case p.Turn():
		return p.current
	case p.Turn().Other():
		return p.current ^ p.mask
	default:
		return 0
	}
}

// bottomOf is the lowest field of a valid column. (The &63 tells the compiler that the shift is never a whole word.)
func bottomOf(c Column) uint64 { return 1 << (uint(c-1) * columnBits & 63) }

func (p Position) columnFull(c Column) bool { return p.mask&(bottomOf(c)<<(Rows-1)) != 0 }

func (p Position) height(c Column) int {
	return bits.OnesCount64(p.mask >> (uint(c-1) * columnBits) & (1<<Rows - 1))
}
