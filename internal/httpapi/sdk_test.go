package httpapi_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closedSets are the only real enums: sets that will never grow.
var closedSets = []string{
	"Side", "Visibility", "Outcome", "SeatState", "TableListStatus", "Opponent", "Presence", "Controller", "Mover", "TurnFilter", "PlayedResult", "HeldOutcome", "Verdict",
}

var (
	lowerCamel = regexp.MustCompile(`^[a-z]+([A-Z][a-z]+)+$`)
	snakeCase  = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)*$`)
	pascalCase = regexp.MustCompile(`^([A-Z][a-z]+)+$`)
)

// everySchema visits each schema of the contract, with where it stands and the name it is referred to by, if any.
func everySchema(t *testing.T, visit func(at string, ref *openapi3.SchemaRef, isComponent bool)) {
	t.Helper()
	var walk func(at string, ref *openapi3.SchemaRef, isComponent bool)
	walk = func(at string, ref *openapi3.SchemaRef, isComponent bool) {
		visit(at, ref, isComponent)
		if ref.Ref != "" {
			return // visited as a component
		}
		for name, property := range ref.Value.Properties {
			walk(at+"/"+name, property, false)
		}
		if ref.Value.Items != nil {
			walk(at+"/items", ref.Value.Items, false)
		}
		for _, part := range ref.Value.AllOf {
			walk(at+"/allOf", part, false)
		}
	}
	spec := contract(t)
	for name, ref := range spec.Components.Schemas {
		walk(name, ref, true)
	}
	for name, header := range spec.Components.Headers {
		walk("header "+name, header.Value.Schema, false)
	}
	everyOperation(t, func(op *openapi3.Operation) {
		for _, p := range op.Parameters {
			walk(op.OperationID+" "+p.Value.Name, p.Value.Schema, false)
		}
		for at, content := range contentsOf(op) {
			walk(op.OperationID+" "+at, content.Schema, false)
		}
	})
}

func everyOperation(t *testing.T, visit func(op *openapi3.Operation)) {
	t.Helper()
	for _, item := range contract(t).Paths.Map() {
		for _, op := range item.Operations() {
			visit(op)
		}
	}
}

// contentsOf returns the bodies an operation takes and answers.
func contentsOf(op *openapi3.Operation) map[string]*openapi3.MediaType {
	all := map[string]*openapi3.MediaType{}
	if op.RequestBody != nil {
		for media, content := range op.RequestBody.Value.Content {
			all["takes "+media] = content
		}
	}
	for status, response := range op.Responses.Map() {
		for media, content := range response.Value.Content {
			all["answers "+status+" "+media] = content
		}
	}
	return all
}

func TestSchemasSuitGenerators(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "3.0.3", contract(t).OpenAPI)
	everySchema(t, func(at string, ref *openapi3.SchemaRef, isComponent bool) {
		s := ref.Value
		assert.Empty(t, s.OneOf, at)
		assert.Empty(t, s.AnyOf, at)
		assert.Nil(t, s.Not, at)
		assert.Nil(t, s.Discriminator, at)
		assert.False(t, s.Nullable, "%s: absent means that it doesn't apply", at)
		if ref.Ref != "" {
			return
		}
		assert.True(t, isComponent || !s.Type.Is(openapi3.TypeObject), "%s: an object has a name", at)
		assert.True(t, isComponent || len(s.Enum) == 0, "%s: an enum has a name", at)
		assert.False(t, isComponent && s.Type.Is(openapi3.TypeArray), "%s: a list is a field of an object", at)
		assert.NotEmpty(t, s.Description+strings.TrimPrefix(at, strings.SplitN(at, " ", 2)[0]), "%s: it says what it is", at)
		checkType(t, at, s)
		if len(s.Enum) > 0 {
			assert.Contains(t, closedSets, at, "a set that will grow is a string with x-extensible-enum")
		}
		for name := range s.Properties {
			assert.Regexp(t, snakeCase, name, at)
		}
		if isComponent {
			assert.Regexp(t, pascalCase, at)
		}
	})
}

func checkType(t *testing.T, at string, s *openapi3.Schema) {
	t.Helper()
	switch {
	case s.Type.Is(openapi3.TypeInteger):
		assert.Contains(t, []string{"int32", "int64"}, s.Format, at)
		assert.True(t, s.Min != nil && s.Max != nil, "%s: a number has bounds", at)
	case s.Type.Is(openapi3.TypeString):
		assert.True(t, s.MaxLength != nil || len(s.Enum) > 0, "%s: a text has a length", at)
	case s.Type.Is(openapi3.TypeArray):
		assert.NotEmpty(t, s.Items.Ref, "%s: what a list holds has a name", at)
		assert.NotNil(t, s.MaxItems, "%s: a list has a length", at)
	}
}

func TestOnlyRequestsRefuseUnknownFields(t *testing.T) {
	t.Parallel()
	inRequests := map[*openapi3.Schema]bool{}
	var mark func(ref *openapi3.SchemaRef)
	mark = func(ref *openapi3.SchemaRef) {
		inRequests[ref.Value] = true
		for _, property := range ref.Value.Properties {
			mark(property)
		}
		if ref.Value.Items != nil {
			mark(ref.Value.Items)
		}
	}
	everyOperation(t, func(op *openapi3.Operation) {
		if op.RequestBody != nil {
			for _, content := range op.RequestBody.Value.Content {
				mark(content.Schema)
			}
		}
	})
	for name, ref := range contract(t).Components.Schemas {
		if !ref.Value.Type.Is(openapi3.TypeObject) {
			continue
		}
		closed := ref.Value.AdditionalProperties.Has != nil && !*ref.Value.AdditionalProperties.Has
		assert.Equal(t, inRequests[ref.Value], closed, "%s: requests are closed, answers are open", name)
	}
}

func TestOperationsSuitGenerators(t *testing.T) {
	t.Parallel()
	var tags, ids []string
	for _, tag := range contract(t).Tags {
		tags = append(tags, tag.Name)
	}
	everyOperation(t, func(op *openapi3.Operation) {
		id := op.OperationID
		assert.NotContains(t, ids, id)
		ids = append(ids, id)
		assert.Regexp(t, lowerCamel, id, "a verb and a noun")
		assert.NotEmpty(t, op.Summary, id)
		assert.NotEmpty(t, op.Description, id)
		require.Len(t, op.Tags, 1, id)
		assert.Contains(t, tags, op.Tags[0], id)
		assert.NotNil(t, op.Security, id)
		for _, p := range op.Parameters {
			assert.NotEmpty(t, p.Value.Description, id)
			assert.True(t, p.Value.In == "header" || snakeCase.MatchString(p.Value.Name), "%s: %s", id, p.Value.Name)
		}
		checkResponses(t, op)
	})
}

func checkResponses(t *testing.T, op *openapi3.Operation) {
	t.Helper()
	var good []string
	for status, response := range op.Responses.Map() {
		at := fmt.Sprintf("%s %s", op.OperationID, status)
		assert.NotNil(t, response.Value.Headers["X-Request-Id"], at)
		if strings.HasPrefix(status, "2") {
			good = append(good, status)
		}
		if strings.HasPrefix(status, "2") || strings.HasPrefix(status, "3") {
			continue
		}
		content := response.Value.Content.Get("application/problem+json")
		if assert.NotNil(t, content, at) {
			assert.Equal(t, "#/components/schemas/Problem", content.Schema.Ref, at)
		}
	}
	assert.Len(t, good, 1, "%s has one good answer", op.OperationID)
	want := []string{"400", "500", "503", "default"}
	if len(*op.Security) > 0 {
		want = append(want, "401", "429")
	}
	if op.RequestBody != nil {
		want = append(want, "413", "415")
	}
	for _, p := range op.Parameters {
		if p.Value.In == openapi3.ParameterInPath {
			want = append(want, "404")
		}
	}
	for _, status := range slices.Compact(want) {
		assert.NotNil(t, op.Responses.Value(status), "%s declares %s", op.OperationID, status)
	}
}

func TestEveryBodyHasAnExample(t *testing.T) {
	t.Parallel()
	everyOperation(t, func(op *openapi3.Operation) {
		for at, content := range contentsOf(op) {
			assert.NotEmpty(t, content.Examples, "%s %s", op.OperationID, at)
		}
		for _, p := range op.Parameters {
			assert.NotNil(t, p.Value.Example, "%s %s", op.OperationID, p.Value.Name)
		}
	})
}
