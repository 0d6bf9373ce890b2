//go:build unix

package postgres_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit/postgres"
)

func TestACommandRunsBesideAServer(t *testing.T) {
	t.Parallel()

	if _, found := find(t); !found {
		return
	}
	output, printed := io.Pipe()
	input, typed := keyboard(t)
	runner := postgres.Runner{Environ: os.Environ(), Stdin: input, Stdout: printed, Stderr: printed}
	runner.Environ = append(runner.Environ, postgres.Variable+"=") // set but empty: not set

	code := make(chan int, 1)
	go func() {
		got, err := runner.Run(nil, []string{"sh", "-c", `echo "$TEST_DATABASE_URL"; read line; exit "$line"`})
		assert.NoError(t, err)
		code <- got
	}()
	url := line(t, output)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))

	_, err = typed.Write([]byte("7\n"))
	require.NoError(t, err)
	assert.Equal(t, 7, <-code)
	_, err = pgx.Connect(t.Context(), url)
	require.Error(t, err, "the server ends with the command")
}

func TestACommandUsesTheServerItIsGiven(t *testing.T) {
	t.Parallel()

	var output strings.Builder
	runner := postgres.Runner{Environ: []string{"PATH=" + os.Getenv("PATH"), "TEST_DATABASE_URL=postgres://elsewhere/games"}, Stdout: &output}
	code, err := runner.Run(nil, []string{"sh", "-c", `echo "$TEST_DATABASE_URL"`})
	require.NoError(t, err)
	assert.Zero(t, code)
	assert.Equal(t, "postgres://elsewhere/games\n", output.String())
}

func TestSignalsReachTheCommand(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		name, script string
		signal       syscall.Signal
		want         int
	}{
		{"one that it handles decides its code", `trap "exit 3" TERM; echo ready; read line`, syscall.SIGTERM, 3},
		{"one that it doesn't ends it", `echo ready; read line`, syscall.SIGHUP, 128 + 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			output, printed := io.Pipe()
			input, _ := keyboard(t)
			runner := postgres.Runner{Environ: append(os.Environ(), "TEST_DATABASE_URL=postgres://elsewhere/games"), Stdin: input, Stdout: printed}

			signals := make(chan os.Signal, 1)
			code := make(chan int, 1)
			go func() {
				got, err := runner.Run(signals, []string{"sh", "-c", tc.script})
				assert.NoError(t, err)
				code <- got
			}()
			require.Equal(t, "ready", line(t, output))
			signals <- tc.signal
			assert.Equal(t, tc.want, <-code)
		})
	}
}

func TestASignalDuringTheStartEndsIt(t *testing.T) {
	t.Parallel()

	if _, found := find(t); !found {
		return
	}
	signals := make(chan os.Signal, 1)
	signals <- syscall.SIGTERM
	runner := postgres.Runner{Environ: []string{"PATH=" + os.Getenv("PATH")}}
	_, err := runner.Run(signals, []string{"sh", "-c", "exit 0"})
	require.EqualError(t, err, "terminated while the test database started")
}

func TestACommandThatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()

	runner := postgres.Runner{Environ: []string{"TEST_DATABASE_URL=postgres://elsewhere/games"}}
	_, err := runner.Run(nil, []string{"/nonexistent/command"})
	require.ErrorContains(t, err, "run /nonexistent/command")
}

// keyboard is an input that stays open; a file, so that the end of a command doesn't wait for somebody to type.
func keyboard(t *testing.T) (input, typed *os.File) {
	t.Helper()
	input, typed, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, typed.Close()) })
	return input, typed
}

// line reads the next line.
func line(t *testing.T, from io.Reader) string {
	t.Helper()
	text, err := bufio.NewReader(from).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(text)
}

func cancelled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
