package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/picture"
)

// element is a part of a document as a reader of XML sees it.
type element struct {
	name       string
	attributes map[string]string
	text       string
	parts      []*element
}

// read reads a document, which must be well-formed and one element.
func read(t require.TestingT, document []byte) *element {
	d := xml.NewDecoder(bytes.NewReader(document))
	d.Strict = true
	root := &element{}
	open := []*element{root}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			require.Len(t, open, 1)
			require.Len(t, root.parts, 1)
			return root.parts[0]
		}
		require.NoError(t, err, "%s", document)
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				require.NotContains(t, e.attributes, a.Name.Space+a.Name.Local)
				e.attributes[a.Name.Space+a.Name.Local] = a.Value
			}
			top.parts = append(top.parts, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.text += string(token)
		default:
			require.Failf(t, "a document has elements and text only", "%T", token)
		}
	}
}

// all finds the elements for which a test holds, in the order they are drawn.
func (e *element) all(wanted func(*element) bool) []*element {
	var found []*element
	if wanted(e) {
		found = append(found, e)
	}
	for _, part := range e.parts {
		found = append(found, part.all(wanted)...)
	}
	return found
}

// class finds the elements of a class.
func (e *element) class(name string) []*element {
	return e.all(func(e *element) bool { return e.attributes["class"] == name })
}

// fields reads where elements say they are.
func fields(t require.TestingT, elements []*element) []board.Field {
	found := []board.Field{}
	for _, e := range elements {
		column, err := strconv.Atoi(e.attributes["data-column"])
		require.NoError(t, err)
		row, err := strconv.Atoi(e.attributes["data-row"])
		require.NoError(t, err)
		found = append(found, board.Field{Column: board.Column(column), Row: row})
	}
	return found
}

// drawn plays random moves and returns the position and the field of the last disc.
func drawn(t *rapid.T) (p board.Position, last board.Field) {
	for plies := rapid.IntRange(0, board.Fields).Draw(t, "plies"); plies > 0 && !p.Over(); plies-- {
		c := rapid.SampledFrom(p.LegalColumns()).Draw(t, "column")
		p, _ = p.Play(c)
		last, _ = p.Top(c)
	}
	return p, last
}

func palettes() map[string]picture.Palette {
	return map[string]picture.Palette{"classic": picture.Classic(), "pink": picture.Pink()}
}

func TestEveryDiscIsDrawnOnItsFieldInTheColourAndTheShapeOfItsSide(t *testing.T) {
	t.Parallel()
	shapes := map[board.Side]string{board.Red: "ring", board.Yellow: "diamond"}
	rapid.Check(t, func(t *rapid.T) {
		p, last := drawn(t)
		for name, palette := range palettes() {
			document := picture.Picture{Position: p, Last: last, Palette: palette}.SVG()
			root := read(t, document)
			drawn, colours := 0, map[string]bool{}
			for side, shape := range shapes {
				discs := root.class("disc " + side.String())
				drawn += len(discs)
				for i, f := range fields(t, discs) {
					require.Equal(t, side, p.Disc(f), "%s: %v", name, f)
					require.Len(t, discs[i].class(shape), 1, "%s: %v", name, f)
					require.Len(t, discs[i].parts, 2, "%s: %v: a disc and its shape", name, f)
					colours[side.String()+discs[i].parts[0].attributes["fill"]] = true
				}
			}
			require.Equal(t, p.Ply(), drawn, name)
			require.LessOrEqual(t, len(colours), 2, "%s: one colour a side", name)
			require.Len(t, root.class("hole"), board.Fields-drawn, name)
			require.Equal(t, document, picture.Picture{Position: p, Last: last, Palette: palette}.SVG(), "%s: always the same bytes", name)
		}
	})
}

func TestTheLastDiscAndTheWinningFieldsAreMarked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, last := drawn(t)
		root := read(t, picture.Picture{Position: p, Last: last, Palette: picture.Classic()}.SVG())
		marked := fields(t, root.class("last"))
		if p.Ply() == 0 {
			require.Empty(t, marked)
		} else {
			require.Equal(t, []board.Field{last}, marked)
		}
		at := map[[2]string]board.Field{}
		for _, side := range []string{"red", "yellow"} {
			discs := root.class("disc " + side)
			for i, f := range fields(t, discs) {
				middle := discs[i].parts[0].attributes
				at[[2]string{middle["cx"], middle["cy"]}] = f
			}
		}
		won := []board.Field{}
		for _, ring := range root.class("winning") {
			won = append(won, at[[2]string{ring.attributes["cx"], ring.attributes["cy"]}])
		}
		require.Equal(t, p.WinningFields(), won)
		require.Equal(t, p.Winner() != board.NoSide, len(root.class("win")) > 0, "a line goes through them")
	})
}

func TestTwoLinesThatCrossAreBothDrawn(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("734545435672634")
	require.NoError(t, err)
	root := read(t, picture.Picture{Position: p, Palette: picture.Pink()}.SVG())
	assert.Len(t, root.class("winning"), 7)
	assert.Len(t, root.class("win"), 2)
}

