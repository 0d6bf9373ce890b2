package main_test

import (
	"bytes"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var tokenLine = regexp.MustCompile(`^fia_[0-9A-Za-z_-]{43}\n$`)

// adminToken runs the command beside a service, and returns what it prints.
func adminToken(t *testing.T, beside process, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd, _ := command(t, nil, append([]string{"admin-token"}, args...)...)
	var out, err bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = beside.cmd.Dir, &out, &err
	code = exitCode(t, cmd)
	return out.String(), err.String(), code
}

func TestAnAdminTokenIsHandedOutListedAndRevokedBesideTheService(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, []string{"ADMIN_LISTEN_ADDR=localhost:0"})
	p := start(t, cmd, out)
	apart := regexp.MustCompile(`admins are served apart" address=(\S+)`).FindStringSubmatch(out.String())
	require.NotNil(t, apart, "%s", out)
	token, said, code := adminToken(t, p, "create", "ola@four.example")
	require.Zero(t, code, said)
	require.Regexp(t, tokenLine, token, "alone on its line")
	token = strings.TrimSpace(token)
	_, said, code = adminToken(t, p, "create", "ola@four.example")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "take another name")
	list, _, code := adminToken(t, p, "list")
	assert.Zero(t, code)
	assert.Regexp(t, `(?m)^ola@four\.example +\S+Z +-$`, list)
	assert.NotContains(t, list, "fia_")

	status := func(base string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/v1/admin/house-rules/cpu_cover", http.NoBody)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	assert.Equal(t, http.StatusNotFound, status(p.base))
	assert.Equal(t, http.StatusOK, status("http://"+apart[1]))
	_, said, code = adminToken(t, p, "revoke", "ola@four.example")
	require.Zero(t, code, said)
	assert.Equal(t, http.StatusUnauthorized, status("http://"+apart[1]))
	_, said, code = adminToken(t, p, "revoke", "ola@four.example")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "has no token that works")
	_, said, code = adminToken(t, p, "create", "ola@four.example")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "take another name", "in the audit log it is one person's for good")
	list, _, _ = adminToken(t, p, "list")
	assert.Regexp(t, `(?m)^ola@four\.example +\S+Z +\S+Z$`, list)
	assert.NotContains(t, out.String(), token)
	stopped(t, p)
}

func TestAnAdminTokenThatNobodyCanReadIsWithdrawn(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil)
	p := start(t, cmd, out)
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	create, _ := command(t, nil, "admin-token", "create", "ola")
	var said bytes.Buffer
	create.Dir, create.Stdout, create.Stderr = p.cmd.Dir, writer, &said
	assert.Equal(t, 1, exitCode(t, create), "%s", &said)
	require.NoError(t, writer.Close())
	assert.Contains(t, said.String(), "print the token, which is withdrawn")
	list, _, _ := adminToken(t, p, "list")
	assert.NotContains(t, list, "ola")
	token, again, code := adminToken(t, p, "create", "ola")
	assert.Zero(t, code, again)
	assert.Regexp(t, tokenLine, token)
	stopped(t, p)
}

func TestAdminTokenSaysWhatItWants(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		nil,
		{"create"},
		{"revoke"},
		{"list", "ola"},
		{"create", ""},
		{"create", "a b"},
		{"create", "ola", "jan"},
		{"delete", "ola"},
		{"create", strings.Repeat("x", 65)},
		{"create", "x\x1b[31m"},
	} {
		cmd, out := command(t, nil, append([]string{"admin-token"}, args...)...)
		assert.Equal(t, 2, exitCode(t, cmd), "%q", args)
		assert.Contains(t, out.String(), "--help", "%q", args)
	}
}
