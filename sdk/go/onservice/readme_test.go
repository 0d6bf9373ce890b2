package onservice_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var program = regexp.MustCompile("(?ms)^```go\n(package main.*?)^```$")

// The programs of the README are built and run as they stand there.
func TestTheProgramsOfTheReadmePlay(t *testing.T) {
	t.Parallel()
	url := serve(t)
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	programs := program.FindAllStringSubmatch(string(readme), -1)
	require.Len(t, programs, 2)

	firstMove := built(t, programs[0][1])
	for range 2 { // the second time it is the same player
		board, err := run(t, firstMove, url).Output()
		require.NoError(t, err)
		assert.Contains(t, string(board), "...R...")
	}

	game := run(t, built(t, programs[1][1]), url)
	out, err := game.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, game.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	friend := guest(t, url)
	table, err := friend.Tables.JoinByCode(t.Context(), lines.Text())
	require.NoError(t, err)
	for state, err := range friend.FollowTable(t.Context(), table.ID) {
		require.NoError(t, err)
		if state.CanMove {
			_, err = friend.Move(t.Context(), state, int(state.LegalColumns[0]))
			require.NoError(t, err)
		}
	}
	require.True(t, lines.Scan())
	assert.Regexp(t, `^[1-7]{7,42} (win|draw)$`, lines.Text())
	require.NoError(t, game.Wait())
}

// built is the path of a program.
func built(t *testing.T, source string) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(source), 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(folder, "program"), filepath.Join(folder, "main.go"))
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	return filepath.Join(folder, "program")
}

// run is the program in its own folder, where it keeps its tokens.
func run(t *testing.T, program, url string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, url)
	command.Dir, command.Stderr = filepath.Dir(program), os.Stderr
	return command
}
