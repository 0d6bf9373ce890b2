package httpapi_test

import (
	"bytes"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// onWire is an answer as it came, byte for byte.
type onWire struct {
	status  string // the status line
	headers [][2]string
	body    string
}

// names returns the names of the headers.
func (a onWire) names() []string {
	var names []string
	for _, h := range a.headers {
		names = append(names, h[0])
	}
	return names
}

// value returns the value of a header whose name is written exactly so.
func (a onWire) value(name string) string {
	for _, h := range a.headers {
		if h[0] == name {
			return h[1]
		}
	}
	return ""
}

// raw sends bytes over a connection of its own and returns all that comes back. The request has to close it.
func (w *world) raw(t *testing.T, request string) onWire {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(t, err)
	defer connection.Close()
	require.NoError(t, connection.SetDeadline(time.Now().Add(30*time.Second))) //nolint:forbidigo // connections go by the real clock
	_, err = io.WriteString(connection, request)
	require.NoError(t, err)
	read, err := io.ReadAll(connection)
	require.NoError(t, err)
	head, body, complete := bytes.Cut(read, []byte("\r\n\r\n"))
	require.True(t, complete, "%q", read)
	lines := strings.Split(string(head), "\r\n")
	a := onWire{status: lines[0], headers: nil, body: string(body)}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		a.headers = append(a.headers, [2]string{name, value})
	}
	return a
}

// rawRequest writes a request that closes its connection.
func rawRequest(method, target string, headers ...header) string {
	lines := []string{method + " " + target + " HTTP/1.1", "Host: localhost", "Connection: close"}
	for _, h := range headers {
		lines = append(lines, h.name+": "+h.value)
	}
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// spelledHeaders returns the names of headers as the contract writes them.
func spelledHeaders(t *testing.T) []string {
	t.Helper()
	var all []string
	everyOperation(t, func(op *openapi3.Operation) {
		for _, response := range op.Responses.Map() {
			all = slices.AppendSeq(all, maps.Keys(response.Value.Headers))
		}
	})
	return all
}

func TestHeadersAreSpeltAsTheContractSpellsThem(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	m := w.match(t, public)
	game := gamePath(m.game)
	tag := m.red.get(t, game).header.Get("ETag")
	seen := make(map[string]struct{})
	var exposed string
	for what, a := range map[string]onWire{
		"a game":          w.raw(t, rawRequest("GET", game, bearer(m.red.token))),
		"an old game":     w.raw(t, rawRequest("GET", game, bearer(m.red.token), header{"If-None-Match", tag})),
		"a HEAD request":  w.raw(t, rawRequest("HEAD", game)),
		"no token":        w.raw(t, rawRequest("GET", "/v1/me")),
		"a new table":     w.raw(t, rawRequest("POST", "/v1/tables", bearer(m.red.token))),
		"no such path":    w.raw(t, rawRequest("GET", "/nowhere")),
		"another method":  w.raw(t, rawRequest("PUT", "/v1/me")),
		"a page":          w.raw(t, rawRequest("GET", "/docs")),
		"wrong parameter": w.raw(t, rawRequest("GET", game+"?nix=1")),
	} {
		names := a.names()
		for i, name := range names {
			seen[name] = struct{}{}
			assert.False(t, slices.ContainsFunc(names[:i], func(other string) bool { return strings.EqualFold(name, other) }), "%s: %s twice", what, name)
		}
		exposed = a.value("Access-Control-Expose-Headers")
	}
	w.stopping.Store(true)
	for _, name := range w.raw(t, rawRequest("GET", "/readyz")).names() {
		seen[name] = struct{}{}
	}
	want := append(strings.Split(exposed, ", "), spelledHeaders(t)...)
	assert.Contains(t, want, "WWW-Authenticate")
	for _, name := range want {
		assert.Contains(t, seen, name)
		for other := range seen {
			assert.False(t, other != name && strings.EqualFold(other, name), "%s is spelt %s", name, other)
		}
	}
}

func TestAQuestionAboutTheServerAsAWholeIsAnsweredAsAnyPath(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	asked := w.raw(t, rawRequest("OPTIONS", "*", header{"X-Request-Id", "whole"}))
	assert.Equal(t, "HTTP/1.1 204 No Content", asked.status)
	assert.Equal(t, "OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE", asked.value("Allow"))
	assert.Equal(t, "whole", asked.value("X-Request-Id"))
	assert.Equal(t, "*", asked.value("Access-Control-Allow-Origin"))
	assert.Equal(t, "nosniff", asked.value("X-Content-Type-Options"))
	assert.Contains(t, w.log.String(), `"request_id":"whole"`)
	preflight := w.raw(t, rawRequest("OPTIONS", "*", header{"Access-Control-Request-Method", "POST"}))
	assert.Equal(t, "HTTP/1.1 204 No Content", preflight.status)
	assert.Contains(t, preflight.value("Access-Control-Allow-Methods"), "POST")
	got := w.raw(t, rawRequest("GET", "*"))
	assert.Equal(t, "HTTP/1.1 404 Not Found", got.status, "nothing else asks about no path")
	assert.Contains(t, got.body, `"code":"not_found"`)
}
