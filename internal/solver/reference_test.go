package solver_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// A line is one line of the field's benchmark: moves and the exact score.
type line struct {
	moves string
	score int
}

// readSet reads one of the six benchmark sets.
func readSet(t *testing.T, name string) []line {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	var lines []line
	for text := range strings.Lines(string(data)) {
		moves, score, ok := strings.Cut(strings.TrimSpace(text), " ")
		require.True(t, ok, text)
		value, err := strconv.Atoi(score)
		require.NoError(t, err)
		lines = append(lines, line{moves: moves, score: value})
	}
	require.Len(t, lines, 500)
	return lines
}

// readReference reads the published scores of one ply, 0 to 8, in the order of the keys.
func readReference(t *testing.T, ply int) (keys []solver.Key, scores []int) {
	t.Helper()
	f, err := os.Open("testdata/exact_scores_ply_le8.tsv.gz")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	unzipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	for lines.Scan() {
		columns := strings.Split(lines.Text(), "\t")
		if columns[0] != strconv.Itoa(ply) {
			continue
		}
		key, err := strconv.ParseUint(columns[1], 10, 64)
		require.NoError(t, err)
		score, err := strconv.Atoi(columns[2])
		require.NoError(t, err)
		keys, scores = append(keys, solver.Key(key)), append(scores, score)
	}
	require.NoError(t, lines.Err())
	return keys, scores
}

// position parses a moves string that is known to be good.
func position(t *testing.T, moves string) board.Position {
	t.Helper()
	p, err := board.Parse(moves)
	require.NoError(t, err)
	return p
}
