package main_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built is the program, made once for all tests.
var built string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fourinarow")
		if err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		built = filepath.Join(dir, "fourinarow")
		if out, err := exec.Command("go", "build", "-o", built, ".").CombinedOutput(); err != nil {
			panic(fmt.Sprintf("build: %v\n%s", err, out))
		}
		return m.Run()
	}())
}

// output is what a program has written so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// process is a running program.
type process struct {
	cmd  *exec.Cmd
	out  *output
	base string
}

// command prepares the program with settings, in an own directory.
func command(t *testing.T, settings []string, args ...string) (*exec.Cmd, *output) {
	t.Helper()
	out := &output{}
	cmd := exec.CommandContext(t.Context(), built, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), out, out
	cmd.Env = append([]string{"LISTEN_ADDR=127.0.0.1:0"}, settings...)
	return cmd, out
}

var readyLine = regexp.MustCompile(`ready at (http://127\.0\.0\.1:\d+)`)

// start runs the service and waits for its line.
func start(t *testing.T, cmd *exec.Cmd, out *output) process {
	t.Helper()
	require.NoError(t, cmd.Start())
	p := process{cmd: cmd, out: out, base: ""}
	require.Eventually(t, func() bool {
		found := readyLine.FindStringSubmatch(out.String())
		if found != nil {
			p.base = found[1]
		}
		return found != nil
	}, 20*time.Second, 5*time.Millisecond, "%s", out)
	return p
}

func (p process) get(t *testing.T, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+path, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(body)
}

// exitCode runs a command to its end.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		return exit.ExitCode()
	}
	return 0
}

func TestWithNothingConfiguredItServesFromAFileAndSaysSoInOneLine(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil)
	p := start(t, cmd, out)
	for _, path := range []string{"/healthz", "/readyz", "/docs", "/openapi.yaml", "/openapi.json", "/v1/service"} {
		status, _ := p.get(t, path)
		assert.Equal(t, http.StatusOK, status, path)
	}
	status, _ := p.get(t, "/metrics")
	assert.Equal(t, http.StatusNotFound, status, "metrics are off the public listener unless told so")
	line := regexp.MustCompile(`(?m)^Four in a Row is ready.*$`).FindString(out.String())
	assert.Contains(t, line, "sqlite://./fourinarow.db")
	assert.Contains(t, line, p.base+"/docs")
	info, err := os.Stat(filepath.Join(cmd.Dir, "fourinarow.db"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	stopped(t, p)
}

// stopped tells a program to stop and expects it to leave in order.
func stopped(t *testing.T, p process) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.cmd.Wait(), "%s", p.out)
}

func TestStoppingAnswersWaitingRequests(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, []string{"METRICS_ADDR=127.0.0.1:0"})
	p := start(t, cmd, out)
	token, game := playing(t, p)
	answer := make(chan string, 1)
	go func() {
		request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, p.base+"/v1/games/"+game+"?after_version=1&wait=30", http.NoBody)
		if err != nil {
			answer <- err.Error()
			return
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			answer <- err.Error()
			return
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		answer <- response.Status + " " + string(body)
	}()
	waits := regexp.MustCompile(`(?m)^fourinarow_waiting_requests 1$`)
	require.Eventually(t, func() bool {
		_, metrics := p.get(t, "/metrics")
		return waits.MatchString(metrics)
	}, 10*time.Second, 10*time.Millisecond)
	stopped(t, p)
	got := <-answer
	assert.Contains(t, got, "200 OK")
	assert.Contains(t, got, `"poll_after_ms"`)
}

var member = regexp.MustCompile(`"(token|id|current_game_id)":"([^"]+)"`)

// playing opens two profiles and a game between them and returns the second one's token and the game's id.
func playing(t *testing.T, p process) (token, game string) {
	t.Helper()
	host := find(t, p.post(t, "", "/v1/profiles", `{}`), "token")
	table := find(t, p.post(t, host, "/v1/tables", `{"visibility":"public"}`), "id")
	token = find(t, p.post(t, "", "/v1/profiles", `{}`), "token")
	return token, find(t, p.post(t, token, "/v1/tables/"+table+"/seats", `{}`), "current_game_id")
}

