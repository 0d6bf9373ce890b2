package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Keys is where a player's keys come from: one at a time from a terminal, or from lines. After the last one the error
// is io.EOF.
type Keys interface {
	Next(ctx context.Context) (rune, error)
}

// Adviser finds the best columns of a position; *solver.Solver and *solver.Pool do.
type Adviser interface {
	Best(ctx context.Context, p board.Position) (solver.Choice, error)
}

// Game is a game of a person against the CPU.
type Game struct {
	Human   board.Side
	Level   level.Name
	Seed    uint64 // the same seed and moves give the same answers
	CPU     cpu.Chooser
	Adviser Adviser
	Think   time.Duration // how long the CPU, or a hint, may take for a move
	Keys    Keys
	Out     io.Writer
	Screen  Screen

	course []board.Position // from the empty board to now
	moves  string
}

// Help says what the keys do.
const Help = "1-7 drop a disc, h hint, u take back, q quit"

// errQuit says that the player doesn't go on.
var errQuit = errors.New("the player quits")

// Play plays the game until it is over or the player quits, which is no error, nor is the end of ctx.
func (g *Game) Play(ctx context.Context) error {
	g.course, g.moves = []board.Position{{}}, ""
	if !g.Screen.Redraw {
		g.say("%s", g.about())
	}
	g.draw("")
	for !g.over() {
		err := g.turn(ctx)
		if ctx.Err() != nil || errors.Is(err, errQuit) {
			return g.quit()
		}
		if err != nil {
			return err
		}
	}
	g.say("%s\nMoves: %s", g.result(), g.moves)
	return nil
}

// about says who plays whom, and what the keys do.
func (g *Game) about() string {
	return fmt.Sprintf("You are %s, against the CPU (%s). %s.", g.Screen.side(g.Human), g.Level, Help)
}

// quit says goodbye. To quit is no error.
func (g *Game) quit() error {
	g.say("\nYou quit. Moves: %s", orDash(g.moves))
	return nil
}

func (g *Game) now() board.Position { return g.course[len(g.course)-1] }

// over tells whether the game has ended; a dead position is a draw, as at a table.
func (g *Game) over() bool { return g.now().Over() || g.now().Dead() }

func (g *Game) turn(ctx context.Context) error {
	if g.now().Turn() == g.Human {
		return g.ask(ctx)
	}
	return g.answer(ctx)
}

// answer lets the CPU play.
func (g *Game) answer(ctx context.Context) error {
	g.wait("The CPU thinks …")
	thinking, cancel := context.WithTimeout(ctx, g.Think)
	defer cancel()
	column, err := g.CPU.Choose(thinking, g.now(), g.now().LegalColumns(), g.Level, g.Seed)
	hurried := ""
	switch {
	case ctx.Err() != nil: // the player quits meanwhile
		return ctx.Err()
	case errors.Is(err, solver.ErrCutShort):
		hurried = " (the best it found in its time)"
	case err != nil:
		return fmt.Errorf("choose a column: %w", err)
	}
	g.drop(column)
	g.draw(fmt.Sprintf("The CPU plays %d%s.", column, hurried))
	return nil
}

// ask lets the player press a key.
func (g *Game) ask(ctx context.Context) error {
	g.prompt()
	key, err := g.Keys.Next(ctx)
	switch {
	case errors.Is(err, io.EOF):
		return errQuit
	case err != nil:
		return fmt.Errorf("read a key: %w", err)
	case key >= '1' && key <= '7':
		g.try(board.Column(key - '0'))
	case key == 'q', key == 'Q', key == interrupt, key == endOfText:
		return errQuit
	case key == 'h', key == 'H':
		g.wait("Looking for the best column …")
		g.draw(g.hint(ctx))
	case key == 'u', key == 'U':
		g.takeBack()
	default:
		g.draw(Help + ".")
	}
	return nil
}

// What Ctrl-C and Ctrl-D send while a terminal passes on single keys.
const (
	interrupt = '\x03'
	endOfText = '\x04'
)

// try plays a column if it is open.
func (g *Game) try(column board.Column) {
	if !g.now().CanPlay(column) {
		g.draw(fmt.Sprintf("Column %d is full.", column))
		return
	}
	g.drop(column)
	g.draw(fmt.Sprintf("You play %d.", column))
}

func (g *Game) drop(column board.Column) {
	next, err := g.now().Play(column)
	if err != nil {
		panic(err) // who calls has made sure
	}
	g.course = append(g.course, next)
	g.moves += fmt.Sprint(int(column))
}

// takeBack undoes the player's last move and the CPU's answer to it.
func (g *Game) takeBack() {
	first := 0
	if g.Human == board.Yellow {
		first = 1 // the CPU's first disc stays
	}
	if len(g.moves)-2 < first {
		g.draw("There is nothing to take back.")
		return
	}
	g.course, g.moves = g.course[:len(g.course)-2], g.moves[:len(g.moves)-2]
	g.draw("Taken back.")
}

// hint says which columns are best, and what they are worth.
func (g *Game) hint(ctx context.Context) string {
	thinking, cancel := context.WithTimeout(ctx, g.Think)
	defer cancel()
	best, err := g.Adviser.Best(thinking, g.now())
	if err != nil {
		return "There was no time to find the best column."
	}
	return fmt.Sprintf("Hint: %s (%s).", columnsOf(best.Columns), meaning(g.now().Ply(), best.Result))
}

func columnsOf(columns []board.Column) string {
	named := make([]string, len(columns))
	for i, c := range columns {
		named[i] = fmt.Sprint(int(c))
	}
	return strings.Join(named, ", ")
}

// result says how the game has ended.
func (g *Game) result() string {
	p := g.now()
	switch p.Winner() {
	case g.Human:
		return g.Screen.paint(bold, "You win!")
	case g.Human.Other():
		return g.Screen.paint(bold, "The CPU wins.")
	case board.Red, board.Yellow, board.NoSide:
	}
	if p.Full() {
		return g.Screen.paint(bold, "A draw.")
	}
	return g.Screen.paint(bold, "A draw: nobody can win any more.")
}

// draw shows the board and what there is to say. Where it takes the place of all that was said before, it says again who
// plays whom.
func (g *Game) draw(said string) {
	last := board.Field{}
	if len(g.moves) > 0 {
		last, _ = g.now().Top(board.Column(g.moves[len(g.moves)-1] - '0'))
	}
	if said != "" && !g.Screen.Redraw {
		g.say("%s", said)
	}
	g.say("\n%s", strings.TrimSuffix(g.Screen.Board(g.now(), last), "\n"))
	if g.Screen.Redraw {
		g.say("%s\n%s", g.about(), said)
	}
}

func (g *Game) prompt() { _, _ = fmt.Fprintf(g.Out, "%s> ", g.Screen.side(g.Human)) }

// say writes a line. Who cannot be told any more can't be told that either.
func (g *Game) say(format string, args ...any) { _, _ = fmt.Fprintf(g.Out, format+"\n", args...) }

// wait says what takes a moment, to somebody who sits there.
func (g *Game) wait(what string) {
	if g.Screen.Redraw {
		g.say("%s", what)
	}
}

func orDash(moves string) string {
	if moves == "" {
		return "-"
	}
	return moves
}
