package terminal

import (
	"fmt"
	"strings"

	"github.com/fourinarow/fourinarow/internal/board"
)

// Screen is how to write for whoever reads.
type Screen struct {
	// Colour says that the reader shows colours and draws circles.
	Colour bool
	// Redraw says that the board may be drawn over the one before.
	Redraw bool
}

// The control sequences of a terminal (ECMA-48).
const (
	reset      = "\x1b[0m"
	bold       = "\x1b[1m"
	faint      = "\x1b[2m"
	brightRed  = "\x1b[91m"
	brightGold = "\x1b[93m"
	blue       = "\x1b[34m"
	wipe       = "\x1b[H\x1b[J" // to the upper left, and everything after it away
)

// paint writes text in a style, where colours are welcome.
func (s Screen) paint(style, text string) string {
	if !s.Colour || text == " " {
		return text
	}
	return style + text + reset
}

// side names a side in its colour.
func (s Screen) side(side board.Side) string {
	if side == board.Yellow {
		return s.paint(brightGold, "yellow")
	}
	return s.paint(brightRed, "red")
}

// Disc is the disc of a side, or an empty field.
func (s Screen) Disc(side board.Side) string {
	switch {
	case side == board.Red && s.Colour:
		return s.paint(brightRed, "●")
	case side == board.Yellow && s.Colour:
		return s.paint(brightGold, "◆")
	case side == board.Red:
		return "R"
	case side == board.Yellow:
		return "Y"
	default:
		return s.paint(faint, ".")
	}
}

// Board draws a position, the top row first, with the field of the last disc marked; the zero value marks none.
func (s Screen) Board(p board.Position, last board.Field) string {
	marks := map[board.Field][2]string{last: {"(", ")"}}
	for _, f := range p.WinningFields() {
		marks[f] = [2]string{"[", "]"}
	}
	before := ""
	if s.Redraw {
		before = wipe
	}
	return before + s.drawn(p, marks)
}

// Marked draws a position with fields marked, below what stands on the screen.
func (s Screen) Marked(p board.Position, fields []board.Field) string {
	marks := make(map[board.Field][2]string, len(fields))
	for _, f := range fields {
		marks[f] = [2]string{"[", "]"}
	}
	return s.drawn(p, marks)
}

func (s Screen) drawn(p board.Position, marks map[board.Field][2]string) string {
	var b strings.Builder
	b.WriteString(" ")
	for column := 1; column <= board.Columns; column++ {
		fmt.Fprintf(&b, " %d ", column)
	}
	b.WriteByte('\n')
	for row := board.Rows; row >= 1; row-- {
		b.WriteString(s.paint(blue, "|"))
		for column := board.Column(1); column <= board.Columns; column++ {
			f := board.Field{Column: column, Row: row}
			mark, marked := marks[f]
			if !marked {
				mark = [2]string{" ", " "}
			}
			b.WriteString(s.paint(bold, mark[0]) + s.Disc(p.Disc(f)) + s.paint(bold, mark[1]))
		}
		b.WriteString(s.paint(blue, "|") + "\n")
	}
	b.WriteString(s.paint(blue, "+"+strings.Repeat("-", 3*board.Columns)+"+") + "\n")
	return b.String()
}
