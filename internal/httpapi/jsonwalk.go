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

// walkJSON decodes a body token by token, so that it sees what decoders pass in silence. Numbers stay as they were
// written. The fault malformed_json is about what is not one JSON document in UTF-8, or is nested too deep; fields sent
// twice, and texts with a NUL or half of a pair of surrogates, come back as wrong parts.
func walkJSON(body []byte) (document any, wrong []wrongPart, err error) {
	if !utf8.Valid(body) {
		return nil, nil, malformed("the body is not UTF-8")
	}
	if !json.Valid(body) {
		return nil, nil, malformed("the body is not one JSON document")
	}
	tokens := json.NewDecoder(bytes.NewReader(body))
	tokens.UseNumber()
	w := walk{body: body, tokens: tokens, path: nil, wrong: nil}
	if document, err = w.value(); err != nil {
		return nil, nil, err
	}
	return document, w.wrong, nil
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

// value returns the next value: nil, a bool, a string, a json.Number, a []any or a map[string]any.
func (w *walk) value() (any, error) {
	token, halved, err := w.next()
	if err != nil {
		return nil, malformed("the body is not one JSON document")
	}
	switch token := token.(type) {
	case json.Delim:
		if len(w.path) == jsonDepth {
			return nil, malformed("the body is nested too deep")
		}
		var value any
		if token == '{' {
			value, err = w.object()
		} else {
			value, err = w.list()
		}
		if err != nil {
			return nil, err
		}
		if _, err = w.tokens.Token(); err != nil { // the closing one
			return nil, malformed("the body is not one JSON document")
		}
		return value, nil
	case string:
		if halved {
			w.wrong = append(w.wrong, wrongPart{"/" + strings.Join(w.path, "/"), "a text cannot hold half of a pair of surrogates"})
		}
		if strings.ContainsRune(token, 0) {
			w.wrong = append(w.wrong, wrongPart{"/" + strings.Join(w.path, "/"), "a text cannot hold U+0000"})
		}
	}
	return token, nil
}

func (w *walk) object() (map[string]any, error) {
	object := make(map[string]any)
	for w.tokens.More() {
		token, halved, err := w.next()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, malformed("the body is not one JSON document")
		}
		if strings.ContainsRune(name, 0) {
			return nil, malformed("the name of a field holds a NUL")
		}
		if halved {
			return nil, malformed("the name of a field holds half of a pair of surrogates")
		}
		w.path = append(w.path, pointerToken(name))
		if _, twice := object[name]; twice {
			w.wrong = append(w.wrong, wrongPart{"/" + strings.Join(w.path, "/"), "this field is sent twice"})
		}
		if object[name], err = w.value(); err != nil {
			return nil, err
		}
		w.path = w.path[:len(w.path)-1]
	}
	return object, nil
}

func (w *walk) list() ([]any, error) {
	list := []any{}
	for i := 0; w.tokens.More(); i++ {
		w.path = append(w.path, strconv.Itoa(i))
		item, err := w.value()
		if err != nil {
			return nil, err
		}
		list = append(list, item)
		w.path = w.path[:len(w.path)-1]
	}
	return list, nil
}
