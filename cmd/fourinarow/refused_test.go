package main_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// raw sends lines over a connection of its own and returns what comes back until the other side closes it.
func (p process) raw(t *testing.T, lines ...string) string {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	require.NoError(t, err)
	defer connection.Close()
	require.NoError(t, connection.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = io.WriteString(connection, strings.Join(append(lines, "Connection: close"), "\r\n")+"\r\n\r\n")
	require.NoError(t, err)
	answer, err := io.ReadAll(connection)
	require.NoError(t, err)
	return string(answer)
}

// What HTTP itself can't read, the server refuses before the API is asked; the contract says so.
func TestWhatIsNoRequestIsRefusedInPlainText(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil)
	p := start(t, cmd, out)
	for what, row := range map[string]struct {
		request []string
		status  string
	}{
		"a broken escape": {[]string{"GET /%zz HTTP/1.1", "Host: x"}, "400 Bad Request"},
		"no Host":         {[]string{"GET /healthz HTTP/1.1"}, "400 Bad Request"},
		"an expectation nobody knows": {
			[]string{"POST /v1/profiles HTTP/1.1", "Host: x", "Expect: miracles", "Content-Length: 2"}, "417 Expectation Failed",
		},
		"too large a header": {
			[]string{"GET /healthz HTTP/1.1", "Host: x", "X-Much: " + strings.Repeat("x", 24<<10)}, "431 Request Header Fields Too Large",
		},
	} {
		answer := p.raw(t, row.request...)
		assert.Truef(t, strings.HasPrefix(answer, "HTTP/1.1 "+row.status), "%s: %s", what, answer)
		assert.NotContains(t, answer, "problem+json", what)
	}
	stopped(t, p)
}

func TestAQuestionAboutTheServerAsAWholeReachesTheAPI(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, []string{"METRICS_ADDR=127.0.0.1:0"})
	p := start(t, cmd, out)
	answer := p.raw(t, "OPTIONS * HTTP/1.1", "Host: x")
	assert.Contains(t, answer, "HTTP/1.1 204 No Content\r\n")
	assert.Contains(t, answer, "\r\nAllow: OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE\r\n")
	assert.Contains(t, answer, "\r\nX-Request-Id: ")
	assert.Contains(t, answer, "\r\nAccess-Control-Allow-Origin: *\r\n")
	stopped(t, p)
}
