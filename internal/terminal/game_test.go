package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/terminal"
)

// scripted is a CPU that plays columns as told.
type scripted struct {
	columns string
	err     error
}

// Choose plays the next column.
func (s *scripted) Choose(context.Context, board.Position, []board.Column, level.Name, uint64) (board.Column, error) {
	next := board.Column(s.columns[0] - '0')
	s.columns = s.columns[1:]
	return next, s.err
}

// wise knows one answer.
type wise struct {
	choice solver.Choice
	err    error
}

// Best gives it.
func (w wise) Best(context.Context, board.Position) (solver.Choice, error) { return w.choice, w.err }

// played plays a game with keys against a CPU that plays columns, and returns what the player saw.
func played(t *testing.T, keys, columns string, options ...func(*terminal.Game)) string {
	t.Helper()
	var out bytes.Buffer
	g := terminal.Game{
		Human: board.Red, Level: level.Easy, Seed: 1, CPU: &scripted{columns: columns}, Think: time.Minute,
		Adviser: wise{choice: solver.Choice{Result: solver.Result{Lower: -2, Upper: -2}, Columns: []board.Column{2, 6}}},
		Keys:    terminal.NewReader(strings.NewReader(keys)), Out: &out,
	}
	for _, o := range options {
		o(&g)
	}
	require.NoError(t, g.Play(t.Context()))
	return out.String()
}

func yellow(g *terminal.Game) { g.Human = board.Yellow }

func TestAGameIsPlayedToItsEnd(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		what, keys, columns string
		options             []func(*terminal.Game)
		end                 string
	}{
		{"the player wins", "1111", "234", nil, "You win!\nMoves: 1213141\n"},
		{"the CPU wins", "2347", "1111", nil, "The CPU wins.\nMoves: 21314171\n"},
		{"the CPU begins", "2347", "11117", []func(*terminal.Game){yellow}, "The CPU wins.\nMoves: 1213141\n"},
		{"the player wins as yellow", "1111", "2347", []func(*terminal.Game){yellow}, "You win!\nMoves: 21314171\n"},
		{"lines as well as keys", "1\n 1\r\n1\n\n1\n", "234", nil, "You win!\nMoves: 1213141\n"},
		{"nobody can win any more", every(dead, 0), every(dead, 1), nil, "A draw: nobody can win any more.\nMoves: " + dead + "\n"},
		{"nobody has won", every(full, 0), every(full, 1), nil, "A draw.\nMoves: " + full + "\n"},
		{"a key that quits", "1q111", "234", nil, "You quit. Moves: 12\n"},
		{"Ctrl-C", "\x03", "", nil, "You quit. Moves: -\n"},
		{"no more keys", "11", "23", nil, "You quit. Moves: 1213\n"},
	} {
		seen := played(t, row.keys, row.columns, row.options...)
		assert.True(t, strings.HasSuffix(seen, row.end), "%s: %s", row.what, seen)
	}
}

const (
	dead = "7764264462462224664277153153311355"
	full = "525555776252742437426111231136747143336646"
)

// every gives every second move, from the first or the second on.
func every(moves string, from int) string {
	var half []byte
	for i := from; i < len(moves); i += 2 {
		half = append(half, moves[i])
	}
	return string(half)
}

func TestTheBoardShowsTheLastDiscAndTheWinningOnes(t *testing.T) {
	t.Parallel()
	seen := played(t, "1111", "234")
	assert.Contains(t, seen, `You play 1.

  1  2  3  4  5  6  7 
| .  .  .  .  .  .  . |
| .  .  .  .  .  .  . |
| .  .  .  .  .  .  . |
| .  .  .  .  .  .  . |
|(R) .  .  .  .  .  . |
| R  Y  .  .  .  .  . |
+---------------------+
`)
	assert.Contains(t, seen, `
|[R] .  .  .  .  .  . |
|[R] .  .  .  .  .  . |
|[R] .  .  .  .  .  . |
|[R] Y  Y  Y  .  .  . |
+---------------------+
`)
	assert.NotContains(t, seen, "\x1b", "no colours unless they are welcome")
}

func TestColoursAndShapesStandForTheLetters(t *testing.T) {
	t.Parallel()
	colourful := played(t, "1111", "234", func(g *terminal.Game) { g.Screen = terminal.Screen{Colour: true, Redraw: true} })
	assert.Contains(t, colourful, "\x1b[91m●\x1b[0m")
	assert.Contains(t, colourful, "\x1b[93m◆\x1b[0m")
	assert.Contains(t, colourful, "\x1b[H\x1b[J", "the board is drawn over the one before")
	assert.Contains(t, colourful, "The CPU thinks")
	screens := strings.Split(colourful, "\x1b[H\x1b[J")
	for _, screen := range screens[1:] {
		assert.Contains(t, screen, "h hint", "each board has the keys below it")
	}
	plain := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colourful, "")
	assert.Contains(t, plain, "|[●] ◆  ◆  ◆  .  .  . |")
}

