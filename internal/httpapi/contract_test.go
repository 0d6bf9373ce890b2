package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// contractFile returns openapi.yaml, and what stands in it.
func contractFile(t *testing.T) ([]byte, *yaml.Node) {
	t.Helper()
	file, err := os.ReadFile("../../openapi.yaml")
	require.NoError(t, err)
	var root yaml.Node
	require.NoError(t, yaml.Unmarshal(file, &root))
	return file, root.Content[0]
}

func TestTheServedContractIsTheFile(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	file, inYAML := contractFile(t)
	served := w.get(t, "/openapi.yaml")
	assert.Equal(t, string(file), string(served.body), "byte for byte")
	assert.Equal(t, "application/yaml", served.header.Get("Content-Type"))

	asJSON := w.get(t, "/openapi.json")
	assert.Equal(t, "application/json", asJSON.header.Get("Content-Type"))
	var said any
	require.NoError(t, yaml.Unmarshal(file, &said))
	assert.JSONEq(t, string(jsonOf(t, said)), string(asJSON.body), "the same content")
	assert.Equal(t, namesInYAML(inYAML), namesInJSON(t, asJSON.body), "in the same order")
	for _, body := range [][]byte{served.body, asJSON.body} {
		loaded, err := openapi3.NewLoader().LoadFromData(body)
		require.NoError(t, err)
		require.NoError(t, loaded.Validate(t.Context()))
	}
}

func TestAnUnchangedContractIsNotSentAgain(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	tags := make(map[string]struct{})
	for _, path := range []string{"/openapi.yaml", "/openapi.json"} {
		tag := w.get(t, path).header.Get("ETag")
		assert.Regexp(t, `^W/"[0-9a-f]{16}"$`, tag, path)
		tags[tag] = struct{}{}
		for _, seen := range []string{tag, tag[2:], `"x", ` + tag, "*"} {
			unchanged := w.get(t, path, ifNoneMatch(seen)...)
			assert.Equal(t, http.StatusNotModified, unchanged.status, "%s: %s", path, seen)
			assert.Empty(t, unchanged.body, path)
			assert.Equal(t, tag, unchanged.header.Get("ETag"), path)
		}
		assert.Equal(t, http.StatusOK, w.get(t, path, ifNoneMatch(`"0123456789abcdef"`)...).status, path)
		assert.Equal(t, tag, serve(t, testkit.SQLite(t)).get(t, path).header.Get("ETag"), "every replica has the same")
	}
	assert.Len(t, tags, 2)
}

// namesInYAML returns the names of all fields in their order, the outer before the inner.
func namesInYAML(node *yaml.Node) []string {
	var names []string
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 {
			names = append(names, child.Value)
			continue
		}
		names = append(names, namesInYAML(child)...)
	}
	return names
}

// namesInJSON does the same for JSON.
func namesInJSON(t *testing.T, document []byte) []string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(document))
	var names []string
	var walk func()
	walk = func() {
		token, err := decoder.Token()
		require.NoError(t, err)
		opened, nests := token.(json.Delim)
		for nests && decoder.More() {
			if opened == '{' {
				name, err := decoder.Token()
				require.NoError(t, err)
				names = append(names, name.(string)) //nolint:forcetypeassert // a test may panic
			}
			walk()
		}
		if nests {
			_, err = decoder.Token()
			require.NoError(t, err)
		}
	}
	walk()
	return names
}

// misread is what readers of YAML 1.1 take for something else than text, where it stands without quotes.
var misread = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|0[0-7]+|\d{4}-\d\d?-\d\d?.*)$`)

func TestNoReaderOfYAMLTakesATextForSomethingElse(t *testing.T) {
	t.Parallel()
	_, root := contractFile(t)
	var look func(node *yaml.Node)
	look = func(node *yaml.Node) {
		plain := node.Kind == yaml.ScalarNode && node.Style == 0
		assert.False(t, plain && misread.MatchString(node.Value), "line %d: %q wants quotes", node.Line, node.Value)
		for _, child := range node.Content {
			look(child)
		}
	}
	look(root)
}

func TestYAMLIsWrittenAsTheJSONItIs(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		"b: 1\na: 2":                                `{"b":1,"a":2}`,
		"200: {on: off, 'y': \"no\"}":               `{"200":{"on":"off","y":"no"}}`,
		"[1, -1.5, 1e3, 0x10, 9007199254740991]":    `[1,-1.5,1e3,16,9007199254740991]`,
		"[true, False, null, ~, '', 'null', '1']":   `[true,false,null,null,"","null","1"]`,
		"a: |\n  <b> & \"c\"\n  d":                  `{"a":"<b> & \"c\"\nd"}`,
		"[2026-09-22T10:00:00Z, '2026-09-22', 2.0]": `["2026-09-22T10:00:00Z","2026-09-22",2.0]`,
		"a: &x {b: []}\nc: *x":                      `{"a":{"b":[]},"c":{"b":[]}}`,
		"{}":                                        `{}`,
	} {
		written, err := httpapi.JSONOf([]byte(document))
		require.NoError(t, err, document)
		assert.Equal(t, want+"\n", string(written), document)
	}
	for _, document := range []string{"", "a: [", ".inf", "a: !!int x"} {
		_, err := httpapi.JSONOf([]byte(document))
		require.Error(t, err, document)
	}
}
