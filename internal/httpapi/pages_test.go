package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestAPageIsNoOperation(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	assert.Nil(t, contract(t).Paths.Value("/docs"))
	for _, query := range []string{"", "?utm_source=mail&utm_source=twice", "?%zz"} {
		shown := w.get(t, "/docs"+query)
		assert.Equal(t, http.StatusOK, shown.status, query)
		assert.Equal(t, "text/html; charset=UTF-8", shown.header.Get("Content-Type"))
		assert.Equal(t, "private, no-cache", shown.header.Get("Cache-Control"))
		assert.Contains(t, shown.header.Get("Content-Security-Policy"), "style-src 'unsafe-inline'")
		assert.Contains(t, shown.header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		assert.NotEmpty(t, shown.header.Get("X-Request-Id"))
	}
	shown := w.get(t, "/docs")
	unchanged := w.get(t, "/docs", ifNoneMatch(shown.header.Get("ETag"))...)
	assert.Equal(t, http.StatusNotModified, unchanged.status)
	assert.Empty(t, unchanged.body)
	head := w.send(t, http.MethodHead, "/docs", "")
	assert.Equal(t, http.StatusOK, head.status)
	assert.Empty(t, head.body)
	refused := w.send(t, http.MethodPost, "/docs", "")
	assert.Equal(t, http.StatusMethodNotAllowed, refused.status)
	assert.Equal(t, "OPTIONS, GET, HEAD", refused.header.Get("Allow"))
	assert.NotContains(t, w.get(t, "/v1/service").header.Get("Content-Security-Policy"), "unsafe-inline", "that is for pages alone")
}
