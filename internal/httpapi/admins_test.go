package httpapi_test

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/service"
)

// admins hands out the tokens of admins.
func (w *world) admins() *service.Admins {
	return service.NewAdmins(w.db.Store, w.db.Clock.Now, rand.Reader)
}

// chief is an admin.
type chief struct {
	world *world
	name  string
	token string
}

// admin hands out a token.
func (w *world) admin(t *testing.T, name string) chief {
	t.Helper()
	c := chief{world: w, name: name, token: ""}
	require.NoError(t, w.admins().Create(t.Context(), admin.Name(name), func(token admin.Token) error {
		c.token = string(token)
		return nil
	}))
	return c
}

// at returns the admin as a client of another replica.
func (c chief) at(w *world) chief {
	c.world = w
	return c
}

// send sends a request with the admin's token.
func (c chief) send(t *testing.T, method, path, body string, headers ...header) answer {
	t.Helper()
	return c.world.send(t, method, path, body, append([]header{bearer(c.token)}, headers...)...)
}

func (c chief) get(t *testing.T, path string) answer {
	t.Helper()
	return c.send(t, http.MethodGet, path, "")
}

func rulePath(key string) string { return "/v1/admin/house-rules/" + key }

// ifMatch names the version that an edit was made for.
func ifMatch(tag string) header { return header{"If-Match", tag} }

// rule reads a rule, and its tag.
func (c chief) rule(t *testing.T, key string) (api.HouseRule, string) {
	t.Helper()
	a := c.get(t, rulePath(key))
	return decode[api.HouseRule](t, a, http.StatusOK), a.header.Get("ETag")
}

// request is the body of an edit.
func request(t *testing.T, first string, options []string, changeable bool, reason string) string {
	t.Helper()
	body, err := json.Marshal(api.EditHouseRuleRequest{Default: first, Options: options, Changeable: changeable, Reason: reason})
	require.NoError(t, err)
	return string(body)
}

// edits edits a rule from the version it has.
func (c chief) edits(t *testing.T, key, first string, options []string, changeable bool) api.HouseRuleChange {
	t.Helper()
	_, tag := c.rule(t, key)
	edited := c.send(t, http.MethodPut, rulePath(key), request(t, first, options, changeable, "It is better so."), ifMatch(tag))
	return decode[api.HouseRuleChange](t, edited, http.StatusOK)
}
