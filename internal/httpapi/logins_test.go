package httpapi_test

import (
	"crypto/rand"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/admin"
)

// failedLogins returns the reasons in the log for which admins' logins failed.
func failedLogins(t *testing.T, w *world) []string {
	t.Helper()
	var reasons []string
	for _, line := range logged(t, w) {
		if line["msg"] != "an admin's login failed" {
			continue
		}
		assert.Equal(t, "WARN", line["level"])
		assert.Equal(t, "127.0.0.1", line["address"])
		assert.Equal(t, "listAuditEntries", line["operation"])
		assert.NotEmpty(t, line["request_id"])
		reason, _ := line["reason"].(string)
		reasons = append(reasons, reason)
	}
	return reasons
}

func TestAFailedLoginOfAnAdminIsLoggedAndCounted(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, jan, guest := w.admin(t, "ola"), w.admin(t, "jan"), w.guest(t, "Ola")
		require.NoError(t, w.admins().Revoke(t.Context(), admin.Name(jan.name)))
		nobodys, err := admin.NewToken(rand.Reader)
		require.NoError(t, err)
		const path = "/v1/admin/audit"
		tokens := []string{string(nobodys), jan.token, guest.token, secretInput}
		for i, token := range tokens {
			refused := w.get(t, path, bearer(token))
			if token == guest.token {
				assert.Equal(t, http.StatusForbidden, refused.status)
				assert.Equal(t, "forbidden", refused.problem(t).Code)
			} else {
				assert.Equal(t, http.StatusUnauthorized, refused.status, i)
			}
		}
		assert.Equal(t, []string{"unknown token", "unknown token", "a player's token", "unknown token"}, failedLogins(t, w))
		assert.Equal(t, http.StatusUnauthorized, w.get(t, path).status, "nobody has tried anything")
		assert.Len(t, failedLogins(t, w), 4)
		for _, token := range tokens {
			limited := w.get(t, path, bearer(token))
			assert.Equal(t, http.StatusTooManyRequests, limited.status)
			assert.Equal(t, "rate_limited", limited.problem(t).Code)
		}
		assert.Len(t, failedLogins(t, w), 4, "and the log can't be flooded")
		assert.Equal(t, http.StatusOK, ola.get(t, path).status, "a right token is never refused for others' failures")
		assert.Equal(t, http.StatusOK, guest.get(t, "/v1/me").status)
		for _, token := range append(tokens, ola.token) {
			assert.NotContains(t, w.log.String(), token)
			assert.NotContains(t, w.log.String(), strings.TrimPrefix(token, "fia_"))
		}
	}, standingStill, configured("RATE_FAILURES_PER_MINUTE=4"))
}

func TestAnAdminsTokenOpensNothingOfThePlayers(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.admin(t, "ola")
		for _, path := range []string{"/v1/me", "/v1/me/tables", "/v1/tables", "/v1/house-rules"} {
			refused := ola.get(t, path)
			assert.Equal(t, http.StatusForbidden, refused.status, path)
			assert.Equal(t, "forbidden", refused.problem(t).Code, path)
		}
		assert.Empty(t, failedLogins(t, w))
	})
}

func TestAnAdminSendsOnlySoManyRequests(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, jan := w.admin(t, "ola"), w.admin(t, "jan")
		for range 3 {
			assert.Equal(t, http.StatusOK, ola.get(t, "/v1/admin/audit").status)
		}
		assert.Equal(t, http.StatusTooManyRequests, ola.get(t, "/v1/admin/audit").status)
		assert.Equal(t, http.StatusOK, jan.get(t, "/v1/admin/audit").status)
	}, standingStill, configured("RATE_TOKEN_BURST=3"))
}
