package httpapi

import (
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// dropNulls takes those fields out of a decoded body that are null where they may be left out: the programs of some
// languages write a null for everything that isn't set. Fields that have to be there, fields nobody knows and items of
// lists keep theirs, for the schema to refuse.
func dropNulls(value any, schema *openapi3.Schema) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			known, required := fieldOf(schema, name)
			switch {
			case known == nil:
			case field != nil:
				dropNulls(field, known)
			case !required:
				delete(value, name)
			}
		}
	case []any:
		if schema.Items == nil {
			return
		}
		for _, item := range value {
			dropNulls(item, schema.Items.Value)
		}
	}
}

// dropUnknown takes the fields that an object doesn't have out of a decoded body, all but the first of each object: the
// validator would look at all of them once for each. What it returns is about those it has taken out, of as many as an
// answer lists.
func dropUnknown(at string, value any, schema *openapi3.Schema) (wrong []wrongPart) {
	object, isObject := value.(map[string]any)
	if !isObject || schema.AdditionalProperties.Has == nil || *schema.AdditionalProperties.Has {
		return nil
	}
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if known, _ := fieldOf(schema, name); known != nil {
			wrong = append(wrong, dropUnknown(at+"/"+name, object[name], known)...)
		} else {
			unknown = append(unknown, name)
		}
	}
	for i, name := range unknown {
		switch {
		case i == 0:
			continue
		case len(wrong) < wrongPartsShown:
			wrong = append(wrong, unknownField(at, name))
		}
		delete(object, name)
	}
	return wrong
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
