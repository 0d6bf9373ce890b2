package picture

import "github.com/fourinarow/fourinarow/internal/board"

// A Palette paints the sides. The zero value is no palette.
type Palette struct {
	background, glow          string // behind everything, and the light in it
	frame, edge, hole, rim    string // the board, its edge, an empty field and its edge
	text, quiet, mark, onMark string // words, words of less weight, marks, and words on a mark
	sides                     [2]paint
}

// paint is how the discs of a side look: the disc, its edge, and its shape.
type paint struct{ disc, edge, shape string }

// The palettes.
var (
	classic = Palette{
		background: "#0c1a3c", glow: "#12275a", frame: "#2a63d6", edge: "#1b469f", hole: "#0a1736", rim: "#1d4cab",
		text: "#f4f7ff", quiet: "#a9b9e0", mark: "#ffffff", onMark: "#0c1a3c",
		sides: [2]paint{
			{disc: "#e8352f", edge: "#b3201c", shape: "#ffe3dd"},
			{disc: "#ffcf33", edge: "#dca300", shape: "#7d4f00"},
		},
	}
	pink = Palette{
		background: "#fff3fa", glow: "#ffe6f4", frame: "#cdb9f6", edge: "#ad93e6", hole: "#fdf8ff", rim: "#b9a1ec",
		text: "#35185c", quiet: "#75589f", mark: "#2a1049", onMark: "#ffffff",
		sides: [2]paint{
			{disc: "#e62e8a", edge: "#b5176a", shape: "#ffe1f1"},
			{disc: "#4f43d8", edge: "#352aa6", shape: "#dcd8ff"},
		},
	}
)

// Classic is the palette of red and yellow discs.
func Classic() Palette { return classic }

// Pink is the palette of pink discs, which are red's, and violet-blue ones.
func Pink() Palette { return pink }

// of gives the paint of a side.
func (p Palette) of(side board.Side) paint {
	if side == board.Yellow {
		return p.sides[1]
	}
	return p.sides[0]
}
