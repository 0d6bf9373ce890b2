package main_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
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
		{[]string{"play", "--level", "god"}, `--level "god": want one of ` + strings.Join(level.Names(), ", ")},
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

func TestPositionsAreSolved(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"solve", "7422341735647741166133573473242566"}, 0, "2       1      win in 4 (ply 41), best\n"},
		{[]string{"solve", "--timeout", "1m", "7422341735647741166133573473242566"}, 0, "Best:  2, 6\n"},
		{[]string{"solve", "1212121"}, 0, "The game is over: red has won."},
		{[]string{"solve", "1234", "--timeout=1ns"}, 3, "Cut short"},
		{[]string{"solve", "4444444"}, 2, "move 7 goes into a full column\n  4444444\n        ^"},
		{[]string{"solve", "x"}, 2, "move 1 is not a column from 1 to 7"},
		{[]string{"solve", "4", "4"}, 2, "solve takes one moves string, not 2"},
		{[]string{"solve", "--timeout", "-1s"}, 2, "--timeout -1s: want 0 or more"},
		{[]string{"solve", "--help"}, 0, "-timeout"},
	} {
		code, seen := typed(t, "", row.args...)
		assert.Equal(t, row.code, code, "%v: %s", row.args, seen)
		assert.Contains(t, seen, row.says)
		assert.NotContains(t, seen, "\x1b", "no colours in a file")
	}
	for _, empty := range [][]string{{"solve"}, {"solve", "-"}, {"solve", ""}} {
		_, seen := typed(t, "", append(empty, "--timeout", "1ns")...)
		assert.Contains(t, seen, "Ply 1 of 42: red is to move.")
	}
}
