package picture

import (
	"strconv"

	"github.com/fourinarow/fourinarow/internal/board"
)

// Where the board is, in points.
const (
	cell        = 80.0 // from one field to the next
	boardLeft   = 48.0
	boardTop    = 50.0
	boardPad    = 18.0
	boardWidth  = board.Columns*cell + 2*boardPad
	boardHeight = board.Rows*cell + 2*boardPad
	boardMiddle = boardLeft + boardWidth/2
	glowRadius  = 336.0 // of the light behind it
	discRadius  = 34.0
	markWidth   = 6.0
	numberSize  = 22.0
)

// centre is the middle of a field.
func centre(f board.Field) (x, y float64) {
	return boardLeft + boardPad + (float64(f.Column)-0.5)*cell,
		boardTop + boardPad + (board.Rows-float64(f.Row)+0.5)*cell
}

func (p Picture) drawBoard(c *canvas) {
	c.empty("rect", "class", "board", "x", number(boardLeft), "y", number(boardTop),
		"width", number(boardWidth), "height", number(boardHeight), "rx", "30",
		"fill", p.Palette.frame, "stroke", p.Palette.edge, "stroke-width", "4")
	for column := board.Column(1); column <= board.Columns; column++ {
		for row := 1; row <= board.Rows; row++ {
			p.drawField(c, board.Field{Column: column, Row: row})
		}
		x, _ := centre(board.Field{Column: column, Row: 1})
		c.text("text", strconv.Itoa(int(column)), "class", "column", "x", number(x),
			"y", number(boardTop+boardHeight+numberSize+12), "text-anchor", "middle",
			"font-size", number(numberSize), "fill", p.Palette.quiet)
	}
	p.drawWin(c)
	p.drawLast(c)
}

// drawField draws a field, with the disc that lies on it.
func (p Picture) drawField(c *canvas, f board.Field) {
	x, y := centre(f)
	side := p.Position.Disc(f)
	if side == board.NoSide {
		c.empty("circle", "class", "hole", "cx", number(x), "cy", number(y), "r", number(discRadius),
			"fill", p.Palette.hole, "stroke", p.Palette.rim, "stroke-width", "4")
		return
	}
	c.open("g", "class", "disc "+side.String(), "data-column", strconv.Itoa(int(f.Column)), "data-row", strconv.Itoa(f.Row))
	p.drawDisc(c, side, x, y, discRadius)
	c.close("g")
}

// drawDisc draws a disc with the shape of its side: a ring for red, a diamond for yellow.
func (p Picture) drawDisc(c *canvas, side board.Side, x, y, radius float64) {
	paint := p.Palette.of(side)
	rim := radius * 0.12
	c.empty("circle", "cx", number(x), "cy", number(y), "r", number(radius-rim/2),
		"fill", paint.disc, "stroke", paint.edge, "stroke-width", number(rim))
	if side == board.Yellow {
		d := radius * 0.44
		c.empty("path", "class", "diamond", "d",
			"M"+number(x)+" "+number(y-d)+"L"+number(x+d)+" "+number(y)+"L"+number(x)+" "+number(y+d)+"L"+number(x-d)+" "+number(y)+"Z",
			"fill", paint.shape, "stroke", paint.shape, "stroke-width", number(radius*0.06), "stroke-linejoin", "round")
		return
	}
	c.empty("circle", "class", "ring", "cx", number(x), "cy", number(y), "r", number(radius*0.42),
		"fill", "none", "stroke", paint.shape, "stroke-width", number(radius*0.17))
}

// drawWin marks the winning fields and the lines through them.
func (p Picture) drawWin(c *canvas) {
	won := map[board.Field]bool{}
	for _, f := range p.Position.WinningFields() {
		won[f] = true
	}
	if len(won) == 0 {
		return
	}
	c.open("g", "opacity", "0.55") // of all lines together: two may lie on each other
	for _, line := range board.Lines() {
		if !won[line[0]] || !won[line[1]] || !won[line[2]] || !won[line[3]] {
			continue
		}
		x1, y1 := centre(line[0])
		x2, y2 := centre(line[3])
		c.empty("line", "class", "win", "x1", number(x1), "y1", number(y1), "x2", number(x2), "y2", number(y2),
			"stroke", p.Palette.mark, "stroke-width", "10", "stroke-linecap", "round")
	}
	c.close("g")
	for _, f := range p.Position.WinningFields() {
		x, y := centre(f)
		c.empty("circle", "class", "winning", "cx", number(x), "cy", number(y), "r", number(discRadius+markWidth/2-1),
			"fill", "none", "stroke", p.Palette.mark, "stroke-width", number(markWidth))
	}
}

// drawLast marks the disc played last: an arrow above its column, a ring around it, a dot in its middle.
func (p Picture) drawLast(c *canvas) {
	if !p.Last.Valid() {
		return
	}
	x, y := centre(p.Last)
	const half, height = 13.0, 20.0
	top := boardTop - height - 12
	c.open("g", "class", "last", "data-column", strconv.Itoa(int(p.Last.Column)), "data-row", strconv.Itoa(p.Last.Row))
	c.empty("path", "d", "M"+number(x-half)+" "+number(top)+"L"+number(x+half)+" "+number(top)+"L"+number(x)+" "+number(top+height)+"Z",
		"fill", p.Palette.mark, "stroke", p.Palette.mark, "stroke-width", "4", "stroke-linejoin", "round")
	c.empty("circle", "cx", number(x), "cy", number(y), "r", number(discRadius+markWidth/2-1),
		"fill", "none", "stroke", p.Palette.mark, "stroke-width", number(markWidth))
	c.empty("circle", "cx", number(x), "cy", number(y), "r", "8",
		"fill", p.Palette.mark, "stroke", p.Palette.onMark, "stroke-width", "3")
	c.close("g")
}
