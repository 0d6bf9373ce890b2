package main_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

func TestEveryCommandRefusesAFileWithTwoNames(t *testing.T) {
	t.Parallel()
	serving, servingOut := command(t, nil)
	p := start(t, serving, servingOut)
	other := t.TempDir()
	require.NoError(t, os.Link(filepath.Join(serving.Dir, "fourinarow.db"), filepath.Join(other, "fourinarow.db")))
	for _, args := range [][]string{{"migrate"}, {"verify"}, {"admin-token", "list"}, {"admin-token", "create", "ola"}, {"serve"}} {
		for _, dir := range []string{serving.Dir, other} {
			if args[0] == "serve" && dir == serving.Dir {
				stopped(t, p) // before it is told of the lock
			}
			cmd, out := command(t, nil, args...)
			cmd.Dir = dir
			assert.NotZero(t, exitCode(t, cmd), "%s in %s", args, dir)
			assert.Contains(t, out.String(), "the file has 2 names (hard links)", "%s in %s", args, dir)
		}
	}
	_, err := os.Stat(filepath.Join(other, "fourinarow.db-wal"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestAServiceWhoseFileIsRemovedWritesNothingMoreAndSaysWhy(t *testing.T) {
	t.Parallel()
	serving, servingOut := command(t, nil)
	p := start(t, serving, servingOut)
	token := find(t, p.post(t, "", "/v1/profiles", `{}`), "token")
	require.NoError(t, os.Remove(filepath.Join(serving.Dir, "fourinarow.db")))
	for range 3 {
		status, body := p.posts(t, token, "/v1/tables", `{"visibility":"public"}`)
		assert.Equal(t, http.StatusServiceUnavailable, status, body)
	}
	status, _ := p.get(t, "/v1/house-rules")
	assert.Equal(t, http.StatusOK, status, "reads go on")
	assert.Contains(t, servingOut.String(), "nothing is written any more")
	assert.Contains(t, servingOut.String(), "there is no "+filepath.Join(serving.Dir, "fourinarow.db"))
	assert.Equal(t, 1, strings.Count(servingOut.String(), "level=ERROR"), "%s", servingOut)
	stopped(t, p)
}

func TestAFileThatOthersCanReadIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	serving, servingOut := command(t, nil)
	p := start(t, serving, servingOut)
	p.post(t, "", "/v1/profiles", `{}`)
	assert.NotContains(t, servingOut.String(), "level=WARN")
	stopped(t, p)
	path := filepath.Join(serving.Dir, "fourinarow.db")
	require.NoError(t, os.Chmod(path, 0o644))
	again, out := command(t, nil)
	again.Dir = serving.Dir
	p = start(t, again, out)
	assert.Equal(t, 1, strings.Count(out.String(), "level=WARN"), "%s", out)
	assert.Contains(t, out.String(), "chmod 600 '"+path+"'")
	stopped(t, p)
}

func TestEveryCommandRefusesAForeignDatabase(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"serve"}, {"migrate"}, {"verify"}, {"admin-token", "list"}} {
		cmd, out := command(t, nil, args...)
		around, err := sql.Open("sqlite", filepath.Join(cmd.Dir, "fourinarow.db"))
		require.NoError(t, err)
		_, err = around.ExecContext(t.Context(), "CREATE TABLE letters (id INTEGER)")
		require.NoError(t, err)
		require.NoError(t, around.Close())
		assert.NotZero(t, exitCode(t, cmd), "%s", args)
		assert.Contains(t, out.String(), "tables that this service did not make (letters)", "%s", args)
	}
}
