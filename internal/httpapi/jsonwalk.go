package httpapi

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// jsonDepth is how many objects and lists may stand in one another; the contract needs three.
const jsonDepth = 16

// walkJSON looks at a body token by token, for what decoders pass in silence. The fault malformed_json is about
// what is not one JSON document in UTF-8, or is nested too deep; fields sent twice, and texts with a NUL or half
// of a pair of surrogates, come back as wrong parts.
func walkJSON(body []byte) ([]wrongPart, error) {
	if !utf8.Valid(body) {
		return nil, malformed("the body is not UTF-8")
	}
	if !json.Valid(body) {
		return nil, malformed("the body is not one JSON document")
	}
	tokens := json.NewDecoder(bytes.NewReader(body))
	tokens.UseNumber()
	w := walk{body: body, tokens: tokens, path: nil, wrong: nil}
	if err := w.value(); err != nil {
		return nil, err
	}
	return w.wrong, nil
}

func malformed(why string) error { return fault.New(fault.MalformedJSON, "%s", why) }

// walk is where a walk through a document has got to.
type walk struct {
	body   []byte
	tokens *json.Decoder
	path   []string // from the top to the value at hand, as parts of a pointer
	wrong  []wrongPart
}

// next returns the next token, and reports whether it is a text that holds half of a pair of surrogates: decoders put
// U+FFFD in its place.
func (w *walk) next() (token json.Token, halved bool, err error) {
	begun := w.tokens.InputOffset()
	token, err = w.tokens.Token()
	if _, isText := token.(string); isText {
		halved = halvesSurrogates(w.body[begun:w.tokens.InputOffset()])
	}
	return token, halved, err
}

// halvesSurrogates reports whether JSON with one text escapes a surrogate that isn't one of a pair.
func halvesSurrogates(raw []byte) bool {
	for i := bytes.IndexByte(raw, '\\'); i >= 0 && i < len(raw); i++ {
		switch {
		case raw[i] != '\\':
		case raw[i+1] != 'u':
			i++
		case !utf16.IsSurrogate(escaped(raw[i:])):
			i += 5
		case utf16.DecodeRune(escaped(raw[i:]), escaped(raw[i+6:])) == utf8.RuneError:
			return true
		default:
			i += 11
		}
	}
	return false
}

// escaped returns the code unit that text begins with as an escape of JSON; -1 when it begins with none.
func escaped(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}

// value walks through the next value.
func (w *walk) value() error {
	token, halved, err := w.next()
	if err != nil {
		return malformed("the body is not one JSON document")
	}
	switch token := token.(type) {
	case json.Delim:
		if len(w.path) == jsonDepth {
			return malformed("the body is nested too deep")
		}
		if token == '{' {
			err = w.object()
		} else {
			err = w.list()
		}
		if err != nil {
			return err
		}
		if _, err = w.tokens.Token(); err != nil { // the closing one
			return malformed("the body is not one JSON document")
		}
	case string:
		if halved {
			w.wrong = append(w.wrong, wrongPart{"/" + strings.Join(w.path, "/"), "a text cannot hold half of a pair of surrogates"})
		}
		if strings.ContainsRune(token, 0) {
			w.wrong = append(w.wrong, wrongPart{"/" + strings.Join(w.path, "/"), "a text cannot hold U+0000"})
		}
	}
	return nil
}

func (w *walk) object() error {
	seen := make(map[string]struct{})
	for w.tokens.More() {
		token, halved, err := w.next()
		name, isName := token.(string)
		if err != nil || !isName {
			return malformed("the body is not one JSON document")
		}
		if strings.ContainsRune(name, 0) {
			return malformed("the name of a field holds a NUL")
		}
		if halved {
			return malformed("the name of a field holds half of a pair of surrogates")
		}
		w.path = append(w.path, pointerToken(name))
		if _, twice := seen[name]; twice {
			w.wrong = append(w.wrong, wrongPart{"/" + strings.Join(w.path, "/"), "this field is sent twice"})
		}
		seen[name] = struct{}{}
		if err = w.value(); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	return nil
}

func (w *walk) list() error {
	for i := 0; w.tokens.More(); i++ {
		w.path = append(w.path, strconv.Itoa(i))
		if err := w.value(); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	return nil
}
