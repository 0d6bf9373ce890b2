// Package harness is what the programs that prove clients share: a process of the service, and gateways before it.
package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	unknownField = "added_later"
	unknownValue = "of_tomorrow"
)

// Routes finds the operation that a request asks for.
type Routes struct {
	mux        *http.ServeMux
	operations map[string]*openapi3.Operation // by the pattern of mux
}

// NewRoutes reads them from a contract.
func NewRoutes(contract *openapi3.T) *Routes {
	r := &Routes{mux: http.NewServeMux(), operations: map[string]*openapi3.Operation{}}
	for path, item := range contract.Paths.Map() {
		for method, operation := range item.Operations() {
			pattern := method + " " + path
			r.operations[pattern] = operation
			r.mux.Handle(pattern, http.NotFoundHandler())
		}
	}
	return r
}

// Operations is how many there are.
func (r *Routes) Operations() int { return len(r.operations) }

// Operation is an empty one if the request asks for none of the contract.
func (r *Routes) Operation(request *http.Request) *openapi3.Operation {
	_, pattern := r.mux.Handler(request)
	if operation, ok := r.operations[pattern]; ok {
		return operation
	}
	return &openapi3.Operation{OperationID: request.Method + " " + request.URL.Path}
}

// Gateway stands between a client and the service, and counts the answers by operation and status. A strange one does what
// gateways and later versions do: it adds a header of a form that nobody declared and fields that nobody knows, puts an unknown
// value in place of every one of a set that may grow, and answers getService with a gateway's HTML and 502.
type Gateway struct {
	routes  *Routes
	strange bool
	proxy   *httputil.ReverseProxy

	mu   sync.Mutex
	seen map[string]int
}

// NewGateway passes on to the service.
func NewGateway(service *url.URL, routes *Routes, strange bool) *Gateway {
	g := &Gateway{routes: routes, strange: strange, seen: map[string]int{}}
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(service)
			r.Out.Header.Del("Accept-Encoding") // the transport asks for what it can read
		},
		ModifyResponse: g.answer,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) {
			g.badGateway(w, g.routes.Operation(r).OperationID) // the service is away, or the client
		},
	}
	return g
}

func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.strange && g.routes.Operation(r).OperationID == "getService" {
		g.badGateway(w, "getService")
		return
	}
	g.proxy.ServeHTTP(w, r)
}

func (g *Gateway) badGateway(w http.ResponseWriter, operation string) {
	g.count(operation, http.StatusBadGateway)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = io.WriteString(w, "<html><body><h1>502 Bad Gateway</h1></body></html>\n")
}

func (g *Gateway) count(operation string, status int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen[operation+" "+strconv.Itoa(status)]++
}

func (g *Gateway) answer(r *http.Response) error {
	operation := g.routes.Operation(r.Request)
	g.count(operation.OperationID, r.StatusCode)
	if !g.strange {
		return nil
	}
	r.Header["RateLimit-Limit"] = []string{"100, 100;w=60"}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if err := r.Body.Close(); err != nil {
		return err
	}
	if schema := answerSchema(operation, r); schema != nil {
		var value any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		if body, err = json.Marshal(estrange(value, schema)); err != nil {
			return err
		}
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		r.ContentLength = int64(len(body))
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// answerSchema is what the contract says about the JSON of an answer, nil if it isn't JSON.
func answerSchema(operation *openapi3.Operation, r *http.Response) *openapi3.Schema {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if !strings.HasSuffix(kind, "json") || operation.Responses == nil {
		return nil
	}
	for _, status := range []string{strconv.Itoa(r.StatusCode), strconv.Itoa(r.StatusCode/100) + "XX", "default"} {
		if response := operation.Responses.Value(status); response != nil {
			if content := response.Value.Content[kind]; content != nil {
				return content.Schema.Value
			}
		}
	}
	return nil
}

// estrange adds to every object a field that nobody knows, and puts an unknown value where the set of values may grow.
func estrange(value any, schema *openapi3.Schema) any {
	if _, open := schema.Extensions["x-extensible-enum"]; open {
		if _, text := value.(string); text {
			return unknownValue
		}
	}
	for _, part := range schema.AllOf {
		value = estrange(value, part.Value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, property := range schema.Properties {
			if inner, ok := value[name]; ok {
				value[name] = estrange(inner, property.Value)
			}
		}
		if len(schema.Properties) > 0 {
			value[unknownField] = map[string]any{"of": []any{1, "two", nil}}
		}
	case []any:
		if schema.Items != nil {
			for i := range value {
				value[i] = estrange(value[i], schema.Items.Value)
			}
		}
	}
	return value
}

// Missing is what of the answers, each an operation and a status, came less often than it says.
func (g *Gateway) Missing(expected map[string]int) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var missing []string
	for _, answer := range slices.Sorted(maps.Keys(expected)) {
		if g.seen[answer] < expected[answer] {
			missing = append(missing, fmt.Sprintf("%s (%d of %d)", answer, g.seen[answer], expected[answer]))
		}
	}
	return missing
}

// Seen is how often each answer came.
func (g *Gateway) Seen() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.seen)
}

// Requests is how many were answered.
func (g *Gateway) Requests() int {
	sum := 0
	for _, times := range g.Seen() {
		sum += times
	}
	return sum
}
