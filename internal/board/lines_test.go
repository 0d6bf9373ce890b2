package board_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
)

func TestThereAre69Lines(t *testing.T) {
	t.Parallel()
	kinds := map[[2]int]int{}
	seen := map[board.Line]bool{}
	for _, line := range board.Lines() {
		step := [2]int{int(line[1].Column - line[0].Column), line[1].Row - line[0].Row}
		for i, field := range line {
			require.True(t, field.Valid(), "%v leaves the board", line)
			assert.Equal(t, int(line[0].Column)+i*step[0], int(field.Column), "%v isn't straight", line)
			assert.Equal(t, line[0].Row+i*step[1], field.Row, "%v isn't straight", line)
		}
		kinds[step]++
		seen[line] = true
	}
	assert.Len(t, seen, board.LineCount)
	assert.Equal(t, map[[2]int]int{{1, 0}: 24, {0, 1}: 21, {1, 1}: 12, {1, -1}: 12}, kinds)
}

// Every line decides a game for red and another for yellow, with its four fields and no others.
func TestEveryLineWinsForBothSides(t *testing.T) {
	t.Parallel()
	type win struct {
		side board.Side
		line board.Line
	}
	missing := map[win]bool{}
	for _, line := range board.Lines() {
		missing[win{board.Red, line}] = true
		missing[win{board.Yellow, line}] = true
	}
	random := rand.New(rand.NewPCG(69, 2))
	for games := 0; len(missing) > 0; games++ {
		require.Less(t, games, 200_000, "these lines were never won with: %v", missing)
		var p board.Position
		for !p.Over() {
			next, err := p.Play(anyMove(random, p))
			require.NoError(t, err)
			p = next
		}
		if fields := p.WinningFields(); len(fields) == 4 {
			delete(missing, win{p.Winner(), board.Line(fields)})
		}
	}
}

func TestLinesAreACopy(t *testing.T) {
	t.Parallel()
	lines := board.Lines()
	lines[0] = board.Line{}
	assert.NotEqual(t, lines, board.Lines())
}
