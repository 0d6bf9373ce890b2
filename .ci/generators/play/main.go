// Command play lets a program that uses a generated client play against the service, and judges by what came over the wire.
//
//	play [-skip invalid,unchanged] BINARY CONTRACT PROGRAM [ARGUMENT...]
//
// It starts the service with a database and a port of its own, and two gateways before it. PLAIN_URL passes everything on.
// STRANGE_URL does what gateways and later versions do: it adds a header of a form that nobody declared and fields that nobody
// knows, puts an unknown value in place of every one of a set that may grow, and answers getService with a gateway's HTML and
// 502. The program is told both in its environment, and has to end well and to have asked what expected says.
//
// It prints one line: what was asked, and whether anything came unchanged (304).
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// expected is how often each answer has to come, at least, through each of the gateways.
var expected = map[string]map[string]int{
	"plain": {
		"openProfile 201":      2,
		"openTable 201":        1,
		"getInvite 200":        1,
		"takeSeat 200":         1,
		"playMove 200":         12, // eleven, and one of them again
		"playMove 409":         1,
		"playMove 422":         1,
		"playMove 400":         1,
		"getGame 200":          1,
		"getGame 304":          1,
		"getPicture 200":       1,
		"listProfileGames 200": 1,
		"listProblems 200":     1,
		"getMe 401":            1,
		"leaveSeat 204":        1,
	},
	"strange": {
		"openProfile 201":      2,
		"openTable 201":        1,
		"takeSeat 200":         1,
		"playMove 200":         1,
		"playMove 409":         1,
		"getGame 200":          1,
		"resignGame 200":       1,
		"getAnalysis 200":      1,
		"listProfileGames 200": 1,
		"listProblems 200":     1,
		"getMe 401":            1,
		"leaveSeat 204":        1,
		"getTable 200":         1,
		"getService 502":       1,
	},
}

// skippable names what a client may be unable to ask, by the word for -skip.
var skippable = map[string]string{
	"invalid":   "playMove 400", // it checks before it sends
	"unchanged": "getGame 304",
}

const (
	readyWithin  = 20 * time.Second
	playedWithin = 3 * time.Minute
	stopsWithin  = 10 * time.Second

	unknownField = "added_later"
	unknownValue = "of_tomorrow"
)

func main() {
	skip := flag.String("skip", "", "what the client can't ask, with commas between: invalid, unchanged")
	flag.Parse()
	if err := run(*skip, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
		os.Exit(1)
	}
}

func run(skip string, args []string) error {
	if len(args) < 3 {
		return errors.New("it takes the service's binary, the contract and a program")
	}
	skipped := map[string]bool{}
	for word := range strings.SplitSeq(skip, ",") {
		if answer, ok := skippable[word]; ok {
			skipped[answer] = true
		} else if word != "" {
			return fmt.Errorf("-skip doesn't know %q", word)
		}
	}
	contract, err := openapi3.NewLoader().LoadFromFile(args[1])
	if err != nil {
		return err
	}
	routes := newRoutes(contract)
	service, stop, err := start(args[0])
	if err != nil {
		return err
	}
	defer stop()

	plain := newGateway(service, routes, false)
	defer plain.server.Close()
	strange := newGateway(service, routes, true)
	defer strange.server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), playedWithin)
	defer cancel()
	program := exec.CommandContext(ctx, args[2], args[3:]...)
	program.Env = append(os.Environ(), "PLAIN_URL="+plain.server.URL, "STRANGE_URL="+strange.server.URL)
	program.Stdout, program.Stderr = os.Stderr, os.Stderr
	if err := program.Run(); err != nil {
		return fmt.Errorf("%w\nplain: %v\nstrange: %v", err, plain.seen, strange.seen)
	}

	missing := append(plain.missing("plain", skipped), strange.missing("strange", skipped)...)
	if len(missing) > 0 {
		return fmt.Errorf("the program ended well, but didn't ask for %s", strings.Join(missing, ", "))
	}
	fmt.Printf("%d requests", plain.requests()+strange.requests())
	if plain.seen["getGame 304"] > 0 {
		fmt.Print(", 304")
	}
	fmt.Println()
	return nil
}

// start starts the service, and says where it listens and how to end it.
func start(binary string) (*url.URL, func(), error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "play-")
	if err != nil {
		return nil, nil, err
	}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return nil, nil, err
	}
	service := exec.Command(binary)
	service.Dir = folder
	service.Env = append(os.Environ(), "LISTEN_ADDR=127.0.0.1:0", "DATABASE_URL=sqlite://"+filepath.Join(folder, "fourinarow.db"),
		"RATE_MOVES_PER_SECOND=1000", "RATE_INSIGHTS_PER_SECOND=1000") // a program plays faster than people
	service.Stdout, service.Stderr = log, log
	if err := service.Start(); err != nil {
		return nil, nil, err
	}
	stop := func() {
		_ = service.Process.Signal(syscall.SIGTERM)
		killer := time.AfterFunc(stopsWithin, func() { _ = service.Process.Kill() })
		_ = service.Wait()
		killer.Stop()
		_ = log.Close()
		_ = os.RemoveAll(folder)
	}

	listens := regexp.MustCompile(`127\.0\.0\.1:[1-9][0-9]*`)
	for end := time.Now().Add(readyWithin); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		text, err := os.ReadFile(log.Name())
		if err != nil {
			break
		}
		host := listens.FindString(string(text))
		if host == "" {
			continue
		}
		answer, err := http.Get("http://" + host + "/readyz")
		if err != nil {
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return &url.URL{Scheme: "http", Host: host}, stop, nil
		}
	}
	text, _ := os.ReadFile(log.Name())
	stop()
	return nil, nil, fmt.Errorf("the service doesn't become ready: %s", text)
}

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
