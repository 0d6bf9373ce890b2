package picture_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/picture"
)

// luminance is how light a colour is, 0 to 1, as WCAG 2.2 has it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	require.Len(t, colour, len("#rrggbb"))
	bits, err := strconv.ParseUint(colour[1:], 16, 32)
	require.NoError(t, err)
	linear := func(shift uint) float64 {
		part := float64(bits>>shift&0xff) / 255
		if part <= 0.04045 {
			return part / 12.92
		}
		return math.Pow((part+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestDiscsShapesAndWordsStandOut(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("44")
	require.NoError(t, err)
	for name, palette := range palettes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := read(t, picture.Picture{Position: p, Palette: palette, Red: picture.Player{Name: "Ola", Badge: "winner"}}.SVG())
			hole := root.class("hole")[0].attributes["fill"]
			red, yellow := root.class("disc red")[0], root.class("disc yellow")[0]
			assert.GreaterOrEqual(t, contrast(t, red.parts[0].attributes["fill"], hole), 3.0)
			assert.GreaterOrEqual(t, contrast(t, yellow.parts[0].attributes["fill"], hole), 3.0)
			assert.GreaterOrEqual(t, contrast(t, red.parts[1].attributes["stroke"], red.parts[0].attributes["fill"]), 3.0)
			assert.GreaterOrEqual(t, contrast(t, yellow.parts[1].attributes["fill"], yellow.parts[0].attributes["fill"]), 3.0)
			background := root.all(func(e *element) bool { return e.name == "rect" })[0].attributes["fill"]
			for _, class := range []string{"name", "status", "heading", "progress", "column"} {
				assert.GreaterOrEqual(t, contrast(t, root.class(class)[0].attributes["fill"], background), 4.5, class)
			}
			for _, e := range root.class("player red")[0].parts {
				if e.attributes["class"] == "badge" {
					on := root.class("player red")[0].all(func(e *element) bool { return e.name == "rect" })[0]
					assert.GreaterOrEqual(t, contrast(t, e.attributes["fill"], on.attributes["fill"]), 4.5)
				}
			}
		})
	}
}

func TestPalettesPaintTheSidesTheirWay(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("44")
	require.NoError(t, err)
	for name, want := range map[string]struct {
		palette     picture.Palette
		red, yellow func(r, g, b uint64) bool
	}{
		"classic": {picture.Classic(), func(r, g, b uint64) bool { return r > 2*g && r > 2*b }, func(r, g, b uint64) bool { return r > 3*b && g > 3*b }},
		"pink":    {picture.Pink(), func(r, g, b uint64) bool { return r > b && b > 2*g }, func(r, g, b uint64) bool { return b > 2*r && b > 2*g && r > g }},
	} {
		root := read(t, picture.Picture{Position: p, Palette: want.palette}.SVG())
		for class, is := range map[string]func(r, g, b uint64) bool{"disc red": want.red, "disc yellow": want.yellow} {
			bits, err := strconv.ParseUint(root.class(class)[0].parts[0].attributes["fill"][1:], 16, 32)
			require.NoError(t, err)
			assert.True(t, is(bits>>16, bits>>8&0xff, bits&0xff), "%s: %s: #%06x", name, class, bits)
		}
	}
}
