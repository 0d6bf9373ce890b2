package main_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// program is what is tested, made once for all tests.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "bookgen")
		if err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		program = filepath.Join(dir, "bookgen")
		if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			panic(fmt.Sprintf("build: %v\n%s", err, out))
		}
		return m.Run()
	}())
}

// readScores reads the published scores of a ply, as lines of pieces.
func readScores(t *testing.T, ply int) (keys []solver.Key, scores []int) {
	t.Helper()
	f, err := os.Open("../../internal/solver/testdata/exact_scores_ply_le8.tsv.gz")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	unzipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	prefix := fmt.Sprintf("%d\t", ply)
	for lines := bufio.NewScanner(unzipped); lines.Scan(); {
		line, ofPly := strings.CutPrefix(lines.Text(), prefix)
		if !ofPly {
			continue
		}
		var score int
		var key solver.Key
		_, err := fmt.Sscan(line, (*uint64)(&key), &score)
		require.NoError(t, err, line)
		keys, scores = append(keys, key), append(scores, score)
	}
	require.Len(t, keys, len(solver.Keys(ply)))
	return keys, scores
}

// writePieces writes finished pieces of 1000 positions.
func writePieces(t *testing.T, dir string, ply int, keys []solver.Key, scores []int) {
	t.Helper()
	scoreOf := map[solver.Key]int{}
	for i, key := range keys {
		scoreOf[key] = scores[i]
	}
	family := solver.FamilyKeys(ply)
	for start := 0; start < len(family); start += 1000 {
		var text bytes.Buffer
		for _, key := range family[start:min(start+1000, len(family))] {
			fmt.Fprintf(&text, "%013x %d\n", uint64(key), scoreOf[key])
		}
		name := filepath.Join(dir, fmt.Sprintf("%05d.txt", start/1000))
		require.NoError(t, os.WriteFile(name, text.Bytes(), 0o600))
	}
}

func TestAllPiecesTogetherMakeABook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys, scores := readScores(t, 6)
	writePieces(t, dir, 6, keys, scores)
	book := filepath.Join(dir, "out", "ply6.book")
	run := exec.CommandContext(t.Context(), program, "-ply", "6", "-pieces", dir, "-out", book)
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "8231 positions in 9 pieces, 9 of them finished")

	packed, err := os.ReadFile(book)
	require.NoError(t, err)
	unpacked, err := solver.ParseBook(packed)
	require.NoError(t, err)
	for i, key := range keys {
		score, ok := unpacked.ScoreKey(key)
		require.True(t, ok)
		require.Equal(t, scores[i], score)
	}
}

func TestAPieceThatIsNotAllThereIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"half a line":        "0081020408",
		"another position":   "0000000000001 3\n",
		"too few positions":  "",
		"a score of letters": "0081020408100 x\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			keys, scores := readScores(t, 5)
			writePieces(t, dir, 5, keys, scores)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "00001.txt"), []byte(text), 0o600))
			book := filepath.Join(dir, "ply5.book")
			out, err := exec.CommandContext(t.Context(), program, "-ply", "5", "-pieces", dir, "-out", book).CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(out), "00001.txt")
			assert.NoFileExists(t, book)
		})
	}
}

func TestAWrongScoreNeverBecomesABook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys, scores := readScores(t, 6)
	for i, score := range scores {
		if score == 18 { // a win with the fourth disc, plain to see
			scores[i] = 17
			break
		}
	}
	writePieces(t, dir, 6, keys, scores)
	book := filepath.Join(dir, "ply6.book")
	out, err := exec.CommandContext(t.Context(), program, "-ply", "6", "-pieces", dir, "-out", book).CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "not a book")
	assert.NoFileExists(t, book)
}

func TestAnInterruptedRunKeepsItsPiecesAndGoesOnLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys, scores := readScores(t, 5)
	writePieces(t, dir, 5, keys, scores)
	require.NoError(t, os.Remove(filepath.Join(dir, "00001.txt")))
	args := []string{"-ply", "5", "-pieces", dir, "-out", filepath.Join(dir, "ply5.book"), "-workers", "1"}
	for range 2 {
		run := exec.CommandContext(t.Context(), program, args...)
		stderr, err := run.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, run.Start())
		var said strings.Builder
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
			if strings.Contains(lines.Text(), "positions in 3 pieces, 2 of them finished") {
				require.NoError(t, run.Process.Signal(os.Interrupt))
			}
		}
		require.Error(t, run.Wait())
		assert.Contains(t, said.String(), "Finished pieces are kept")
	}
}

func TestNonsenseOnTheCommandLineIsRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-ply", "0"}, {"-ply", "13"}, {"-workers", "0"}, {"-colour", "red"}} {
		out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		require.Error(t, err, strings.Join(args, " "))
		assert.Contains(t, string(out), args[0])
	}
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), program, "-ply", "1", "-pieces", dir, "-out", filepath.Join(dir, "book"), "12").CombinedOutput()
	require.Error(t, err, "it is no ply")
	assert.Contains(t, string(out), `"12"`)
}
