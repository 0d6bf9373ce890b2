package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// withoutNulls returns a body without the fields that are null where they may be left out: the programs of some
// languages write a null for everything that isn't set. Fields that have to be there, fields nobody knows and items of
// lists keep theirs, for the schema to refuse. The body is one that walkJSON has passed.
func withoutNulls(body []byte, schema *openapi3.Schema) ([]byte, error) {
	if !bytes.Contains(body, []byte("null")) {
		return body, nil
	}
	tokens := json.NewDecoder(bytes.NewReader(body))
	tokens.UseNumber() // a number stays as it was written
	var document any
	if err := tokens.Decode(&document); err != nil {
		return nil, malformed("the body is not one JSON document")
	}
	if !dropNulls(document, schema) {
		return body, nil
	}
	slimmer, err := json.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("write a body without its nulls: %w", err)
	}
	return slimmer, nil
}

// dropNulls takes the nulls out of a value and reports whether there were any.
func dropNulls(value any, schema *openapi3.Schema) bool {
	dropped := false
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			known, required := fieldOf(schema, name)
			switch {
			case known == nil:
			case field != nil:
				dropped = dropNulls(field, known) || dropped
			case !required:
				delete(value, name)
				dropped = true
			}
		}
	case []any:
		if schema.Items == nil {
			return false
		}
		for _, item := range value {
			dropped = dropNulls(item, schema.Items.Value) || dropped
		}
	}
	return dropped
}

// fieldOf returns the schema of a field of an object, and whether the object has to have it; nil for a field that it
// doesn't know.
func fieldOf(schema *openapi3.Schema, name string) (field *openapi3.Schema, required bool) {
	if ref, known := schema.Properties[name]; known {
		field = ref.Value
	}
	required = slices.Contains(schema.Required, name)
	for _, part := range schema.AllOf {
		inPart, requiredThere := fieldOf(part.Value, name)
		if field == nil {
			field = inPart
		}
		required = required || requiredThere
	}
	return field, required
}
