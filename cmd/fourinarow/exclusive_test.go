package main_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOneProcessServesAnSQLiteFileAndShortCommandsWorkBesideIt(t *testing.T) {
	t.Parallel()
	serving, servingOut := command(t, nil)
	p := start(t, serving, servingOut)
	beside := func(args ...string) (int, string) {
		cmd, out := command(t, nil, args...)
		cmd.Dir = serving.Dir
		return exitCode(t, cmd), out.String()
	}
	code, said := beside("serve")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "another process serves sqlite://./fourinarow.db already")
	assert.Contains(t, said, "PostgreSQL", "how to serve with several")

	code, said = beside("migrate")
	assert.Zero(t, code, said)
	status, _ := p.get(t, "/readyz")
	assert.Equal(t, http.StatusOK, status, "the first one goes on")

	require.NoError(t, p.cmd.Process.Kill())
	require.Error(t, p.cmd.Wait())
	again, outAgain := command(t, nil)
	again.Dir = serving.Dir
	stopped(t, start(t, again, outAgain)) // a killed one stands in nobody's way
}

// The driver takes locks of open files where there are such locks; elsewhere those of processes have to do.
func TestShortCommandsTakeNoAcknowledgedWriteAwayFromAServiceThatIsKilled(t *testing.T) {
	t.Parallel()
	for name, ofd := range map[string]string{"locks of open files": "1", "locks of processes": "0"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := []string{"RATE_LIMIT=off", "MODERNC_SQLITE_OFD_LOCK=" + ofd}
			serving, servingOut := command(t, settings)
			tokens := writeBesideShortCommands(t, start(t, serving, servingOut))

			again, outAgain := command(t, settings)
			again.Dir = serving.Dir
			p := start(t, again, outAgain)
			for _, token := range tokens {
				p.post(t, token, "/v1/tables", `{"visibility":"public"}`)
			}
			stopped(t, p)
		})
	}
}

// writeBesideShortCommands opens 100 profiles while commands come and go beside the service, kills it, and returns the
// profiles' tokens.
func writeBesideShortCommands(t *testing.T, p process) []string {
	t.Helper()
	const writes, between = 100, 25
	tokens := make([]string, 0, writes)
	for i := range writes {
		if i%between == 0 {
			cmd, out := command(t, nil, "verify")
			cmd.Dir = p.cmd.Dir
			require.Zero(t, exitCode(t, cmd), "%s", out)
			_, said, code := adminToken(t, p, "create", fmt.Sprintf("ola%d@four.example", i))
			require.Zero(t, code, said)
		}
		tokens = append(tokens, find(t, p.post(t, "", "/v1/profiles", `{}`), "token"))
	}
	require.NoError(t, p.cmd.Process.Kill())
	require.Error(t, p.cmd.Wait())
	return tokens
}

// A program of before looks for the lock beside the file, another tool may look for the one on the file itself.
func TestBothTheFileAndTheOneBesideItAreLocked(t *testing.T) {
	t.Parallel()
	for _, locked := range []string{"fourinarow.db", "fourinarow.db.lock"} {
		if runtime.GOOS != "linux" && locked == "fourinarow.db" {
			continue
		}
		t.Run(locked, func(t *testing.T) {
			t.Parallel()
			cmd, out := command(t, nil)
			lock := flock.New(filepath.Join(cmd.Dir, locked))
			taken, err := lock.TryLock()
			require.NoError(t, err)
			require.True(t, taken)
			assert.Equal(t, 1, exitCode(t, cmd))
			assert.Contains(t, out.String(), "another process serves")
			require.NoError(t, lock.Unlock())
			again, outAgain := command(t, nil)
			again.Dir = cmd.Dir
			stopped(t, start(t, again, outAgain))
		})
	}
}
