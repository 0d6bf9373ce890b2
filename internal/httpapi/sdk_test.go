package httpapi_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closedSets are the only real enums of answers: sets that will never grow. A client that was generated before a new
// value can't read an answer with it.
var closedSets = []string{"Side", "GameOutcome", "HeldOutcome", "PlayedResult"}

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
	inRequests, inAnswers := schemasOf(t)
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
		checkType(t, at, s, inRequests[s] || strings.Contains(at, " "))
		checkSet(t, at, s, inRequests[s], inAnswers[s])
		for name := range s.Properties {
			assert.Regexp(t, snakeCase, name, at)
		}
		if isComponent {
			assert.Regexp(t, pascalCase, at)
		}
	})
}

// checkSet checks a set of values: closed where a request chooses, open where an answer may hold more one day.
func checkSet(t *testing.T, at string, s *openapi3.Schema, inRequests, inAnswers bool) {
	t.Helper()
	if len(s.Enum) > 0 && inAnswers {
		assert.Contains(t, closedSets, at, "in answers a set that will grow is a string with x-extensible-enum")
	}
	open, isOpen := s.Extensions["x-extensible-enum"].([]any)
	assert.False(t, isOpen && inRequests, "%s: what a request may say is a set of its own, with an enum", at)
	for _, value := range open {
		assert.Contains(t, s.Description, fmt.Sprintf("`%s`", value), "%s lists its values of today", at)
	}
}

// schemasOf returns the schemas that bodies of requests are made of, and those of answers.
func schemasOf(t *testing.T) (inRequests, inAnswers map[*openapi3.Schema]bool) {
	t.Helper()
	var mark func(set map[*openapi3.Schema]bool, ref *openapi3.SchemaRef)
	mark = func(set map[*openapi3.Schema]bool, ref *openapi3.SchemaRef) {
		if set[ref.Value] {
			return
		}
		set[ref.Value] = true
		for _, property := range ref.Value.Properties {
			mark(set, property)
		}
		if ref.Value.Items != nil {
			mark(set, ref.Value.Items)
		}
	}
	inRequests, inAnswers = map[*openapi3.Schema]bool{}, map[*openapi3.Schema]bool{}
	everyOperation(t, func(op *openapi3.Operation) {
		for at, content := range contentsOf(op) {
			if strings.HasPrefix(at, "takes ") {
				mark(inRequests, content.Schema)
			} else {
				mark(inAnswers, content.Schema)
			}
		}
	})
	return inRequests, inAnswers
}

// checkType checks the type of a schema. What a request may hold has bounds; answers have those that are promises.
func checkType(t *testing.T, at string, s *openapi3.Schema, requested bool) {
	t.Helper()
	switch {
	case s.Type.Is(openapi3.TypeInteger):
		assert.Contains(t, []string{"int32", "int64"}, s.Format, at)
		assert.True(t, !requested || s.Min != nil && s.Max != nil || strings.HasPrefix(at, "header "), "%s: a number has bounds", at)
	case s.Type.Is(openapi3.TypeString):
		assert.True(t, !requested || s.MaxLength != nil || len(s.Enum) > 0 || s.Format == "binary", "%s: a text has a length", at)
	case s.Type.Is(openapi3.TypeArray):
		assert.NotEmpty(t, s.Items.Ref, "%s: what a list holds has a name", at)
		assert.True(t, !requested || s.MaxItems != nil, "%s: a list has a length", at)
	}
}

func TestNoFieldOfARequestHasADefault(t *testing.T) {
	t.Parallel()
	everySchema(t, func(at string, ref *openapi3.SchemaRef, _ bool) {
		assert.Nil(t, ref.Value.Default, "%s: some generators make a field with a default a required one", at)
	})
}

func TestOnlyRequestsRefuseUnknownFields(t *testing.T) {
	t.Parallel()
	inRequests, inAnswers := schemasOf(t)
	for name, ref := range contract(t).Components.Schemas {
		if !ref.Value.Type.Is(openapi3.TypeObject) {
			continue
		}
		closed := ref.Value.AdditionalProperties.Has != nil && !*ref.Value.AdditionalProperties.Has
		assert.Equal(t, inRequests[ref.Value], closed, "%s: requests are closed, answers are open", name)
		assert.NotEqual(t, inRequests[ref.Value], inAnswers[ref.Value], "%s: is it for requests or for answers?", name)
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

// declaredHeaders are those that a client acts on. Others are described once, at the beginning of the contract: a generated
// client that parses a header fails where a gateway writes it otherwise.
var declaredHeaders = []string{"ETag", "Location", "Retry-After", "WWW-Authenticate"}

func checkResponses(t *testing.T, op *openapi3.Operation) {
	t.Helper()
	var good []string
	for status, response := range op.Responses.Map() {
		at := fmt.Sprintf("%s %s", op.OperationID, status)
		for name := range response.Value.Headers {
			assert.Contains(t, declaredHeaders, name, at)
		}
		switch status[:1] {
		case "2":
			good = append(good, status)
			for media, content := range response.Value.Content {
				if media != "application/json" {
					assert.Equal(t, "binary", content.Schema.Value.Format, "%s: what isn't JSON is bytes", at)
				}
			}
		case "3":
			assert.Equal(t, "304", status, at)
		default:
			assert.Contains(t, []string{"4XX", "5XX"}, status, "%s: failures have one shape", at)
			content := response.Value.Content.Get("application/problem+json")
			if assert.NotNil(t, content, at) {
				assert.Equal(t, "#/components/schemas/Problem", content.Schema.Ref, at)
			}
		}
	}
	assert.Len(t, good, 1, "%s has one good answer", op.OperationID)
	assert.NotNil(t, op.Responses.Value("4XX"), op.OperationID)
	assert.NotNil(t, op.Responses.Value("5XX"), op.OperationID)
	assert.NotEmpty(t, problemCodes(op), op.OperationID)
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

// A generator that many use refuses a contract in which the body of a link is an object.
func TestNoLinkHasABody(t *testing.T) {
	t.Parallel()
	links := contract(t).Components.Links
	assert.NotEmpty(t, links)
	for name, link := range links {
		assert.Nil(t, link.Value.RequestBody, name)
	}
}
