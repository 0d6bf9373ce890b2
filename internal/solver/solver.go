package solver

import (
	"context"
	"errors"
	"math"

	"github.com/fourinarow/fourinarow/internal/board"
)

var (
	// ErrCutShort says that the budget was used up: the bounds returned with it are true, but not exact.
	ErrCutShort = errors.New("the search was cut short")
	// ErrGameOver says that the position has no move to score.
	ErrGameOver = errors.New("the game is over")
)

// A Result is what a search proved: the score lies between Lower and Upper, both included, seen from the
// side to move. A score is 22 minus the number of discs the winner will have played, negative when the
// other side wins, 0 for a draw; so it runs from -18 to 18.
type Result struct {
	Lower, Upper int
	Nodes        uint64 // positions visited
}

// Exact tells whether the score is known. It is then both Lower and Upper.
func (r Result) Exact() bool { return r.Lower == r.Upper }

// Options are the few choices a Solver leaves open. The zero value is good.
type Options struct {
	// EarlyTableBits sizes the large table: 2^EarlyTableBits entries of 8 bytes. 0 means 22, 32 MB.
	EarlyTableBits uint
	// Book is asked where it knows the answer; nil for none.
	Book *Book
	// Behind is a pool whose searches go first: while any of its Solvers is in use, this one pauses, for as
	// long as its context lasts. Nil for none.
	Behind *Pool
}

const (
	defaultEarlyTableBits = 22
	// lateTableBits makes a table of 1 MB.
	lateTableBits = 17
	// pauseEvery is how many positions are visited between two checks of the budget.
	pauseEvery = 4096
)

// A Solver searches positions, one at a time; it isn't safe for concurrent use. Its tables (33 MB by
// default) are allocated on first use and stay warm from one position to the next.
type Solver struct {
	options Options
	search  search
}

// New makes a Solver.
func New(options Options) *Solver {
	if options.EarlyTableBits == 0 {
		options.EarlyTableBits = defaultEarlyTableBits
	}
	return &Solver{options: options}
}

// Visited is how many positions the Solver has visited since it was made.
func (s *Solver) Visited() uint64 { return s.search.nodes }

type nodeLimitKey struct{}

// WithNodeLimit gives a context in which every search may visit this many positions, give or take 4096.
func WithNodeLimit(ctx context.Context, nodes uint64) context.Context {
	return context.WithValue(ctx, nodeLimitKey{}, nodes)
}

// begin readies the tables and the budget for one search.
func (s *Solver) begin(ctx context.Context) {
	if s.search.late == nil {
		s.search.late = newTable(lateTableBits)
		s.search.early = newTable(s.options.EarlyTableBits)
		s.search.book, s.search.bookPly = s.options.Book, -1
		if s.options.Book != nil {
			s.search.bookPly = s.options.Book.Ply()
		}
	}
	limit := uint64(math.MaxUint64)
	if n, ok := ctx.Value(nodeLimitKey{}).(uint64); ok {
		limit = s.search.nodes + n
	}
	s.search.stopped = false
	s.search.pauseAt = s.search.nodes
	s.search.pause = func() bool {
		s.search.pauseAt = s.search.nodes + pauseEvery
		if s.options.Behind != nil {
			s.options.Behind.quiet(ctx)
		}
		return s.search.nodes > limit || ctx.Err() != nil
	}
}

// Solve searches the score of a position in a window: a score between lo and hi comes out exact, of one
// at or below lo the Result says Upper <= lo, of one at or above hi it says Lower >= hi. Ask with
// (-22, 22) for the exact score, with (-1, 1) for won, drawn or lost.
//
// It returns ErrGameOver for a position without a move, and ErrCutShort with what was proven until then
// when the context ended or its node limit (WithNodeLimit) was reached.
func (s *Solver) Solve(ctx context.Context, position board.Position, lo, hi int) (Result, error) {
	current, mask := position.Bits()
	if over(current, mask) {
		return Result{}, ErrGameOver
	}
	return s.run(ctx, func() Result { return s.search.solve(current, mask, lo, hi, noGuess) })
}

// run does one search within the budget of the context.
func (s *Solver) run(ctx context.Context, search func() Result) (Result, error) {
	s.begin(ctx)
	began := s.search.nodes
	r := search()
	r.Nodes = s.search.nodes - began
	if s.search.stopped {
		return r, ErrCutShort
	}
	return r, nil
}

// over tells whether the board is full or the side that moved last has four in a row.
func over(current, mask uint64) bool {
	return mask == allFields || hasFour(current^mask)
}
