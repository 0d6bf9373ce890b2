package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// routes finds the operation that a request asks for.
type routes struct {
	mux        *http.ServeMux
	operations map[string]*openapi3.Operation // by the pattern of mux
}

func newRoutes(contract *openapi3.T) *routes {
	r := &routes{mux: http.NewServeMux(), operations: map[string]*openapi3.Operation{}}
	for path, item := range contract.Paths.Map() {
		for method, operation := range item.Operations() {
			pattern := method + " " + path
			r.operations[pattern] = operation
			r.mux.Handle(pattern, http.NotFoundHandler())
		}
	}
	return r
}

// operation is an empty one if the request asks for none of the contract.
func (r *routes) operation(request *http.Request) *openapi3.Operation {
	_, pattern := r.mux.Handler(request)
	if operation, ok := r.operations[pattern]; ok {
		return operation
	}
	return &openapi3.Operation{OperationID: request.Method + " " + request.URL.Path}
}

// gateway stands between a client and the service, and counts the answers by operation and status.
type gateway struct {
	server  *httptest.Server
	routes  *routes
	strange bool

	mu   sync.Mutex
	seen map[string]int
}

func newGateway(service *url.URL, routes *routes, strange bool) *gateway {
	g := &gateway{routes: routes, strange: strange, seen: map[string]int{}}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(service)
			r.Out.Header.Del("Accept-Encoding") // the transport asks for what it can read
		},
		ModifyResponse: g.answer,
	}
	g.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strange && routes.operation(r).OperationID == "getService" {
			g.count("getService", http.StatusBadGateway)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html><body><h1>502 Bad Gateway</h1></body></html>\n")
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	return g
}

func (g *gateway) count(operation string, status int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen[operation+" "+strconv.Itoa(status)]++
}

func (g *gateway) answer(r *http.Response) error {
	operation := g.routes.operation(r.Request)
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

func (g *gateway) missing(name string, skipped map[string]bool) []string {
	var missing []string
	for answer, times := range expected[name] {
		if g.seen[answer] < times && !skipped[answer] {
			missing = append(missing, fmt.Sprintf("%s (%s, %d of %d)", answer, name, g.seen[answer], times))
		}
	}
	return missing
}

func (g *gateway) requests() int {
	sum := 0
	for _, times := range g.seen {
		sum += times
	}
	return sum
}
