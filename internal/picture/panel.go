package picture

import (
	"strings"
	"unicode"

	"github.com/fourinarow/fourinarow/internal/board"
)

// Where the words are, in points.
const (
	panelLeft  = boardLeft + boardWidth + 52
	panelWidth = Width - panelLeft - 44
	panelDisc  = 32.0
	nameLeft   = panelLeft + 2*panelDisc + 24
	nameWidth  = panelLeft + panelWidth - nameLeft
)

// drawPanel draws what stands beside the board: who plays, how it stands, how full the board is.
func (p Picture) drawPanel(c *canvas) {
	p.drawWords(c, words{"heading", p.Heading, panelLeft, 95, 30, panelWidth, p.Palette.quiet})
	p.drawPlayer(c, board.Red, p.Red, 190)
	p.drawPlayer(c, board.Yellow, p.Yellow, 310)
	p.drawWords(c, words{"status", p.Status, panelLeft, 436, 46, panelWidth, p.Palette.text})
	p.drawProgress(c, 500)
}

// drawPlayer draws a row about a player: a disc, the name, and the badge below it.
func (p Picture) drawPlayer(c *canvas, side board.Side, who Player, y float64) {
	c.open("g", "class", "player "+side.String())
	p.drawDisc(c, side, panelLeft+panelDisc, y, panelDisc)
	if who.Badge == "" {
		p.drawWords(c, words{"name", who.Name, nameLeft, y, 38, nameWidth, p.Palette.text})
	} else {
		const size, height = 19.0, 30.0
		width := min(widthOf(who.Badge)*size+26, nameWidth)
		p.drawWords(c, words{"name", who.Name, nameLeft, y - 13, 38, nameWidth, p.Palette.text})
		c.empty("rect", "x", number(nameLeft), "y", number(y+14), "width", number(width), "height", number(height),
			"rx", number(height/2), "fill", p.Palette.mark)
		c.text("text", who.Badge, "class", "badge", "x", number(nameLeft+width/2), "y", number(y+14+height/2+baseline*size),
			"text-anchor", "middle", "font-size", number(size), "font-weight", "600", "fill", p.Palette.onMark)
	}
	c.close("g")
}

// drawProgress draws how full the board is.
func (p Picture) drawProgress(c *canvas, y float64) {
	const height, room, size = 10.0, 110.0, 24.0
	width := panelWidth - room
	c.empty("rect", "x", number(panelLeft), "y", number(y), "width", number(width), "height", number(height), "rx", number(height/2),
		"fill", p.Palette.quiet, "fill-opacity", "0.35")
	if ply := p.Position.Ply(); ply > 0 {
		c.empty("rect", "x", number(panelLeft), "y", number(y), "width", number(max(width*float64(ply)/board.Fields, height)),
			"height", number(height), "rx", number(height/2), "fill", p.Palette.mark)
	}
	c.text("text", p.Progress, "class", "progress", "x", number(panelLeft+panelWidth), "y", number(y+height/2+baseline*size),
		"text-anchor", "end", "font-size", number(size), "fill", p.Palette.quiet)
}

// words is a line of them: where it begins, where its middle is, how large it is, and how wide it may be.
type words struct {
	class, text     string
	x, middle, size float64
	room            float64
	colour          string
}

const (
	baseline = 0.36 // how far below the middle of a line its letters stand, in sizes of its font
	smallest = 22.0 // size of a font: a third of it is left in a small preview
)

// drawWords draws a line, smaller where it would be wider than its room, and cut off where it would be too small.
func (p Picture) drawWords(c *canvas, w words) {
	text, size := w.text, w.size
	if width := widthOf(text) * size; width > w.room {
		size *= w.room / width
	}
	if size < smallest {
		text, size = cut(text, w.room/smallest), smallest
	}
	c.text("text", text, "class", w.class, "x", number(w.x), "y", number(w.middle+baseline*size),
		"font-size", number(size), "font-weight", "700", "fill", w.colour)
}

const (
	ellipsis = '…'
	joiner   = '\u200d' // stands between two letters that are shown as one
)

// cut returns as much of a text as there is room for, in sizes of its font. What is shown as one letter stays whole.
func cut(text string, room float64) string {
	end, width, joined := 0, widthOfLetter(ellipsis), false
	for i, letter := range text {
		wide := widthOfLetter(letter)
		if wide > 0 && !joined {
			if width > room {
				break
			}
			end = i
		}
		width += wide
		joined = letter == joiner
	}
	return text[:end] + string(ellipsis)
}

// widthOf estimates how wide words are in a bold font of size 1; it is rather too high than too low.
func widthOf(text string) float64 {
	width := 0.0
	for _, letter := range text {
		width += widthOfLetter(letter)
	}
	return width
}

// widthOfLetter knows a few kinds of letters: marks upon others, wide ones, capitals.
func widthOfLetter(letter rune) float64 {
	switch {
	case unicode.In(letter, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case strings.ContainsRune("WM@%mwШЩЖЮЫшщжюыѿ—…", letter), letter >= 0x1100:
		return 1.1
	case unicode.IsUpper(letter):
		return 0.85
	case strings.ContainsRune("iljtfr.,:;'!| ", letter):
		return 0.45
	default:
		return 0.7
	}
}
