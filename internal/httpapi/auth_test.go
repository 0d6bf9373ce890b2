package httpapi_test

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
)

// declared is an operation of the contract as a request can be made of it.
type declared struct {
	id, method, pattern, path string // the path with the examples of its parameters
	needsToken                bool
	takesToken                bool
	takesBody, needsBody      bool
	answers                   *openapi3.Responses
}

// declares reports whether the contract says that the operation answers with a status.
func (d declared) declares(status int) bool { return d.answers.Status(status) != nil }

// operations reads the operations from the contract, so that the tests over them cover new ones too.
func operations(t *testing.T) []declared {
	t.Helper()
	var all []declared
	for path, item := range contract(t).Paths.Map() {
		for method, op := range item.Operations() {
			require.NotNil(t, op.Security, "%s says whose token it takes", op.OperationID)
			d := declared{id: op.OperationID, method: method, pattern: path, path: path, takesBody: op.RequestBody != nil, answers: op.Responses}
			d.needsBody = d.takesBody && op.RequestBody.Value.Required
			d.takesToken = len(*op.Security) > 0
			d.needsToken = d.takesToken && !slices.ContainsFunc(*op.Security, func(s openapi3.SecurityRequirement) bool { return len(s) == 0 })
			for _, p := range op.Parameters {
				if p.Value.In == openapi3.ParameterInPath {
					example, isText := p.Value.Example.(string)
					require.True(t, isText, p.Value.Name)
					d.path = strings.ReplaceAll(d.path, "{"+p.Value.Name+"}", example)
				}
			}
			all = append(all, d)
		}
	}
	return all
}

func TestEveryOperationSaysWhichTokensItRefuses(t *testing.T) {
	t.Parallel()
	everyOperation(t, func(op *openapi3.Operation) {
		for _, code := range []string{"unauthenticated", "forbidden"} {
			assert.Equal(t, len(*op.Security) > 0, slices.Contains(problemCodes(op), code), "%s: %s", op.OperationID, code)
		}
	})
}

func TestEveryOperationThatNeedsATokenAsksForIt(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for _, o := range operations(t) {
			answered := w.send(t, o.method, o.path, "")
			if !o.needsToken {
				assert.NotEqual(t, http.StatusUnauthorized, answered.status, o.id)
				continue
			}
			assert.Equal(t, http.StatusUnauthorized, answered.status, o.id)
			assert.Equal(t, "unauthenticated", answered.problem(t).Code, o.id)
			assert.Equal(t, `Bearer realm="fourinarow"`, answered.header.Get("WWW-Authenticate"), o.id)
		}
	})
}

func TestAWrongTokenIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		guest := w.guest(t, "Ola")
		nobodys, err := profile.NewToken(rand.Reader)
		require.NoError(t, err)
		for _, o := range operations(t) {
			for what, headers := range map[string][]header{
				"a token that nobody holds": {bearer(string(nobodys))},
				"an empty token":            {bearer("")},
				"something else":            {bearer(secretInput)},
				"a token cut short":         {bearer(guest.token[:20])},
				"another scheme":            {{"Authorization", "Basic " + guest.token}},
				"no scheme":                 {{"Authorization", guest.token}},
				"two tokens":                {bearer(guest.token), bearer(guest.token)},
				"a NUL":                     {bearer(guest.token + "\t.")},
			} {
				answered := w.send(t, o.method, o.path, bodyFor(o), headers...)
				if !o.takesToken {
					assert.Equal(t, w.send(t, o.method, o.path, bodyFor(o)).status, answered.status, "%s: %s: %s", o.id, what, answered.body)
					continue
				}
				assert.Equal(t, http.StatusUnauthorized, answered.status, "%s: %s", o.id, what)
				assert.Contains(t, answered.header.Get("WWW-Authenticate"), `error="invalid_token"`, "%s: %s", o.id, what)
				assert.NotContains(t, string(answered.body), secretInput)
			}
		}
		assert.Equal(t, http.StatusOK, w.get(t, "/v1/me", header{"Authorization", "bearer  " + guest.token}).status, "the scheme is read in any case")
	}, configured("RATE_FAILURES_PER_MINUTE=1000000"))
}

// A body is not read before it is known who sends it.
func TestATokenIsLookedAtBeforeTheBody(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		assert.Equal(t, "unauthenticated", w.send(t, http.MethodPost, "/v1/tables", strings.Repeat("x", 20_000)).problem(t).Code)
		assert.Equal(t, "unauthenticated", w.send(t, http.MethodPatch, "/v1/me", "{", bearer(secretInput)).problem(t).Code)
	})
}