func TestAFullColumnAndOtherKeysCostNothing(t *testing.T) {
	t.Parallel()
	seen := played(t, "444"+"4"+"08x-é"+"\x1b[3~\x1b[A\x1bOP"+"5"+"q", "4442")
	assert.Contains(t, seen, "Column 4 is full.")
	assert.Equal(t, 6, strings.Count(seen, "1-7 drop a disc"), "the first line, and an answer to each key that does nothing")
	assert.True(t, strings.HasSuffix(seen, "You quit. Moves: 44444452\n"), seen)
}

func TestMovesAreTakenBack(t *testing.T) {
	t.Parallel()
	seen := played(t, "u1u2uuq", "345")
	assert.Equal(t, 2, strings.Count(seen, "There is nothing to take back."))
	assert.Equal(t, 2, strings.Count(seen, "Taken back."))
	assert.Contains(t, seen, "You quit. Moves: -")
	seen = played(t, "u1uq", "445", yellow)
	assert.Equal(t, 1, strings.Count(seen, "There is nothing to take back."), "the CPU's first disc stays")
	assert.Contains(t, seen, "You quit. Moves: 4\n")
}

func TestAHintSaysWhichColumnsAreBestAndWhy(t *testing.T) {
	t.Parallel()
	assert.Contains(t, played(t, "hq", ""), "Hint: 2, 6 (loss in 20 (ply 40)).")
	assert.Contains(t, played(t, "hq", "", func(g *terminal.Game) { g.Adviser = wise{err: solver.ErrCutShort} }),
		"There was no time to find the best column.")
}

func TestACPUOutOfTimePlaysAndSaysSo(t *testing.T) {
	t.Parallel()
	seen := played(t, "1q", "2", func(g *terminal.Game) { g.CPU = &scripted{columns: "2", err: solver.ErrCutShort} })
	assert.Contains(t, seen, "The CPU plays 2 (the best it found in its time).")
	broken := terminal.Game{
		Human: board.Yellow, CPU: &scripted{columns: "2", err: errors.New("broken")}, Think: time.Minute,
		Keys: terminal.NewReader(strings.NewReader("")), Out: io.Discard,
	}
	require.ErrorContains(t, broken.Play(t.Context()), "broken")
}

// Whoever plays any keys against the real CPU, the game ends and its moves are a game.
func TestGamesAgainstTheRealCPUEnd(t *testing.T) {
	t.Parallel()
	solvers := solver.NewPool(1, solver.Options{EarlyTableBits: 16})
	random := rand.New(rand.NewPCG(4, 1))
	for _, name := range []level.Name{level.Easy, level.Medium, level.Hard} {
		for range 5 {
			keys := make([]byte, 600)
			for i := range keys {
				keys[i] = "1234567"[random.IntN(7)]
			}
			seen := played(t, string(keys), "", func(g *terminal.Game) { g.Level, g.CPU = name, cpu.New(solvers) })
			end := regexp.MustCompile(`(You win!|The CPU wins\.|A draw.*)\nMoves: ([1-7]+)\n$`).FindStringSubmatch(seen)
			require.NotNil(t, end, seen)
			p, err := board.Parse(end[2])
			require.NoError(t, err)
			assert.True(t, p.Over() || p.Dead())
			assert.Equal(t, p.Winner() == board.Red, end[1] == "You win!")
		}
	}
}

func TestTheEndOfTheContextEndsAGameThatWaitsForAKey(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, typing := io.Pipe()
	t.Cleanup(func() { _ = typing.Close() })
	var out bytes.Buffer
	g := terminal.Game{Human: board.Red, Level: level.Easy, CPU: &scripted{columns: "2"}, Think: time.Minute, Keys: terminal.NewReader(in), Out: &out}
	go func() {
		_, _ = typing.Write([]byte("1"))
		cancel()
	}()
	require.NoError(t, g.Play(ctx))
	assert.Contains(t, out.String(), "You quit.")
}

// interrupted is a CPU that is thinking when the player quits.
type interrupted struct{ quit context.CancelFunc }

// Choose gives what it has found by then.
func (i interrupted) Choose(context.Context, board.Position, []board.Column, level.Name, uint64) (board.Column, error) {
	i.quit()
	return 2, solver.ErrCutShort
}

func TestWhoQuitsWhileTheCPUThinksSeesNoMoreOfIt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	g := terminal.Game{
		Human: board.Red, Level: level.Perfect, CPU: interrupted{quit: cancel}, Think: time.Minute,
		Keys: terminal.NewReader(strings.NewReader("1")), Out: &out,
	}
	require.NoError(t, g.Play(ctx))
	assert.NotContains(t, out.String(), "The CPU plays")
	assert.True(t, strings.HasSuffix(out.String(), "You quit. Moves: 1\n"), out.String())
}
