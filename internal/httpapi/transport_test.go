package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/text"
)

// contractOf reads the contract once; it is never changed.
var contractOf = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData([]byte(api.Contract))
})

func contract(t *testing.T) *openapi3.T {
	t.Helper()
	spec, err := contractOf()
	require.NoError(t, err)
	return spec
}

// checkedTransport fails a test on every answer that the contract doesn't declare: status, header, content type, body.
type checkedTransport struct {
	t    *testing.T
	next http.RoundTripper
	spec *openapi3.T
	// another are values of another release, which may be shown though the contract of this one doesn't list them.
	another []string
}

func newCheckedTransport(t *testing.T, next http.RoundTripper) *checkedTransport {
	t.Helper()
	return &checkedTransport{t: t, next: next, spec: contract(t), another: nil}
}

// unlisted ends what is said about a value that the contract doesn't list.
const unlisted = ", which is not in the list"

// RoundTrip sends a request and checks its answer.
func (c *checkedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if err = response.Body.Close(); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	for _, complaint := range c.complaints(r, response, body) {
		if slices.ContainsFunc(c.another, func(value string) bool { return strings.HasSuffix(complaint, " is "+value+unlisted) }) {
			continue
		}
		c.t.Errorf("%s %s: %d: %s\n%s", r.Method, r.URL.Path, response.StatusCode, complaint, body)
	}
	return response, nil
}

// complaints says what is wrong with an answer.
func (c *checkedTransport) complaints(r *http.Request, response *http.Response, body []byte) []string {
	if r.Method == http.MethodOptions { // no operation: browsers ask, and get no body
		return nil
	}
	op, path := c.operation(r)
	if r.URL.Path == "/docs" { // a page is no operation, but has a route
		path = r.URL.Path
	}
	declared := c.spec.Components.Responses["ClientProblem"].Value
	switch {
	case op != nil:
		ref := op.Responses.Status(response.StatusCode)
		if ref == nil {
			return []string{"this status is not declared"}
		}
		declared = ref.Value
	case response.StatusCode >= 400:
	case r.URL.Path == "/docs": // see pages_test.go
		return nil
	default:
		return []string{"this is no operation of the contract"}
	}
	all := checkHeaders(response, declared)
	all = append(all, checkBody(r, response, declared, body)...)
	if response.StatusCode >= 400 && r.Method != http.MethodHead {
		all = append(all, checkProblem(response, body, op, path)...)
	}
	return all
}

// operation finds the operation of a request and its path in the contract. HEAD is answered as GET.
func (c *checkedTransport) operation(r *http.Request) (*openapi3.Operation, string) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for path, item := range c.spec.Paths.Map() {
		if matches(path, r.URL.EscapedPath()) {
			return item.GetOperation(method), path
		}
	}
	return nil, ""
}

func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		isParam := strings.HasPrefix(want[i], "{")
		if isParam && got[i] == "" || !isParam && want[i] != got[i] {
			return false
		}
	}
	return true
}

// transportHeaders are those of HTTP itself and those that stand on every answer for the sake of browsers.
var transportHeaders = []string{
	"Date", "Content-Length", "Content-Type", "Connection", "Allow",
	"X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Content-Security-Policy",
	"Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
}

// commonHeaders are those that any answer may have; the contract describes them once, at its beginning.
var commonHeaders = map[string]*regexp.Regexp{
	"X-Request-Id":        regexp.MustCompile(`^[0-9A-Za-z._:-]{1,128}$`),
	"Ratelimit-Limit":     regexp.MustCompile(`^[0-9]+$`),
	"Ratelimit-Remaining": regexp.MustCompile(`^[0-9]+$`),
	"Ratelimit-Reset":     regexp.MustCompile(`^[0-9]+$`),
	"Cache-Control":       regexp.MustCompile(`^(private, no-cache|no-store)$`),
	"Vary":                regexp.MustCompile(`^(Authorization, (Accept-Language, )?)?Accept-Encoding$`),
	"Content-Language":    regexp.MustCompile(`^[a-z]{2,3}$`),
}

func checkHeaders(response *http.Response, declared *openapi3.Response) []string {
	var all []string
	for name, values := range response.Header {
		if slices.Contains(transportHeaders, name) {
			continue
		}
		header, found := headerOf(declared, name)
		common, isCommon := commonHeaders[name]
		switch {
		case isCommon && len(values) == 1 && common.MatchString(values[0]):
		case !found:
			all = append(all, "header "+name+" is not declared")
		case len(values) != 1:
			all = append(all, "header "+name+" is there twice")
		default:
			if err := header.Schema.Value.VisitJSON(headerValue(header, values[0])); err != nil {
				all = append(all, "header "+name+": "+err.Error())
			}
		}
	}
	if response.Header.Get("X-Request-Id") == "" || response.Header.Get("Cache-Control") == "" {
		all = append(all, "X-Request-Id or Cache-Control is missing")
	}
	for name, header := range declared.Headers {
		if header.Value.Required && response.Header.Get(name) == "" {
			all = append(all, "header "+name+" is missing")
		}
	}
	return all
}

