package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// validate checks a request against the contract and leaves it decoded for the strict server. The faults are
// invalid_request (with everything that is wrong), malformed_json, body_too_large and unsupported_media_type.
func (s *server) validate(c echo.Context, o operation) error {
	r := c.Request()
	path, err := pathParams(c)
	if err != nil {
		return err
	}
	query, wrong, err := queryParams(r, o)
	if err != nil {
		return err
	}
	oneForm(r, o, query)
	for _, name := range o.lists {
		joinLines(r.Header, name)
	}
	body, err := s.readBody(c, o)
	if err != nil {
		return err
	}
	if len(body) > 0 {
		said, err := leaveBody(r, o, body)
		if err != nil {
			return err
		}
		wrong = append(wrong, said...)
	}
	input := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: path, QueryParams: query, Route: o.contract, Options: validation(), ParamDecoder: nil,
	}
	wrong = append(wrong, heldToContract(r.Context(), input)...)
	if len(wrong) > 0 {
		return invalid(wrong)
	}
	return nil
}

// leaveBody leaves a body for the validator and the strict server, without the nulls that stand for nothing, and returns
// what both would pass in silence.
func leaveBody(r *http.Request, o operation, body []byte) ([]wrongPart, error) {
	wrong, err := walkJSON(body)
	if err != nil {
		return nil, err
	}
	if o.takes == bodyOptional && string(bytes.TrimSpace(body)) == "null" {
		r.Body, r.ContentLength = http.NoBody, 0
		return nil, nil
	}
	if body, err = withoutNulls(body, o.bodySchema()); err != nil {
		return nil, err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return wrong, nil
}

// heldToContract returns what doesn't fit. The defaults of parameters are filled in; those of a body are not, since the
// validator would take a null for a field that is not sent.
func heldToContract(ctx context.Context, input *openapi3filter.RequestValidationInput) (wrong []wrongPart) {
	input.Options.ExcludeRequestBody = true
	if err := openapi3filter.ValidateRequest(ctx, input); err != nil {
		wrong = wrongParts(err)
	}
	body := input.Route.Operation.RequestBody
	if body == nil {
		return wrong
	}
	input.Options = validation()
	input.Options.SkipSettingDefaults = true
	if err := openapi3filter.ValidateRequestBody(ctx, input, body.Value); err != nil {
		wrong = append(wrong, wrongParts(err)...)
	}
	return wrong
}

// validation says how strictly requests are held to the contract.
func validation() *openapi3filter.Options {
	return &openapi3filter.Options{
		MultiError:         true,
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, // done before, see authenticate
		KeepValidatedValue: true,                                  // the strict server decodes what was validated
		SchemaValidationOptions: []openapi3.SchemaValidationOption{
			openapi3.WithStringFormatValidator("uuid", openapi3.NewCallbackValidator(checkUUID)),
			openapi3.WithStringFormatValidator("date-time", openapi3.NewCallbackValidator(checkMoment)),
		},
	}
}

var errNoUUID = errors.New("no UUID")

// checkUUID accepts the canonical form of a UUID, in small letters or capitals.
func checkUUID(text string) error {
	if len(text) != len("00000000-0000-0000-0000-000000000000") {
		return errNoUUID
	}
	for i, c := range []byte(text) {
		isHyphen := i == 8 || i == 13 || i == 18 || i == 23
		isDigit := c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
		if isHyphen && c != '-' || !isHyphen && !isDigit {
			return errNoUUID
		}
	}
	return nil
}

// pathParams returns the parts of the path that the route leaves open.
func pathParams(c echo.Context) (map[string]string, error) {
	values := make(map[string]string, len(c.ParamNames()))
	for _, name := range c.ParamNames() {
		value := c.Param(name)
		if c.Request().URL.RawPath != "" {
			unescaped, err := url.PathUnescape(value)
			if err != nil {
				return nil, invalid([]wrongPart{{"/path/" + name, "the escaping is broken"}})
			}
			value = unescaped
		}
		values[name] = value
	}
	return values, nil
}

// queryParams returns the query and what is wrong with it as a whole: names the operation doesn't know, names sent
// twice, text that is not UTF-8, values that are not written as JSON writes them.
func queryParams(r *http.Request, o operation) (url.Values, []wrongPart, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, invalid([]wrongPart{{"/query", "the query is not properly escaped"}})
	}
	var wrong []wrongPart
	for name, values := range query {
		pointer := "/query/" + pointerToken(name)
		switch {
		case !slices.Contains(o.params, name):
			wrong = append(wrong, wrongPart{pointer, "there is no such parameter"})
		case len(values) > 1:
			wrong = append(wrong, wrongPart{pointer, "this parameter is sent twice"})
		case !utf8.ValidString(values[0]) || strings.ContainsRune(values[0], 0):
			wrong = append(wrong, wrongPart{pointer, "this is not text in UTF-8"})
		case !writtenAs(o.schemaOf(name), values[0]):
			wrong = append(wrong, wrongPart{pointer, wanted(o.schemaOf(name))})
		}
	}
	return query, wrong, nil
}

var jsonInteger = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// writtenAs reports whether a value of the query is written as JSON writes it; the validator takes 1 for true, and +1
// for 1.
func writtenAs(schema *openapi3.Schema, value string) bool {
	switch {
	case schema.Type.Is(openapi3.TypeBoolean):
		return value == "true" || value == "false"
	case schema.Type.Is(openapi3.TypeInteger):
		return jsonInteger.MatchString(value)
	default:
		return true
	}
}

// joinLines makes one line of a list that was sent in several (RFC 9110, section 5.3).
func joinLines(h http.Header, name string) {
	if lines := h.Values(name); len(lines) > 1 {
		h.Set(name, strings.Join(lines, ", "))
	}
}

// invalid returns the fault invalid_request about parts of a request.
func invalid(wrong []wrongPart) error {
	wrong = onePerPointer(wrong)
	return &invalidError{
		fault: fault.New(fault.InvalidRequest, "%s", countWrong(len(wrong))),
		wrong: wrong[:min(len(wrong), wrongPartsShown)],
	}
}
