package profile

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// Name is a display name: 1 to MaxNameLength code points in Unicode normal form C, without spaces at its ends,
// with at least one visible character and none that could turn the text around it.
type Name string

// MaxNameLength is the longest name, in code points.
const MaxNameLength = 32

const (
	zeroWidthNonJoiner = '\u200c' // Persian and Indic words need it
	zeroWidthJoiner    = '\u200d' // family emoji need it
	firstTag           = '\U000e0020'
	lastTag            = '\U000e007f' // flags of regions are spelt in tags
)

// invisible are letters and symbols that show nothing though Unicode does not class them as format characters:
// the Hangul fillers, the Braille blank and the Khmer inherent vowels.
var invisible = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x115f, Hi: 0x1160, Stride: 1},
	{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
	{Lo: 0x2800, Hi: 0x2800, Stride: 1},
	{Lo: 0x3164, Hi: 0x3164, Stride: 1},
	{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
}}

// ParseDeviceName reads what a player calls a device: a name by the same rules. The fault points to /device_name.
func ParseDeviceName(text string) (Name, error) {
	name, err := ParseName(text)
	if f, found := errors.AsType[*fault.Error](err); found {
		f.Pointer = "/device_name"
	}
	return name, err
}

// ParseName reads a name as a player typed it. The fault is invalid_name and points to /display_name.
func ParseName(text string) (Name, error) {
	if !utf8.ValidString(text) {
		return "", badName("a name is UTF-8 text")
	}
	if pilesUp(text) {
		return "", badName("a name has at most %d marks on one character", maxMarks)
	}
	text = norm.NFC.String(text)
	visible := false
	for _, r := range text {
		if !allowed(r) {
			return "", badName("a name cannot contain U+%04X", r)
		}
		visible = visible || shows(r)
	}
	if !visible {
		return "", badName("a name needs at least one visible character")
	}
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n > MaxNameLength {
		return "", badName("a name has at most %d characters, not %d", MaxNameLength, n)
	}
	return Name(text), nil
}

// maxMarks is how many combining marks may stand on one character. No script needs as many; with more than thirty the
// normal form would break them up with a character that nobody typed (UAX #15, stream-safe text).
const maxMarks = 10

// pilesUp reports whether more marks than that follow one another.
func pilesUp(text string) bool {
	marks := 0
	for _, r := range text {
		if !unicode.Is(unicode.M, r) {
			marks = 0
		} else if marks++; marks > maxMarks {
			return true
		}
	}
	return false
}

func allowed(r rune) bool {
	switch {
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner, r >= firstTag && r <= lastTag:
		return true
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
		return false
	default:
		return r != unicode.ReplacementChar
	}
}

func shows(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(invisible, r)
}

func badName(format string, args ...any) error {
	return fault.At("/display_name", fault.InvalidName, format, args...)
}
