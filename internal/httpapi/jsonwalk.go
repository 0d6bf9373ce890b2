package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// jsonDepth is how many objects and lists may stand in one another; the contract needs three.
const jsonDepth = 16

// jsonValues is how many values a body may hold, each in another too; the contract needs a few tens.
const jsonValues = 256

// walkJSON decodes a body token by token, so that it sees what decoders pass in silence. Numbers stay as they were
// written. The fault malformed_json is about what is not one JSON document in UTF-8, is nested too deep or holds too many
// values; fields sent twice, and texts with a NUL or half of a pair of surrogates, come back as wrong parts. When there
// are as many of these as an answer lists, the walk ends and there is no document.
func walkJSON(body []byte) (document any, wrong []wrongPart, err error) {
	if !utf8.Valid(body) {
		return nil, nil, malformed("the body is not UTF-8")
	}
	if !json.Valid(body) {
		return nil, nil, errNoDocument
	}
	// What the decoder is told to allow would end the walk at the first that is wrong.
	tokens := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	w := walk{tokens: tokens, values: 0, wrong: nil}
	switch document, err = w.value(); {
	case len(w.wrong) >= wrongPartsShown:
		return nil, w.wrong, nil
	case err != nil:
		return nil, nil, err
	default:
		return document, w.wrong, nil
	}
}

func malformed(why string) error { return fault.New(fault.MalformedJSON, "%s", why) }

var (
	errNoDocument  = malformed("the body is not one JSON document")
	errEnoughWrong = errors.New("enough is wrong with the body")
)

// walk is where a walk through a document has got to.
type walk struct {
	tokens *jsontext.Decoder
	values int // so far
	wrong  []wrongPart
}

// value returns the next value: nil, a bool, a string, a json.Number, a []any or a map[string]any.
func (w *walk) value() (any, error) {
	switch w.values++; {
	case w.values > jsonValues:
		return nil, malformed("the body holds too many values")
	case len(w.wrong) >= wrongPartsShown:
		return nil, errEnoughWrong
	}
	kind := w.tokens.PeekKind()
	if kind == jsontext.KindString {
		return w.text()
	}
	token, err := w.tokens.ReadToken()
	switch {
	case err != nil:
		return nil, errNoDocument
	case w.tokens.StackDepth() > jsonDepth:
		return nil, malformed("the body is nested too deep")
	case kind == jsontext.KindBeginObject:
		return w.object()
	case kind == jsontext.KindBeginArray:
		return w.list()
	case kind == jsontext.KindNumber:
		return json.Number(token.String()), nil
	case kind == jsontext.KindNull:
		return nil, nil
	default:
		return token.Bool(), nil
	}
}

func (w *walk) text() (string, error) {
	text, halved, err := w.unquoted()
	if halved {
		w.found("a text cannot hold half of a pair of surrogates")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		w.found("a text cannot hold U+0000")
	}
	return string(text), err
}

// unquoted returns the next text, and reports whether it holds half of a pair of surrogates: decoders put U+FFFD in its
// place.
func (w *walk) unquoted() (text []byte, halved bool, err error) {
	raw, err := w.tokens.ReadValue()
	if err != nil {
		return nil, false, errNoDocument
	}
	text, err = jsontext.AppendUnquote(nil, raw)
	return text, err != nil, nil
}

func (w *walk) object() (map[string]any, error) {
	object := make(map[string]any)
	for w.tokens.PeekKind() != jsontext.KindEndObject {
		text, halved, err := w.unquoted()
		name := string(text)
		switch _, twice := object[name]; {
		case err != nil:
			return nil, err
		case bytes.IndexByte(text, 0) >= 0:
			return nil, malformed("the name of a field holds a NUL")
		case halved:
			return nil, malformed("the name of a field holds half of a pair of surrogates")
		case twice:
			w.found("this field is sent twice")
		}
		if object[name], err = w.value(); err != nil {
			return nil, err
		}
	}
	return object, w.end()
}

func (w *walk) list() ([]any, error) {
	list := []any{}
	for w.tokens.PeekKind() != jsontext.KindEndArray {
		item, err := w.value()
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, w.end()
}

// end reads the end of an object or list.
func (w *walk) end() error {
	if _, err := w.tokens.ReadToken(); err != nil {
		return errNoDocument
	}
	return nil
}

// found notes what is wrong with the value or field at hand.
func (w *walk) found(detail string) {
	w.wrong = append(w.wrong, wrongPart{cmp.Or(string(w.tokens.StackPointer()), "/"), detail})
}