func TestLinesThatLieOnEachOtherAreAsLightAsOne(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("412167553") // five in a row
	require.NoError(t, err)
	root := read(t, picture.Picture{Position: p, Palette: picture.Classic()}.SVG())
	through := root.all(func(e *element) bool { return e.attributes["opacity"] != "" })
	require.Len(t, through, 1, "they share what shines through")
	assert.Len(t, through[0].class("win"), 2)
	for _, line := range root.class("win") {
		assert.NotContains(t, line.attributes, "stroke-opacity")
	}
}

// inXML is a text as a document can hold it: a few characters have no place in XML.
func inXML(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r != utf8.RuneError && r != 0xFFFE && r != 0xFFFF {
			return r
		}
		return utf8.RuneError
	}, text)
}

// requireShown says that a text is shown, or as much of it as there is room for.
func requireShown(t require.TestingT, text, shown string) {
	if shown == inXML(text) {
		return
	}
	begin, isCut := strings.CutSuffix(shown, "…")
	require.True(t, isCut, shown)
	require.True(t, strings.HasPrefix(inXML(text), begin), "%q is shown as %q", text, shown)
}

func TestNothingThatSomebodyTypedBecomesAPartOfTheDocument(t *testing.T) {
	t.Parallel()
	plain := len(read(t, named("", "")).all(func(*element) bool { return true }))
	check := func(t require.TestingT, red, yellow string) {
		root := read(t, named(red, yellow))
		require.Len(t, root.all(func(*element) bool { return true }), plain, "no element more")
		names := root.class("name")
		require.Len(t, names, 2)
		requireShown(t, red, names[0].text)
		requireShown(t, yellow, names[1].text)
		require.Equal(t, inXML(red+yellow), root.all(func(e *element) bool { return e.name == "title" })[0].text)
	}
	for _, name := range []string{
		`</text><script>alert(1)</script>`, `"/><image href="https://evil.example/x"/>`, `]]>`, `<![CDATA[`, `<!--`, `--><b>`,
		`&amp;`, `&#0;`, `&lol;`, `<?xml version="1.0"?>`, `<!DOCTYPE svg [<!ENTITY x "y">]>`, "\x00", "\xff\xfe", "a\u202eb", "\ufffe",
		"' onload='alert(1)", `%s%n`, "{{.}}",
	} {
		check(t, name, "Иван")
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.String().Draw(t, "red"), rapid.String().Draw(t, "yellow"))
	})
}

// named draws a picture with names wherever words go.
func named(red, yellow string) []byte {
	return picture.Picture{
		Palette: picture.Classic(), Language: "en", Title: red + yellow, Description: yellow + red, Heading: red,
		Red: picture.Player{Name: red, Badge: yellow + "!"}, Yellow: picture.Player{Name: yellow, Badge: red + "!"}, Status: yellow, Progress: red,
	}.SVG()
}

func TestADocumentStandsAlone(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("4455667")
	require.NoError(t, err)
	root := read(t, picture.Picture{Position: p, Last: board.Field{Column: 7, Row: 1}, Palette: picture.Pink(), Language: "pl", Title: "t", Description: "d"}.SVG())
	assert.Equal(t, "svg", root.name)
	assert.Equal(t, [3]string{"img", "pl", "0 0 1200 630"}, [3]string{root.attributes["role"], root.attributes["lang"], root.attributes["viewBox"]})
	assert.Equal(t, []string{"title", "desc"}, []string{root.parts[0].name, root.parts[1].name}, "what is read aloud comes first")
	for _, e := range root.all(func(*element) bool { return true }) {
		assert.Contains(t, []string{"svg", "title", "desc", "rect", "circle", "path", "line", "g", "text"}, e.name)
		for name, value := range e.attributes {
			assert.NotContains(t, []string{"id", "href", "style"}, name)
			assert.NotContains(t, value, "url(")
			assert.False(t, strings.HasPrefix(name, "on"), name)
		}
	}
}

// room is the width there is for a name.
const room = 370

func TestLongNamesAreWrittenSmallerAndThenCutOff(t *testing.T) {
	t.Parallel()
	shown := func(name string) (text string, size float64) {
		element := read(t, named(name, "")).class("name")[0]
		size, err := strconv.ParseFloat(element.attributes["font-size"], 64)
		require.NoError(t, err)
		return element.text, size
	}
	_, size := shown("Ola")
	assert.InDelta(t, 38, size, 0)
	text, size := shown("Brzęczyszczykiewicz")
	assert.Equal(t, "Brzęczyszczykiewicz", text)
	assert.Less(t, size, 38.0)
	for _, letter := range []string{"W", "李", "Щ", "😀"} {
		text, size = shown(strings.Repeat(letter, 32))
		assert.GreaterOrEqual(t, size, 22.0, "never too small to read")
		assert.LessOrEqual(t, size*float64(utf8.RuneCountInString(text)), float64(room), "as wide as high, they fit")
		assert.True(t, strings.HasSuffix(text, "…"), text)
	}
	_, size = shown("e" + strings.Repeat("\u0301", 30))
	assert.InDelta(t, 38, size, 0, "marks upon a letter take no room")
	text, _ = shown(strings.Repeat("e\u0301", 40))
	assert.True(t, strings.HasSuffix(text, "e\u0301…"), "marks stay with their letter: %q", text)
	text, _ = shown(strings.Repeat("👩\u200d🚀", 32))
	assert.True(t, strings.HasSuffix(text, "👩\u200d🚀…"), "what is one letter stays whole: %q", text)
}
