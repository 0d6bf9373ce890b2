package board

// The measures of the game.
const (
	Columns      = 7                 // columns on the board
	Rows         = 6                 // rows on the board
	Fields       = Columns * Rows    // fields on the board, and the most plies a game has
	DiscsPerSide = Fields / 2        // discs each side starts with
	LineCount    = 24 + 21 + 12 + 12 // lines on the board: horizontal, vertical, rising and falling
)

// Side is one of the two players of a game. Red makes the first move.
type Side uint8

// The sides. NoSide is the zero value: nobody, as the winner of a draw or the disc on an empty field.
const (
	NoSide Side = iota
	Red
	Yellow
)

// Other gives the opponent of s, and NoSide for NoSide.
func (s Side) Other() Side {
	switch s {
	case Red:
		return Yellow
	case Yellow:
		return Red
	case NoSide:
	}
	return NoSide
}

// String gives "red", "yellow", or "" for anything else.
func (s Side) String() string {
	switch s {
	case Red:
		return "red"
	case Yellow:
		return "yellow"
	case NoSide:
	}
	return ""
}

// Column is what a player chooses: 1 to 7 from left to right. Other values are no column.
type Column int

// Valid says whether c is a column of the board.
func (c Column) Valid() bool { return uint(c)-1 < Columns }

// Field is one of the 42 places for a disc: columns 1 to 7 from left to right, rows 1 to 6 from bottom to top.
type Field struct {
	Column Column
	Row    int
}

// Valid says whether f lies on the board.
func (f Field) Valid() bool { return f.Column.Valid() && uint(f.Row)-1 < Rows }

// bit is the place of a valid field in a word of discs.
func (f Field) bit() uint64 { return 1 << (uint(f.Column-1)*columnBits + uint(f.Row-1)) }

// Threat is an empty field on which a disc of one side would complete a line.
type Threat struct {
	Field Field
	// Playable says whether a disc dropped now would land on the field.
	Playable bool
}

// Line is four fields in a row, from left to right; a vertical line from bottom to top.
type Line [4]Field

// Lines gives the 69 lines of the board, each once: by its first field (column, then row), then in the order vertical,
// horizontal, rising, falling.
func Lines() [LineCount]Line { return lines }

var lines = allLines()

func allLines() [LineCount]Line {
	var all [LineCount]Line
	n := 0
	directions := [...]struct{ columns, rows int }{{0, 1}, {1, 0}, {1, 1}, {1, -1}}
	for column := 1; column <= Columns; column++ {
		for row := 1; row <= Rows; row++ {
			for _, d := range directions {
				last := Field{Column: Column(column + 3*d.columns), Row: row + 3*d.rows}
				if !last.Valid() {
					continue
				}
				for i := range all[n] {
					all[n][i] = Field{Column: Column(column + i*d.columns), Row: row + i*d.rows}
				}
				n++
			}
		}
	}
	return all
}
