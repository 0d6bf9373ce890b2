package httpapi_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/httpapi"
)

func TestTheWalkFindsWhatDecodersPassInSilence(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{}`:                          nil,
		`{"a":1,"b":{"a":1},"A":2}`:   nil,
		`{"a":1,"a":1}`:               {"/a"},
		`{"a":1,"a":2,"a":3}`:         {"/a", "/a"},
		`{"x":{"a":1,"a":1}}`:         {"/x/a"},
		`[1,{"a":[{"b":1,"b":2}]}]`:   {"/1/a/0/b"},
		`{"a/b":1,"a\/b":2,"~":1}`:    {"/a~1b"},
		`{"":1,"":2}`:                 {"/"},
		`"text"`:                      nil,
		`{"a":["\u0000"]}`:            {"/a/0"},
		`{"a":"\ud83d\ude00"}`:        nil,
		`{"a":"\\ud800 \ufffd"}`:      nil,
		`{"a":"\ud800"}`:              {"/a"},
		`{"a":["\uDC00x","x"]}`:       {"/a/0"},
		`{"a":"\ude00\ud83d"}`:        {"/a"},
		`{"a":"\ud83d\n\ude00"}`:      {"/a"},
		`{"a":"\ud83d\ud83d\ude00"}`:  {"/a"},
		`{"a":"\ud83d\ude00\udfff"}`:  {"/a"},
		`{"a":"\\\ud83d"}`:            {"/a"},
		` [ 1 , 2 ] `:                 nil,
		`{"a":1e400,"b":-0.0,"c":[]}`: nil,
	} {
		wrong, err := httpapi.WalkJSON([]byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, wrong, body)
	}
	_, err := httpapi.WalkJSON([]byte(`{"\ud800":1}`))
	require.True(t, fault.Is(err, fault.MalformedJSON), "%v", err)
	deep := strings.Repeat("[", httpapi.JSONDepth) + strings.Repeat("]", httpapi.JSONDepth)
	_, err = httpapi.WalkJSON([]byte(deep))
	require.NoError(t, err)
	_, err = httpapi.WalkJSON([]byte("[" + deep + "]"))
	require.True(t, fault.Is(err, fault.MalformedJSON), "%v", err)
}

// What the walk passes is one document that any decoder reads the same way.
func FuzzTheWalk(f *testing.F) {
	for _, seed := range []string{
		`{"column":4,"ply":7}`, `{"a":1,"a":2}`, `[[[]]]`, `{"a":{"b":[1,2,{"c":null}]}}`, `"\u0000"`, `{"\u0061":1,"a":2}`, `["\ud83d\ude00","\\\udc00"]`, "{}{}", "\xff", `1e999`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		wrong, err := httpapi.WalkJSON(body)
		if err != nil {
			var f *fault.Error
			require.ErrorAs(t, err, &f)
			require.Equal(t, fault.MalformedJSON, f.Code)
			return
		}
		require.True(t, utf8.Valid(body) && json.Valid(body))
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		var value any
		require.NoError(t, decoder.Decode(&value))
		encoded, err := json.Marshal(value)
		require.NoError(t, err)
		if len(wrong) == 0 {
			require.NotContains(t, string(encoded), `\u0000`)
			if !bytes.Contains(bytes.ToLower(body), []byte("fffd")) && !bytes.Contains(body, []byte("\uFFFD")) {
				require.NotContains(t, string(encoded), "\uFFFD", "no half became another character")
			}
			require.Equal(t, colons(body), countNames(value), "no field was lost")
		}
	})
}

// colons counts the fields of a document by its colons outside of texts.
func colons(body []byte) int {
	n, inText, escaped := 0, false, false
	for _, c := range body {
		switch {
		case escaped:
			escaped = false
		case inText && c == '\\':
			escaped = true
		case c == '"':
			inText = !inText
		case c == ':' && !inText:
			n++
		}
	}
	return n
}

// countNames counts the fields of a value.
func countNames(value any) int {
	n := 0
	switch value := value.(type) {
	case map[string]any:
		n = len(value)
		for _, field := range value {
			n += countNames(field)
		}
	case []any:
		for _, item := range value {
			n += countNames(item)
		}
	}
	return n
}
