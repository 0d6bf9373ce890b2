// Package board is the rules of four in a row, and nothing else: no clock, no players, no storage.
//
// A [Position] is a value. Playing a column gives a new position and leaves the old one as it was, so that positions
// can be kept, compared with == and used as keys of a map. The zero value is the empty board. A position comes only
// from the empty board by legal moves, which is why the rest of the package may rely on what legal moves guarantee:
// red and yellow alternate, nothing floats, and at most the side that moved last has four in a line.
//
// It says what two people with a wooden board could quarrel about: which columns are open, who has won and with which
// fields, which empty fields would win, whether any line can still be completed. It doesn't say how a game ends on a
// server: resignations, time, and the house rule that a dead position is a draw are for others, who ask
// [Position.Dead] and decide.
//
// # Layout
//
// The board is two words of 49 bits, seven bits a column: bit 7*(column-1)+(row-1), so column 1 is lowest and row 1 is
// the lowest bit of its column. One word holds the discs of the side to move, the other all discs. The seventh bit of
// every column stays empty, so that a line shifted across the top or the side of the board meets a hole and never the
// neighbouring column. That makes a win a handful of shifts, whatever the number of discs, without a table or a loop,
// and it is the layout the solver works on.
package board