func find(t *testing.T, body, name string) string {
	t.Helper()
	for _, found := range member.FindAllStringSubmatch(body, -1) {
		if found[1] == name {
			return found[2]
		}
	}
	require.Fail(t, "there is no "+name, body)
	return ""
}

func (p process) post(t *testing.T, token, path, body string) string {
	t.Helper()
	status, answer := p.posts(t, token, path, body)
	require.Less(t, status, 300, "%s", answer)
	return answer
}

// posts is post that may be refused.
func (p process) posts(t *testing.T, token, path, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.base+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(content)
}

func TestGamesAreThereAfterAKill(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil)
	p := start(t, cmd, out)
	_, game := playing(t, p)
	require.NoError(t, p.cmd.Process.Kill())
	require.Error(t, p.cmd.Wait())

	again, outAgain := command(t, nil)
	again.Dir = cmd.Dir
	p = start(t, again, outAgain)
	status, body := p.get(t, "/v1/games/"+game)
	assert.Equal(t, http.StatusOK, status, body)
	stopped(t, p)
}

func TestMetricsAreServedWhereTheSettingsSay(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, []string{"METRICS_ADDR=127.0.0.1:0"})
	p := start(t, cmd, out)
	p.get(t, "/v1/service")
	status, body := p.get(t, "/metrics")
	assert.Equal(t, http.StatusOK, status, "the same value as LISTEN_ADDR puts them on the public listener")
	assert.True(t, strings.Contains(body, `fourinarow_http_requests_total{operation="getService",status="200"} 1`))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"//", http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultTransport.RoundTrip(request) // which follows no redirect
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusNotFound, response.StatusCode, "other paths are the API's")
	assert.Equal(t, "application/problem+json", response.Header.Get("Content-Type"))
	stopped(t, p)
}

func TestAWrongStartSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		settings []string
		args     []string
		code     int
		says     string
	}{
		"a wrong value":                 {[]string{"LOG_FORMAT=xml"}, nil, 2, "LOG_FORMAT"},
		"a database of no known kind":   {[]string{"DATABASE_URL=mysql://x"}, nil, 2, "DATABASE_URL"},
		"a directory that is not there": {[]string{"DATABASE_URL=sqlite:///nowhere/at/all/games.db"}, nil, 1, "/nowhere/at/all"},
		"an address that is not ours":   {[]string{"LISTEN_ADDR=192.0.2.1:8080"}, nil, 1, "LISTEN_ADDR"},
		"an unknown command":            {nil, []string{"dance"}, 2, "dance"},
		"too many arguments":            {nil, []string{"serve", "now"}, 2, "--help"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, out := command(t, row.settings, row.args...)
			assert.Equal(t, row.code, exitCode(t, cmd), "%s", out)
			assert.Contains(t, out.String(), row.says)
		})
	}
}

func TestHelpListsTheCommandsAndTheSettings(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil, "--help")
	assert.Zero(t, exitCode(t, cmd))
	for _, word := range []string{"migrate", "healthcheck", "version", "LISTEN_ADDR", "DATABASE_URL", "TRUSTED_PROXIES", "RATE_LIMIT", "PUBLIC_URL"} {
		assert.Contains(t, out.String(), word)
	}
}

func TestMigrateVersionAndHealthcheckStopByThemselves(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil, "migrate")
	assert.Zero(t, exitCode(t, cmd), "%s", out)
	assert.Contains(t, out.String(), "up to date")

	cmd, out = command(t, nil, "version")
	assert.Zero(t, exitCode(t, cmd))
	assert.Contains(t, out.String(), "fourinarow")

	serving, servingOut := command(t, nil)
	p := start(t, serving, servingOut)
	cmd, out = command(t, []string{"LISTEN_ADDR=" + strings.TrimPrefix(p.base, "http://")}, "healthcheck")
	assert.Zero(t, exitCode(t, cmd), "%s", out)
	stopped(t, p)
	cmd, _ = command(t, []string{"LISTEN_ADDR=" + strings.TrimPrefix(p.base, "http://")}, "healthcheck")
	assert.Equal(t, 1, exitCode(t, cmd))
}
