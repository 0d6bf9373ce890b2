package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Searcher finds out about positions, and counts those it visits; *solver.Solver does.
type Searcher interface {
	analysis.Searcher
	Visited() uint64
}

// Solve writes what perfect play knows about the position after a game of moves: the board, what each column is worth,
// which are best, how the game would go on, and what it took to find out. It returns false when ctx ended before all
// of it was known, and an error when it can't be written. clock tells the time.
func Solve(ctx context.Context, out io.Writer, screen Screen, s Searcher, moves string, clock func() time.Time) (bool, error) {
	p, err := board.Parse(moves)
	if err != nil {
		return false, &MovesError{moves: moves, cause: err}
	}
	page := bufio.NewWriter(out) // it remembers a failure
	writePosition(page, screen, p, moves)
	if p.Over() {
		return true, page.Flush()
	}
	if err = page.Flush(); err != nil { // the search may take long
		return false, err
	}

	began, before := clock(), s.Visited()
	known, err := analysis.Read(ctx, s, p, analysis.Position{}, board.Position.LegalColumns)
	if err == nil {
		known.Line, err = analysis.Follow(ctx, s, p, known, board.Position.LegalColumns)
	}
	if err != nil {
		return false, fmt.Errorf("solve: %w", err)
	}
	took := clock().Sub(began)
	writeColumns(page, screen, p, known)
	ended := writeLine(page, p, known.Line)
	_, _ = fmt.Fprintf(page, "%s positions visited in %s\n", grouped(s.Visited()-before), took.Round(time.Millisecond/10))
	if !ended {
		_, _ = fmt.Fprintln(page, "Cut short: there was no time to find out the rest.")
	}
	return ended, page.Flush()
}

// writePosition writes the board and whose turn it is, or how the game has ended.
func writePosition(out io.Writer, screen Screen, p board.Position, moves string) {
	last := board.Field{}
	if moves != "" {
		last, _ = p.Top(board.Column(moves[len(moves)-1] - '0'))
	}
	_, _ = fmt.Fprint(out, screen.Board(p, last))
	if p.Over() {
		_, _ = fmt.Fprintln(out, screen.ended(p))
		return
	}
	_, _ = fmt.Fprintf(out, "Ply %d of %d: %s is to move.\n", p.Ply()+1, board.Fields, screen.side(p.Turn()))
}

// ended says how a position has ended.
func (s Screen) ended(p board.Position) string {
	if p.Winner() == board.NoSide {
		return "The game is over: a draw."
	}
	return "The game is over: " + s.side(p.Winner()) + " has won."
}

// writeColumns writes what is known about a position as a table and what follows from it.
func writeColumns(out io.Writer, screen Screen, p board.Position, known analysis.Position) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\ncolumn\tscore\tmeaning")
	for _, c := range known.Columns {
		best := ""
		if slices.Contains(known.Best, c.Column) {
			best = ", best"
		}
		_, _ = fmt.Fprintf(table, "%d\t%s\t%s%s\n", c.Column, scoreOf(c.Result), meaning(p.Ply(), c.Result), best)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintln(out)
	if len(known.Best) > 0 {
		_, _ = fmt.Fprintf(out, "Best:  %s\n", screen.paint(bold, columnsOf(known.Best)))
	}
}

// scoreOf writes a score, or the bounds of one.
func scoreOf(r solver.Result) string {
	if r.Exact() {
		return strconv.Itoa(r.Lower)
	}
	return fmt.Sprintf("%d..%d", max(r.Lower, -most), min(r.Upper, most))
}

// most is the highest score there is: of a win with the fourth disc.
const most = board.DiscsPerSide + 1 - 4

// grouped writes a number with its thousands apart.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// writeLine writes how a game would go on, if that is known, and tells whether it was followed to its end.
func writeLine(out io.Writer, p board.Position, line []board.Column) (ended bool) {
	if len(line) == 0 {
		return false
	}
	var moves strings.Builder
	for _, c := range line {
		moves.WriteString(strconv.Itoa(int(c)))
		next, err := p.Play(c)
		if err != nil {
			panic(err) // perfect play is legal
		}
		p = next
	}
	if !p.Over() {
		moves.WriteString("…")
	}
	_, _ = fmt.Fprintf(out, "Line:  %s\n", moves.String())
	return p.Over()
}
