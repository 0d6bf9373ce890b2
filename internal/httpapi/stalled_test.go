package httpapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// Clients send a request again that came to a 408, and never one that came to a 400.
func TestABodyThatStallsIsTimedOut(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		game := gamePath(m.game)
		before := m.red.get(t, game).body
		mine, sized, chunked := bearer(m.red.token), header{"Content-Length", "25"}, header{"Transfer-Encoding", "chunked"}
		isJSON := header{"Content-Type", "application/json"}
		for what, stalled := range map[string]string{
			"a body cut short":         rawRequest("POST", game+"/moves", mine, isJSON, sized) + `{"column":4,`,
			"a body that never begins": rawRequest("POST", game+"/moves", mine, isJSON, sized),
			"a chunk cut short":        rawRequest("POST", game+"/moves", mine, isJSON, chunked) + "19\r\n" + `{"column":4,`,
			"no last chunk":            rawRequest("POST", game+"/moves", mine, isJSON, chunked) + "14\r\n" + `{"column":4,"ply":1}` + "\r\n",
			"where no token is needed": rawRequest("POST", "/v1/profiles", isJSON, sized) + `{`,
			"where none is read":       rawRequest("POST", game+"/resignation", mine, sized) + `{`,
			"with a GET request":       rawRequest("GET", game+"?wait=3", mine, sized) + `{`,
		} {
			a := w.raw(t, stalled)
			assert.Equal(t, "HTTP/1.1 408 Request Timeout", a.status, "%s: %s", what, a.body)
			assert.Equal(t, "application/problem+json", a.value("Content-Type"), what)
			assert.Equal(t, "close", a.value("Connection"), what)
			var p api.Problem
			require.NoError(t, json.Unmarshal([]byte(a.body), &p), what)
			assert.Equal(t, "request_timeout", p.Code, what)
			assert.EqualValues(t, http.StatusRequestTimeout, p.Status, what)
			assert.NotEmpty(t, p.Instance, what)
		}
		assert.Equal(t, timeless(before), timeless(m.red.get(t, game).body), "nothing has changed")
	}, configured("READ_TIMEOUT=300ms"), standingStill)
}

// A client that ends what it sends before its end is told so as long as it listens.
func TestABodyThatEndsBeforeItsEndIsRefused(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		game, mine, chunked := gamePath(m.game), bearer(m.red.token), header{"Transfer-Encoding", "chunked"}
		for target, code := range map[string]string{game + "/moves": "malformed_json", game + "/resignation": "invalid_request"} {
			a := w.raw(t, rawRequest("POST", target, mine, chunked, header{"Content-Type", "application/json"})+"no chunk\r\n\r\n")
			assert.Equal(t, "HTTP/1.1 400 Bad Request", a.status)
			assert.Contains(t, a.body, `"code":"`+code+`"`)
		}
	})
}
