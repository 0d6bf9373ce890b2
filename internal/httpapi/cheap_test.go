package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/api"
)

// repeated returns a text n times, with a number for each # in it.
func repeated(n int, text, between string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(text, "#", strconv.Itoa(i))
	}
	return strings.Join(all, between)
}

// costly is a request that is made to cost as much as it can: of the size that a header or a body may have.
type costly struct {
	what, path, body string
	header           header
}

var costlies = []costly{
	{what: "parameters nobody knows", path: "/healthz?" + repeated(3200, "#", "&")},
	{what: "parameters of a page", path: "/docs?" + repeated(3200, "#", "&")},
	{what: "parameters of nothing", path: "/nowhere?" + repeated(3200, "#", "&")},
	{what: "one parameter again", path: "/v1/tables?" + strings.Repeat("limit=1&", 1900)},
	{what: "escapes", path: "/healthz?" + strings.Repeat("%41", 5000)},
	{what: "languages", path: "/v1/me", header: header{"Accept-Language", repeated(2600, "a#", ",")}},
	{what: "a long language", path: "/v1/me", header: header{"Accept-Language", strings.Repeat("en-", 5000)}},
	{what: "tags", path: "/openapi.yaml", header: header{"If-None-Match", repeated(2600, `"#"`, ",")}},
	{what: "addresses", path: "/v1/me", header: header{"X-Forwarded-For", repeated(2600, "1.1.1.#", ",")}},
	{what: "one field again", body: "{" + repeated(2300, `"a":1`, ",") + "}"},
	{what: "one field again, in another", body: `{"display_name":{` + repeated(2300, `"a":1`, ",") + "}}"},
	{what: "fields nobody knows", body: "{" + repeated(1500, `"#":1`, ",") + "}"},
	{what: "a few hundred such fields", body: "{" + repeated(200, `"~~~~~~////#":1`, ",") + "}"},
	{what: "a long name", body: `{"` + strings.Repeat("a", 16_000) + `":1}`},
	{what: "items", body: `{"display_name":[` + repeated(2300, "#", ",") + "]}"},
	{what: "halves of surrogates", body: `{"display_name":["` + repeated(1300, `\ud800`, `","`) + `"]}`},
	{what: "depth", body: strings.Repeat("[", 8000) + strings.Repeat("]", 8000)},
	{what: "a number", body: `{"display_name":` + strings.Repeat("9", 16_000) + "}"},
	{what: "a text", body: `{"display_name":"` + strings.Repeat("é", 8000) + `"}`},
}

func (c costly) of(m *bench) *http.Request {
	if c.body != "" {
		return m.request(http.MethodPost, "/v1/profiles", m.red, c.body)
	}
	r := m.request(http.MethodGet, c.path, "", "")
	if c.header.name != "" {
		r.Header.Set(c.header.name, c.header.value)
	}
	return r
}

// Allocations stand for the work here: a fault took three to nine of them, and a request that fits takes about a hundred.
func TestWhatIsMadeToCostMuchIsRefusedCheaply(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	m := newBench(t, "")
	for _, c := range costlies {
		answer := sink{header: http.Header{}, status: 0, said: nil}
		allocations := testing.AllocsPerRun(5, func() { m.handler.ServeHTTP(&answer, c.of(m)) })
		assert.LessOrEqual(t, allocations, 2000.0, "%s: %s", c.what, answer.said)
		var said api.Problem
		if answer.status >= http.StatusBadRequest && assert.NoError(t, json.Unmarshal(answer.said, &said)) {
			assert.NotEqual(t, "body_too_large", said.Code, c.what)
			assert.LessOrEqual(t, len(said.Errors), 100, c.what)
		}
	}
}
