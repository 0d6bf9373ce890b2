package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/terminal"
)

// ticking is a clock that is 1.25 seconds later each time.
func ticking() func() time.Time {
	now := time.Date(2026, 9, 22, 10, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(1250 * time.Millisecond)
		return now
	}
}

// solved solves a position and returns what was written, and whether all of it was found out.
func solved(ctx context.Context, moves string) (string, bool, error) {
	var out bytes.Buffer
	found, err := terminal.Solve(ctx, &out, terminal.Screen{}, solver.New(solver.Options{EarlyTableBits: 16}), moves, ticking())
	return out.String(), found, err
}

// fullDisk is one without room.
type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWhatCannotBeWrittenIsAFailure(t *testing.T) {
	t.Parallel()
	for _, moves := range []string{"7422341735647741166133573473242566", "1213141"} {
		_, err := terminal.Solve(t.Context(), fullDisk{}, terminal.Screen{}, solver.New(solver.Options{EarlyTableBits: 16}), moves, ticking())
		require.ErrorIs(t, err, errFull, moves)
	}
}

func TestAPositionIsExplainedColumnByColumn(t *testing.T) {
	t.Parallel()
	seen, found, err := solved(t.Context(), "7422341735647741166133573473242566")
	require.NoError(t, err)
	assert.True(t, found)
	table, line, _ := strings.Cut(seen, "Line:")
	assert.Equal(t, `  1  2  3  4  5  6  7 
| .  .  Y  Y  .  .  R |
| .  .  R  Y  . (Y) Y |
| Y  R  Y  R  .  R  Y |
| R  R  R  Y  Y  R  R |
| Y  Y  R  Y  R  Y  Y |
| R  R  R  Y  Y  R  R |
+---------------------+
Ply 35 of 42: red is to move.

column  score  meaning
1       -3     loss in 2 (ply 38)
2       1      win in 4 (ply 41), best
5       -4     loss in 1 (ply 36)
6       1      win in 4 (ply 41), best

Best:  2, 6
`, table)
	assert.Regexp(t, `^  [26][12567]{6}\n[1-9][0-9,]* positions visited in 1\.25s\n$`, line)
}

// Each position goes on as its line says, and ends when its score says.
func TestLinesEndWhenScoresSay(t *testing.T) {
	t.Parallel()
	set, err := os.ReadFile("../solver/testdata/Test_L3_R1")
	require.NoError(t, err)
	checked := 0
	for text := range strings.Lines(string(set)) {
		moves, score, _ := strings.Cut(strings.TrimSpace(text), " ")
		if checked++; checked > 60 {
			break
		}
		seen, found, err := solved(t.Context(), moves)
		require.NoError(t, err)
		require.True(t, found)
		best := regexp.MustCompile(`(?m)^\d +(-?\d+) +(draw|win in (\d+) \(ply (\d+)\)|loss in (\d+) \(ply (\d+)\)), best$`).FindStringSubmatch(seen)
		require.NotNil(t, best, seen)
		assert.Equal(t, score, best[1], moves)
		line := regexp.MustCompile(`(?m)^Line: +([1-7]+)$`).FindStringSubmatch(seen)
		require.NotNil(t, line, seen)
		end, err := board.Parse(moves + line[1])
		require.NoError(t, err)
		assert.True(t, end.Over(), "the line goes to the end")
		if best[2] == "draw" {
			assert.Equal(t, board.NoSide, end.Winner())
			continue
		}
		in, ply := number(t, best[3]+best[5]), number(t, best[4]+best[6])
		assert.Equal(t, ply, end.Ply(), moves)
		assert.Equal(t, in, (len(line[1])+1)/2, "%s: the winner's discs from now on", moves)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func TestASearchCutShortSaysSoAndClaimsNothing(t *testing.T) {
	t.Parallel()
	seen, found, err := solved(solver.WithNodeLimit(t.Context(), 5_000), "44")
	require.NoError(t, err)
	assert.False(t, found)
	assert.Contains(t, seen, "Cut short: there was no time to find out the rest.\n")
	assert.Contains(t, seen, "not known")
	assert.NotContains(t, seen, "best")
	assert.NotContains(t, seen, "Line:")
	for _, bounds := range regexp.MustCompile(`(-?\d+)\.\.(-?\d+)`).FindAllStringSubmatch(seen, -1) {
		assert.GreaterOrEqual(t, number(t, bounds[1]), -18)
		assert.LessOrEqual(t, number(t, bounds[2]), 18)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, found, err = solved(ended, "44")
	require.NoError(t, err)
	assert.False(t, found)
}

func TestAGameThatIsOverHasNothingToSolve(t *testing.T) {
	t.Parallel()
	for moves, says := range map[string]string{
		"1212121":  "The game is over: red has won.\n",
		"21314171": "The game is over: yellow has won.\n",
		full:       "The game is over: a draw.\n",
	} {
		seen, found, err := solved(t.Context(), moves)
		require.NoError(t, err)
		assert.True(t, found)
		assert.True(t, strings.HasSuffix(seen, says), seen)
	}
}

func TestImpossibleMovesAreShown(t *testing.T) {
	t.Parallel()
	for moves, says := range map[string]string{
		"4444444":               "move 7 goes into a full column\n  4444444\n        ^",
		"12121212":              "move 8 comes after the end of the game\n  12121212\n         ^",
		"448":                   "move 3 is not a column from 1 to 7\n  448\n    ^",
		"4 4":                   "move 2 is not a column from 1 to 7\n  4 4\n   ^",
		"é":                     "move 1 is not a column from 1 to 7",
		"4\x1b[2J":              "move 2 is not a column from 1 to 7",
		strings.Repeat("1", 43): "move 43 is more than the board has fields\n  " + strings.Repeat("1", 43) + "\n  " + strings.Repeat(" ", 42) + "^",
	} {
		seen, _, err := solved(t.Context(), moves)
		var wrong *terminal.MovesError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, says, err.Error())
		assert.Empty(t, seen)
	}
}
