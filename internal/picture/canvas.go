package picture

import (
	"bytes"
	"encoding/xml"
	"strconv"
)

// canvas writes elements. It escapes all that it is given, so that texts and attributes stay what they are.
type canvas struct{ out bytes.Buffer }

// open begins an element, with attributes given as names and values in turn.
func (c *canvas) open(name string, attributes ...string) {
	c.tag(name, attributes)
	c.out.WriteByte('>')
}

// empty writes an element without content.
func (c *canvas) empty(name string, attributes ...string) {
	c.tag(name, attributes)
	c.out.WriteString("/>")
}

// text writes an element that holds words.
func (c *canvas) text(name, words string, attributes ...string) {
	c.open(name, attributes...)
	c.escape(words)
	c.close(name)
}

func (c *canvas) close(name string) { c.out.WriteString("</" + name + ">") }

func (c *canvas) tag(name string, attributes []string) {
	c.out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		c.out.WriteString(" " + attributes[i] + `="`)
		c.escape(attributes[i+1])
		c.out.WriteByte('"')
	}
}

// escape writes words as XML wants them; characters that XML has no place for become U+FFFD.
func (c *canvas) escape(words string) {
	// A buffer takes whatever it is given; there is no other error.
	_ = xml.EscapeText(&c.out, []byte(words))
}

// number writes a length, to a tenth of a point.
func number(length float64) string {
	tenths := strconv.FormatFloat(length, 'f', 1, 64)
	if whole, isWhole := bytes.CutSuffix([]byte(tenths), []byte(".0")); isWhole {
		return string(whole)
	}
	return tenths
}
