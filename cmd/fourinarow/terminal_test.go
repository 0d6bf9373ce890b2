package main_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
)

// typed runs a command with lines to read and returns its exit code and what it wrote.
func typed(t *testing.T, lines string, args ...string) (int, string) {
	t.Helper()
	cmd, out := command(t, nil, args...)
	cmd.Stdin = strings.NewReader(lines)
	return exitCode(t, cmd), out.String()
}

func TestAGameIsPlayedFromLines(t *testing.T) {
	t.Parallel()
	keys := strings.Repeat("1\n2\n3\n4\n5\n6\n7\n", 42)
	for _, args := range [][]string{
		{"play", "--level", "easy", "--seed", "7"},
		{"play", "--level=hard", "--first", "cpu", "--seed=7"},
		{"play", "-first", "me", "-level", "medium"},
		{"play", "--level", "perfect", "--think", "50ms"},
	} {
		code, seen := typed(t, keys, args...)
		assert.Zero(t, code, seen)
		end := regexp.MustCompile(`(You win!|The CPU wins\.|A draw.*)\nMoves: ([1-7]+)\n$`).FindStringSubmatch(seen)
		require.NotNil(t, end, seen)
		p, err := board.Parse(end[2])
		require.NoError(t, err)
		assert.True(t, p.Over() || p.Dead(), end[2])
		assert.NotContains(t, seen, "\x1b", "no colours in a file")
	}
}

func TestTheSameSeedPlaysTheSameGame(t *testing.T) {
	t.Parallel()
	keys := strings.Repeat("1234567", 42)
	_, once := typed(t, keys, "play", "--seed", "12", "--level", "easy")
	_, twice := typed(t, keys, "play", "--seed", "12", "--level", "easy")
	assert.Equal(t, once, twice)
}

func TestAWrongWayToPlayIsExplained(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"play", "--level", "god"}, `--level "god": want one of easy, medium, hard, perfect`},
		{[]string{"play", "--first", "you"}, `--first "you": want me or cpu`},
		{[]string{"play", "--seed", "x"}, "seed"},
		{[]string{"play", "--think", "0s"}, "--think 0s: want more than 0"},
		{[]string{"play", "--loudly"}, "flag provided but not defined: -loudly"},
		{[]string{"play", "chess"}, `play takes no "chess"`},
	} {
		code, seen := typed(t, "", row.args...)
		assert.Equal(t, 2, code, row.args)
		assert.Contains(t, seen, row.says)
	}
	code, seen := typed(t, "", "play", "--help")
	assert.Zero(t, code)
	assert.Contains(t, seen, "-level")
}
