package board_test

import (
	"github.com/fourinarow/fourinarow/internal/board"
)

// oracle is the same game, written slowly and obviously: a grid that is counted through in all directions. Fields are
// indexed by column and row from 1.
type oracle struct {
	grid   [board.Columns + 1][board.Rows + 1]board.Side
	height [board.Columns + 1]int
	ply    int
	winner board.Side
	last   board.Field
}

var directions = [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}}

func (o *oracle) turn() board.Side {
	if o.ply%2 == 0 {
		return board.Red
	}
	return board.Yellow
}

func (o *oracle) over() bool { return o.winner != board.NoSide || o.ply == board.Fields }

func (o *oracle) legalColumns() []board.Column {
	legal := []board.Column{}
	for column := 1; column <= board.Columns; column++ {
		if !o.over() && o.height[column] < board.Rows {
			legal = append(legal, board.Column(column))
		}
	}
	return legal
}

// play makes a legal move and judges the lines through its disc.
func (o *oracle) play(c board.Column) {
	o.height[c]++
	column, row, side := int(c), o.height[c], o.turn()
	o.grid[column][row] = side
	o.last = board.Field{Column: c, Row: row}
	o.ply++
	for _, d := range directions {
		if o.run(column, row, d, side) >= 4 {
			o.winner = side
		}
	}
}

// run is how many discs of a side lie in one line with a field, that field counted whatever is on it.
func (o *oracle) run(column, row int, d [2]int, side board.Side) int {
	return 1 + o.reach(column, row, d[0], d[1], side) + o.reach(column, row, -d[0], -d[1], side)
}

// reach is how many discs of a side follow a field without a gap in one direction.
func (o *oracle) reach(column, row, right, up int, side board.Side) int {
	n := 0
	for {
		column, row = column+right, row+up
		if column < 1 || column > board.Columns || row < 1 || row > board.Rows || o.grid[column][row] != side {
			return n
		}
		n++
	}
}

// eachField lists what keep accepts, by column, then row.
func eachField(keep func(column, row int) bool) []board.Field {
	fields := []board.Field{}
	for column := 1; column <= board.Columns; column++ {
		for row := 1; row <= board.Rows; row++ {
			if keep(column, row) {
				fields = append(fields, board.Field{Column: board.Column(column), Row: row})
			}
		}
	}
	return fields
}

// winningFields are the winner's fields on the lines of four or more through the last disc.
func (o *oracle) winningFields() []board.Field {
	if o.winner == board.NoSide {
		return []board.Field{}
	}
	column, row := int(o.last.Column), o.last.Row
	won := map[board.Field]bool{}
	for _, d := range directions {
		if o.run(column, row, d, o.winner) < 4 {
			continue
		}
		for i := -o.reach(column, row, -d[0], -d[1], o.winner); i <= o.reach(column, row, d[0], d[1], o.winner); i++ {
			won[board.Field{Column: board.Column(column + i*d[0]), Row: row + i*d[1]}] = true
		}
	}
	return eachField(func(column, row int) bool {
		return won[board.Field{Column: board.Column(column), Row: row}]
	})
}

func (o *oracle) threats(side board.Side) []board.Threat {
	threats := []board.Threat{}
	if o.over() {
		return threats
	}
	completes := func(column, row int) bool {
		if o.grid[column][row] != board.NoSide {
			return false
		}
		for _, d := range directions {
			if o.run(column, row, d, side) >= 4 {
				return true
			}
		}
		return false
	}
	for _, f := range eachField(completes) {
		threats = append(threats, board.Threat{Field: f, Playable: f.Row == o.height[f.Column]+1})
	}
	return threats
}

// dead looks at every line of four for a disc of each side.
func (o *oracle) dead() bool {
	for column := 1; column <= board.Columns; column++ {
		for row := 1; row <= board.Rows; row++ {
			for _, d := range directions {
				if o.lineAlive(column, row, d) {
					return false
				}
			}
		}
	}
	return true
}

// lineAlive says whether a line begins at the field in the direction and lacks the discs of a side.
func (o *oracle) lineAlive(column, row int, d [2]int) bool {
	lastColumn, lastRow := column+3*d[0], row+3*d[1]
	if lastColumn > board.Columns || lastRow > board.Rows || lastRow < 1 {
		return false
	}
	red, yellow := false, false
	for i := range 4 {
		side := o.grid[column+i*d[0]][row+i*d[1]]
		red = red || side == board.Red
		yellow = yellow || side == board.Yellow
	}
	return !red || !yellow
}

func (o *oracle) picture() [board.Rows]string {
	var picture [board.Rows]string
	for i := range picture {
		for column := 1; column <= board.Columns; column++ {
			picture[i] += [...]string{board.NoSide: ".", board.Red: "R", board.Yellow: "Y"}[o.grid[column][board.Rows-i]]
		}
	}
	return picture
}
