package solver

import (
	"context"
	"math/bits"
	"slices"

	"github.com/fourinarow/fourinarow/internal/board"
)

// A ColumnScore is what a column is worth to the side to move, by the same measure as the position.
type ColumnScore struct {
	Column board.Column
	Result
}

// Analyze scores every column that can be played, from left to right. The errors are those of Solve; with
// ErrCutShort come the bounds proven until then, which for some columns may be exact.
func (s *Solver) Analyze(ctx context.Context, position board.Position) ([]ColumnScore, error) {
	return s.Refine(ctx, position, nil)
}

// Refine is Analyze that goes on from what it returned before, when it was cut short. What is exact already
// costs nothing.
func (s *Solver) Refine(ctx context.Context, position board.Position, known []ColumnScore) ([]ColumnScore, error) {
	current, mask := position.Bits()
	if over(current, mask) {
		return nil, ErrGameOver
	}
	s.begin(ctx)
	scores := make([]ColumnScore, 0, columns)
	guess := noGuess
	for moves := playable(mask); moves != 0; moves &= moves - 1 {
		began := s.search.nodes
		r := boundsOf(columnOf(moves), known)
		if !r.Exact() {
			found := s.search.solveMove(current, mask, moves&-moves, r.Lower-1, r.Upper+1, guess)
			r = Result{Lower: max(r.Lower, found.Lower), Upper: min(r.Upper, found.Upper), Nodes: s.search.nodes - began}
		}
		if r.Exact() {
			guess = r.Lower
		}
		scores = append(scores, ColumnScore{Column: columnOf(moves), Result: r})
	}
	if s.search.stopped {
		return scores, ErrCutShort
	}
	return scores, nil
}

// boundsOf gives what is known of a column.
func boundsOf(column board.Column, known []ColumnScore) Result {
	for _, k := range known {
		if k.Column == column {
			return Result{Lower: k.Lower, Upper: k.Upper}
		}
	}
	return Result{Lower: -maxScore, Upper: maxScore}
}

// A Choice is the exact score of a position and every column that reaches it, from left to right.
type Choice struct {
	Result
	Columns []board.Column
}

// Best finds the best columns: those that win as fast, draw, or lose as late as possible. It is cheaper
// than Analyze, since the other columns are only shown to be worse. The errors are those of Solve; with
// ErrCutShort the Choice has the columns that were proven to be among the best by then, which may be none.
func (s *Solver) Best(ctx context.Context, position board.Position) (Choice, error) {
	current, mask := position.Bits()
	if over(current, mask) {
		return Choice{}, ErrGameOver
	}
	s.begin(ctx)
	began := s.search.nodes
	best := Choice{Result: s.search.solve(current, mask, -maxScore-1, maxScore+1, noGuess)}
	if !s.search.stopped {
		best.Columns = s.reaching(current, mask, best.Lower)
	}
	best.Nodes = s.search.nodes - began
	if s.search.stopped {
		return best, ErrCutShort
	}
	return best, nil
}

// Reaching finds the best columns of a position whose score is known, from left to right. The errors are those of
// Best.
func (s *Solver) Reaching(ctx context.Context, position board.Position, score int) ([]board.Column, error) {
	current, mask := position.Bits()
	if over(current, mask) {
		return nil, ErrGameOver
	}
	s.begin(ctx)
	columns := s.reaching(current, mask, score)
	if s.search.stopped {
		return columns, ErrCutShort
	}
	return columns, nil
}

// reaching lists the columns that reach a score, which none exceeds; when the time is up, those found by then. It
// begins in the middle, where the best are most often.
func (s *Solver) reaching(current, mask uint64, score int) []board.Column {
	var found []board.Column
	for _, column := range middleFirst {
		move := playable(mask) & column
		if move == 0 || s.search.stopped {
			continue
		}
		if r := s.search.solveMove(current, mask, move, score-1, score, score); r.Lower >= score {
			found = append(found, columnOf(move))
		}
	}
	slices.Sort(found)
	return found
}

// solveMove finds the score that a move has for the side that makes it, within a window.
func (s *search) solveMove(current, mask, move uint64, lo, hi, guess int) Result {
	score := 0
	switch {
	case hasFour(current | move):
		score = winAt(plyOf(mask))
	case mask|move == allFields:
	default:
		if guess != noGuess {
			guess = -guess
		}
		r := s.solve(current^mask, mask|move, -hi, -lo, guess)
		return Result{Lower: -r.Upper, Upper: -r.Lower}
	}
	return Result{Lower: score, Upper: score}
}

// columnOf gives the column of the lowest field in a set.
func columnOf(moves uint64) board.Column {
	return board.Column(bits.TrailingZeros64(moves)/stride + 1)
}
