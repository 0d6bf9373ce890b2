package httpapi_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// raw sends a GET that asks for an encoding, and returns the header and the body as they came.
func raw(t *testing.T, w *world, path, encoding string, token string) (http.Header, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+path, nil)
	require.NoError(t, err)
	r.Header.Set("Accept-Encoding", encoding)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	require.NoError(t, a.Body.Close())
	return a.Header, body
}

// unpacked is a body without its encoding.
func unpacked(t *testing.T, encoding string, body []byte) string {
	t.Helper()
	var content []byte
	switch encoding {
	case "zstd":
		d, err := zstd.NewReader(nil)
		require.NoError(t, err)
		defer d.Close()
		content, err = d.DecodeAll(body, nil)
		require.NoError(t, err)
	case "gzip":
		d, err := gzip.NewReader(strings.NewReader(string(body)))
		require.NoError(t, err)
		content, err = io.ReadAll(d)
		require.NoError(t, err)
	default:
		content = body
	}
	return string(content)
}

func TestDocumentsAndLongAnswersComeInTheEncodingThatIsAskedFor(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for _, path := range []string{"/docs", "/openapi.yaml", "/openapi.json", gamePath(m.game)} {
			plain, whole := raw(t, w, path, "identity", m.red.token)
			require.Empty(t, plain.Get("Content-Encoding"), path)
			require.Contains(t, plain.Get("Vary"), "Accept-Encoding", path)
			for asked, got := range map[string]string{
				"gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "gzip;q=1, zstd;q=0": "gzip", "zstd;q=0.1, gzip;q=0.9": "gzip", "zstd;q=0.5, gzip;q=0.5": "zstd", "br": "", "": "",
			} {
				a, body := raw(t, w, path, asked, m.red.token)
				assert.Equal(t, got, a.Get("Content-Encoding"), "%s %q", path, asked)
				assert.Equal(t, plain.Get("ETag"), a.Get("ETag"), "%s %q", path, asked)
				assert.Empty(t, a.Get("No-Gzip-Compression"))
				if got != "" {
					assert.Less(t, len(body), len(whole)*3/4, "%s %q", path, asked)
				}
				if path != gamePath(m.game) { // whose times differ
					assert.Equal(t, string(whole), unpacked(t, got, body), "%s %q", path, asked)
				}
			}
		}
		short, _ := raw(t, w, "/healthz", "gzip", "")
		assert.Empty(t, short.Get("Content-Encoding"))
	}, configured("RATE_LIMIT=off"))
}

func TestAnswersWithATokenOrACodeAreNeverCompressed(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for _, path := range []string{tablePath(m.table.ID), "/v1/me/tables"} {
			a, body := raw(t, w, path, "gzip, zstd", m.red.token)
			assert.Empty(t, a.Get("Content-Encoding"), path)
			assert.Empty(t, a.Get("No-Gzip-Compression"), path)
			assert.Greater(t, len(body), 1024, "%s is long enough", path)
		}
	})
}

func TestCompressionCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for _, path := range []string{gamePath(m.game), tablePath(m.table.ID)} {
			a, _ := raw(t, w, path, "gzip, zstd", m.red.token)
			assert.Empty(t, a.Get("Content-Encoding"), path)
			assert.Empty(t, a.Get("No-Gzip-Compression"), path)
		}
	}, configured("COMPRESSION=off"))
}