func headerOf(declared *openapi3.Response, name string) (*openapi3.Header, bool) {
	for declaredName, ref := range declared.Headers {
		if http.CanonicalHeaderKey(declaredName) == name {
			return ref.Value, true
		}
	}
	return nil, false
}

func headerValue(header *openapi3.Header, text string) any {
	if header.Schema.Value.Type.Is(openapi3.TypeInteger) {
		if n, err := strconv.Atoi(text); err == nil {
			return float64(n)
		}
	}
	return text
}

func checkBody(r *http.Request, response *http.Response, declared *openapi3.Response, body []byte) []string {
	sent := response.Header.Get("Content-Type")
	if len(declared.Content) == 0 {
		if len(body) > 0 || sent != "" {
			return []string{"there is a body, and none is declared"}
		}
		return nil
	}
	media, _, _ := strings.Cut(sent, ";")
	content := declared.Content.Get(media)
	switch {
	case content == nil:
		return []string{fmt.Sprintf("content type %q is not declared", sent)}
	case r.Method == http.MethodHead:
		return nil
	case !strings.HasSuffix(media, "json"):
		return explain("body", content.Schema.Value.VisitJSON(string(body)))
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return []string{"the body is not JSON"}
	}
	return append(explain("body", content.Schema.Value.VisitJSON(value, strictly()...)), undeclared("", content.Schema.Value, value)...)
}

// strictly checks formats too.
func strictly() []openapi3.SchemaValidationOption {
	return []openapi3.SchemaValidationOption{
		openapi3.VisitAsResponse(), openapi3.MultiErrors(),
		openapi3.WithStringFormatValidator("uuid", openapi3.NewCallbackValidator(func(text string) error {
			id, err := uuid.Parse(text)
			if err == nil && id.String() != text {
				return fmt.Errorf("%s is not in canonical form", text)
			}
			return err
		})),
		openapi3.WithStringFormatValidator("date-time", openapi3.NewCallbackValidator(func(text string) error {
			_, err := time.Parse("2006-01-02T15:04:05Z", text)
			return err
		})),
	}
}

func explain(what string, err error) []string {
	if err == nil {
		return nil
	}
	return []string{what + ": " + err.Error()}
}

// undeclared lists fields that a schema doesn't have, and values that are not in an open list. Clients have to bear
// with both, but the service must not send them.
func undeclared(at string, schema *openapi3.Schema, value any) []string {
	var all []string
	switch value := value.(type) {
	case map[string]any:
		if anything := schema.AdditionalProperties.Has; anything != nil && *anything {
			return nil
		}
		for name, field := range value {
			property, found := schema.Properties[name]
			if !found {
				all = append(all, "field "+at+"/"+name+" is not declared")
				continue
			}
			all = append(all, undeclared(at+"/"+name, property.Value, field)...)
		}
	case []any:
		for i, item := range value {
			all = append(all, undeclared(at+"/"+strconv.Itoa(i), schema.Items.Value, item)...)
		}
	case string:
		if known, isOpen := schema.Extensions["x-extensible-enum"].([]any); isOpen && !slices.Contains(known, any(value)) {
			all = append(all, at+" is "+value+unlisted)
		}
	}
	return all
}

// checkProblem checks what a schema can't: that the parts of a problem agree with the answer around it.
func checkProblem(response *http.Response, body []byte, op *openapi3.Operation, path string) []string {
	var p api.Problem
	if err := json.Unmarshal(body, &p); err != nil {
		return []string{"the body is no problem"}
	}
	all := checkCode(op, p)
	want := func(ok bool, complaint string) {
		if !ok {
			all = append(all, complaint)
		}
	}
	want(int(p.Status) == response.StatusCode, "status is not that of the answer")
	want(p.RequestID == response.Header.Get("X-Request-Id"), "request_id is not that of the header")
	want(p.Type == "/docs#"+p.Code, "type does not lead to the code")
	want(p.Instance == path || op == nil && p.Instance == "", "instance is not the pattern of the route")
	want(slices.Contains(text.Languages(), text.Language(response.Header.Get("Content-Language"))), "the language is not said")
	want(response.Header.Get("Vary") == "Authorization, Accept-Language, Accept-Encoding", "it is not said what the language depends on")
	want(response.Header.Get("Cache-Control") == "no-store", "a problem may be kept")
	retry := response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable
	want((p.RetryAfterMs != nil) == retry, "retry_after_ms is with 429 and 503 and nowhere else")
	want((response.Header.Get("Retry-After") != "") == retry, "Retry-After is with 429 and 503 and nowhere else")
	want((response.Header.Get("WWW-Authenticate") != "") == (response.StatusCode == http.StatusUnauthorized), "WWW-Authenticate is with 401 and nowhere else")
	return all
}
