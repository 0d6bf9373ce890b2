package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestAdminsServedApartAreServedThereAlone(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("ADMIN_LISTEN_ADDR=127.0.0.1:9", "RATE_LIMIT=off"))
	require.NotNil(t, w.apart)
	apart := httptest.NewServer(w.apart)
	t.Cleanup(apart.Close)
	outside, inside := w.url, apart.URL
	ola := w.admin(t, "ola")
	for _, o := range operations(t) {
		open, shut := outside, inside
		if strings.HasPrefix(o.pattern, "/v1/admin/") {
			open, shut = inside, outside
		}
		for _, method := range []string{o.method, http.MethodOptions, "BREW"} {
			status, body := knock(t, method, shut+o.path, ola.token)
			assert.Equal(t, http.StatusNotFound, status, "%s %s", method, o.id)
			if method != http.MethodHead {
				assert.Contains(t, body, `"not_found"`)
			}
		}
		status, _ := knock(t, http.MethodOptions, open+o.path, ola.token)
		assert.Equal(t, http.StatusNoContent, status, o.id)
	}
	whole := httptest.NewRecorder()
	w.apart.ServeHTTP(whole, httptest.NewRequestWithContext(t.Context(), http.MethodOptions, "*", http.NoBody))
	assert.Equal(t, http.StatusNoContent, whole.Code, "the server as a whole is there for admins too")
	status, body := knock(t, http.MethodGet, inside+rulePath(limit), ola.token)
	assert.Equal(t, http.StatusOK, status, body)
	for _, path := range []string{"/v1/%61dmin/house-rules/" + limit, "//v1/admin/audit", "/v1/admin/../admin/audit", "/v1/admin", "/v1/admin/"} {
		status, _ = knock(t, http.MethodGet, outside+path, ola.token)
		assert.Equal(t, http.StatusNotFound, status, path)
	}
}

// knock sends a request to one of the doors of a service. Answers at the wrong one are not those of the contract.
func knock(t *testing.T, method, url, token string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(read)
}

func TestAdminsServedAtTheSameAddressNeedNoOtherDoor(t *testing.T) {
	t.Parallel()
	for _, settings := range [][]string{nil, {"LISTEN_ADDR=127.0.0.1:9", "ADMIN_LISTEN_ADDR=127.0.0.1:9"}} {
		w := serve(t, testkit.SQLite(t), configured(settings...))
		assert.Nil(t, w.apart)
		_, tag := w.admin(t, "ola").rule(t, limit)
		assert.Equal(t, `"1"`, tag)
	}
}
