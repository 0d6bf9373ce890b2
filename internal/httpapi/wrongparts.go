package httpapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// wrongPart is one thing that is wrong with a request. The detail never repeats what was sent.
type wrongPart struct {
	pointer string // /column, /query/limit, /path/game_id, /header/If-None-Match
	detail  string
}

// invalidError is the fault invalid_request with all that is wrong.
type invalidError struct {
	fault *fault.Error
	wrong []wrongPart
}

// Error returns the code and the message of the fault.
func (e *invalidError) Error() string { return e.fault.Error() }

// Unwrap returns the fault.
func (e *invalidError) Unwrap() error { return e.fault }

// wrongPartsShown is how many wrong parts an answer lists.
const wrongPartsShown = 100

// onePerPointer returns the parts in the order of their pointers, one for each.
func onePerPointer(wrong []wrongPart) []wrongPart {
	wrong = slices.Clone(wrong)
	slices.SortStableFunc(wrong, func(a, b wrongPart) int { return strings.Compare(a.pointer, b.pointer) })
	return slices.CompactFunc(wrong, func(a, b wrongPart) bool { return a.pointer == b.pointer })
}

func countWrong(n int) string {
	if n == 1 {
		return "1 part of the request is wrong"
	}
	return fmt.Sprintf("%d parts of the request are wrong", n)
}

// schemaParts reads the errors of the validator about a body. Their own texts are not used: some repeat the input.
func schemaParts(err error) []wrongPart {
	switch e := err.(type) { //nolint:errorlint // the tree of errors is walked level by level
	case openapi3.MultiError:
		var all []wrongPart
		for _, one := range e {
			all = append(all, schemaParts(one)...)
		}
		return all
	case *openapi3.SchemaError:
		return schemaPart(e)
	default:
		return []wrongPart{{"", "this does not fit the contract"}}
	}
}

// extensionOwnCode is where the contract says that a text which breaks the rules of its schema is a problem of its own.
const extensionOwnCode = "x-problem-code"

// ownFields are those rules.
var ownFields = []string{"minLength", "maxLength", "pattern"}

func schemaPart(e *openapi3.SchemaError) []wrongPart {
	if _, own := e.Schema.Extensions[extensionOwnCode]; own && slices.Contains(ownFields, e.SchemaField) {
		return nil // who reads the text says it better, with that code
	}
	var path strings.Builder
	for _, token := range e.JSONPointer() {
		path.WriteString("/" + pointerToken(token))
	}
	pointer := path.String()
	switch {
	case e.SchemaField == "required":
		return []wrongPart{{pointer, "this field is missing"}}
	case e.SchemaField == "properties":
		return unknownFields(pointer, e)
	case e.Value == nil: // of any type, and where values are listed
		return []wrongPart{{pointer, "null is not taken here, " + wanted(e.Schema)}}
	default:
		return []wrongPart{{pointer, wanted(e.Schema)}}
	}
}

// unknownFields returns the fields that an object has beyond its schema; the validator names only the object.
func unknownFields(pointer string, e *openapi3.SchemaError) []wrongPart {
	object, _ := e.Value.(map[string]any)
	var unknown []wrongPart
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, known := e.Schema.Properties[name]; !known {
			unknown = append(unknown, unknownField(pointer, name))
		}
	}
	return unknown
}

func unknownField(of, name string) wrongPart {
	return wrongPart{of + "/" + pointerToken(name), "there is no such field"}
}

// wanted says what fits a schema.
func wanted(schema *openapi3.Schema) string {
	switch {
	case schema.Type.Is(openapi3.TypeInteger) && schema.Min != nil && schema.Max != nil:
		return fmt.Sprintf("want a whole number from %.0f to %.0f", *schema.Min, *schema.Max)
	case schema.Type.Is(openapi3.TypeBoolean):
		return "want true or false"
	case schema.Type.Is(openapi3.TypeObject) && schema.MinProps > 0:
		return fmt.Sprintf("want an object with at least %d field that is not null", schema.MinProps)
	case schema.Type.Is(openapi3.TypeObject):
		return "want an object"
	case len(schema.Enum) > 0:
		return fmt.Sprintf("want one of %s", joinAny(schema.Enum))
	case schema.Format == "uuid":
		return "want a UUID, like 01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12"
	case schema.Format == "date-time":
		return "want a date-time as RFC 3339 writes it, like 2026-09-01T00:00:00Z"
	case schema.Pattern != "" && schema.Example != nil:
		return fmt.Sprintf("want text like %v", schema.Example)
	case schema.Pattern != "":
		return "want text that matches " + schema.Pattern
	case schema.Type.Is(openapi3.TypeString) && schema.MaxLength != nil:
		return fmt.Sprintf("want text of %d to %d characters", schema.MinLength, *schema.MaxLength)
	default:
		return fmt.Sprintf("want %s", cmp.Or(strings.Join(schema.Type.Slice(), " or "), "something else"))
	}
}

func joinAny(values []any) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return strings.Join(texts, ", ")
}

// pointerTokenLength is how much of a name that a client made up is repeated in a pointer.
const pointerTokenLength = 100

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointerToken returns a name as a part of a JSON pointer (RFC 6901).
func pointerToken(name string) string {
	if runes := []rune(name); len(runes) > pointerTokenLength {
		name = string(runes[:pointerTokenLength]) + "…"
	}
	return pointerEscapes.Replace(strings.ToValidUTF8(name, "\uFFFD"))
}
