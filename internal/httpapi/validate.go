package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// validate checks a request against the contract and leaves its body decoded for the strict server. The faults are
// invalid_request (with everything that is wrong), malformed_json, body_too_large and unsupported_media_type.
func (s *server) validate(c echo.Context, o operation) error {
	r := c.Request()
	query, wrong, err := queryParams(c, o)
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
	said, err := leaveBody(r, o, body)
	if err != nil {
		return err
	}
	wrong = append(wrong, said...)
	if said, err = paramsHeldToContract(c, o, query); err != nil {
		return err
	}
	if wrong = append(wrong, said...); len(wrong) > 0 {
		return invalid(wrong)
	}
	return nil
}

// leaveBody decodes a body, once, and leaves it for the strict server without the nulls that stand for nothing. It
// returns what doesn't fit the contract, and what decoders pass in silence.
func leaveBody(r *http.Request, o operation, body []byte) ([]wrongPart, error) {
	switch {
	case len(body) > 0:
	case o.takes == bodyRequired:
		return []wrongPart{{"", "a body is needed"}}, nil
	default:
		return nil, nil
	}
	document, wrong, err := walkJSON(body)
	switch {
	case err != nil || len(wrong) >= wrongPartsShown:
		return wrong, err
	case document == nil && o.takes == bodyOptional: // null is no body
		return nil, nil
	}
	dropNulls(document, o.body)
	wrong = append(wrong, dropUnknown("", document, o.body)...)
	if err = o.body.VisitJSON(document, openapi3.VisitAsRequest(), openapi3.MultiErrors(), openapi3.WithStringFormatValidators(formats)); err != nil {
		wrong = append(wrong, schemaParts(err)...)
	}
	r.Body, r.ContentLength = decodedBody{Reader: bytes.NewReader(body), document: document}, int64(len(body))
	return wrong, nil
}

// decodedBody is a body that has been decoded already: the strict server takes the value, not the bytes.
type decodedBody struct {
	*bytes.Reader

	document any
}

// Close does nothing.
func (decodedBody) Close() error { return nil }

// ValidatedValue is where the strict server looks for the value.
func (b decodedBody) ValidatedValue() any { return b.document }

// formats are the formats of texts that are held to more than the validator does.
var formats = map[string]openapi3.StringFormatValidator{
	"uuid":      openapi3.NewCallbackValidator(checkUUID),
	"date-time": openapi3.NewCallbackValidator(checkMoment),
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
func queryParams(c echo.Context, o operation) (url.Values, []wrongPart, error) {
	raw := c.Request().URL.RawQuery
	if len(firstParams(raw)) < len(raw) {
		return nil, nil, invalid([]wrongPart{{"/query", fmt.Sprintf("a query has at most %d parameters", paramsLookedAt)}})
	}
	if len(raw) > longQuery || strings.ContainsAny(raw, "%;") { // else there is nothing that can be wrong with it
		if _, err := url.ParseQuery(raw); err != nil {
			return nil, nil, invalid([]wrongPart{{"/query", "the query is not properly escaped"}})
		}
	}
	query := c.QueryParams()
	var wrong []wrongPart
	for name, values := range query {
		if detail := wrongInQuery(o, name, values); detail != "" {
			wrong = append(wrong, wrongPart{"/query/" + pointerToken(name), detail})
		}
	}
	return query, wrong, nil
}

// wrongInQuery says what is wrong with what was sent as a parameter; nothing when it may fit.
func wrongInQuery(o operation, name string, values []string) string {
	switch {
	case !slices.Contains(o.params, name):
		return "there is no such parameter"
	case len(values) > 1:
		return "this parameter is sent twice"
	case !utf8.ValidString(values[0]) || strings.ContainsRune(values[0], 0):
		return "this is not text in UTF-8"
	case !writtenAs(o.schemaOf(name), values[0]):
		return wanted(o.schemaOf(name))
	default:
		return ""
	}
}

// paramsLookedAt is how many parameters of a query are looked at; no operation has half as many.
const paramsLookedAt = 32

// firstParams returns as much of a query as is looked at.
func firstParams(query string) string {
	end := 0
	for range paramsLookedAt {
		next := strings.IndexByte(query[end:], '&')
		if next < 0 {
			return query
		}
		end += next + 1
	}
	return query[:end-1]
}

// longQuery is how long a query may be that is taken to have no more parameters than can be parsed.
const longQuery = 1024

// isInteger reports whether a text is an integer as JSON writes it.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || digits[0] == '0' && digits != "0" {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

// writtenAs reports whether a value of the query is written as JSON writes it; the validator takes 1 for true, and +1
// for 1.
func writtenAs(schema *openapi3.Schema, value string) bool {
	switch {
	case schema.Type.Is(openapi3.TypeBoolean):
		return value == "true" || value == "false"
	case schema.Type.Is(openapi3.TypeInteger):
		return isInteger(value)
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
