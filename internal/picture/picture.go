package picture

import "github.com/fourinarow/fourinarow/internal/board"

// The size of a picture, in points.
const (
	Width  = 1200
	Height = 630
)

// A Picture is what there is to draw. All words are drawn as they are.
type Picture struct {
	Position board.Position
	Last     board.Field // of the disc played last, which is marked; the zero value marks none
	Palette  Palette

	Language    string // of the words: a tag of BCP 47
	Title       string // the picture in one line, for those who don't see it
	Description string // and at length
	Heading     string // above the players
	Red         Player
	Yellow      Player
	Status      string // below the players: how it stands
	Progress    string // beside a bar that shows how full the board is
}

// A Player is one of the two whose names are shown.
type Player struct {
	Name  string
	Badge string // a word or two about the player, like "winner"; empty: none
}

// SVG draws the picture.
func (p Picture) SVG() []byte {
	c := &canvas{}
	c.open("svg",
		"xmlns", "http://www.w3.org/2000/svg", "width", number(Width), "height", number(Height),
		"viewBox", "0 0 "+number(Width)+" "+number(Height), "role", "img", "lang", p.Language, "xml:lang", p.Language,
		"font-family", "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif")
	c.text("title", p.Title)
	c.text("desc", p.Description)
	c.empty("rect", "width", number(Width), "height", number(Height), "fill", p.Palette.background)
	c.empty("circle", "cx", number(boardMiddle), "cy", number(Height/2), "r", number(glowRadius), "fill", p.Palette.glow)
	p.drawBoard(c)
	p.drawPanel(c)
	c.close("svg")
	c.out.WriteByte('\n')
	return c.out.Bytes()
}
