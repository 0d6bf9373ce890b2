package cpu

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// A CPU chooses columns. It is safe for concurrent use.
type CPU struct {
	solvers *solver.Pool
}

// New makes a CPU that asks these solvers.
func New(solvers *solver.Pool) *CPU { return &CPU{solvers: solvers} }

// Choose picks one of the columns that are legal for the side to move: all that the board takes, or fewer where the
// rules of a game forbid some. It refuses a game that is over, without a legal column (solver.ErrGameOver), and an
// unknown level (level.UnknownError). When the context ends while it thinks, it returns the best column it found
// together with an error that wraps solver.ErrCutShort.
func (c *CPU) Choose(ctx context.Context, p board.Position, legal []board.Column, name level.Name, seed uint64) (board.Column, error) {
	if p.Over() || len(legal) == 0 {
		return 0, solver.ErrGameOver
	}
	current, mask := p.Bits()
	random := rand.New(rand.NewPCG(seed, current<<1^mask)) //nolint:gosec // a game needs variety, not secrecy
	l, err := level.Of(name)
	if err != nil {
		return 0, err
	}
	if wins := playableThreats(p, p.Turn(), legal); len(wins) > 0 {
		return pick(random, wins), nil
	}
	// Anything but a block loses at once, so a block is always among the best.
	losses := playableThreats(p, p.Turn().Other(), legal)
	if len(losses) > 0 && (l.BlocksOne == 1 || random.IntN(l.BlocksOne) == 0) {
		return pick(random, losses), nil
	}
	switch {
	case p.Ply() >= l.ExactPly:
		return c.best(ctx, p, legal, l.Plies, random)
	case l.Plies == 0:
		return anywhere(legal, random), nil
	default:
		return blurred(p, legal, l.Plies, l.Blur, random), nil
	}
}

// best picks one of the columns with the best exact score; when there is no time to find all of them, one of
// those that were found, or else one of those that look best some plies ahead.
func (c *CPU) best(ctx context.Context, p board.Position, legal []board.Column, plies int, random *rand.Rand) (board.Column, error) {
	choice, err := c.solvers.Best(ctx, p)
	columns := among(legal, choice.Columns)
	if err == nil && len(columns) == 0 { // the best of all are forbidden
		columns, err = c.bestOf(ctx, p, legal)
	}
	switch {
	case err == nil:
		return pick(random, columns), nil
	case errors.Is(err, solver.ErrCutShort) && len(columns) > 0:
		return pick(random, columns), err
	case !errors.Is(err, solver.ErrCutShort):
		err = fmt.Errorf("%w: no solver was free: %w", solver.ErrCutShort, err)
	}
	return blurred(p, legal, plies, 0, random), err
}

// bestOf finds those of some columns that have the best exact score among them.
func (c *CPU) bestOf(ctx context.Context, p board.Position, legal []board.Column) ([]board.Column, error) {
	scores, err := c.solvers.Analyze(ctx, p)
	if err != nil {
		return nil, err
	}
	var best []board.Column
	most := 0
	for _, score := range scores {
		if !slices.Contains(legal, score.Column) {
			continue
		}
		if len(best) == 0 || score.Lower > most {
			best, most = best[:0], score.Lower
		}
		if score.Lower == most {
			best = append(best, score.Column)
		}
	}
	return best, nil
}

// among returns those of some columns that are legal.
func among(legal, columns []board.Column) []board.Column {
	var found []board.Column
	for _, column := range columns {
		if slices.Contains(legal, column) {
			found = append(found, column)
		}
	}
	return found
}

// playableThreats lists the legal columns in which a side would complete a line if it were to move.
func playableThreats(p board.Position, side board.Side, legal []board.Column) []board.Column {
	var found []board.Column
	for _, t := range p.Threats(side) {
		if t.Playable {
			found = append(found, t.Field.Column)
		}
	}
	return among(legal, found)
}

// anywhere plays in any legal column, three times as gladly in the middle as at the edge.
func anywhere(legal []board.Column, random *rand.Rand) board.Column {
	var drawn []board.Column
	for _, column := range legal {
		for range [board.Columns]int{1, 2, 2, 3, 2, 2, 1}[column-1] {
			drawn = append(drawn, column)
		}
	}
	return pick(random, drawn)
}

// blurred looks some plies ahead, its own with them, and picks the best legal column by what it sees, give or take the
// blur. A win or loss it sees is never blurred.
func blurred(p board.Position, legal []board.Column, plies, blur int, random *rand.Rand) board.Column {
	var best []board.Column
	most := 0
	for _, e := range solver.EstimateColumns(p, plies-1) {
		if !slices.Contains(legal, e.Column) {
			continue
		}
		value := e.Value
		if blur > 0 && value < solver.Decided && value > -solver.Decided {
			value += random.IntN(2*blur+1) - blur
		}
		if len(best) == 0 || value > most {
			best, most = best[:0], value
		}
		if value == most {
			best = append(best, e.Column)
		}
	}
	return pick(random, best)
}

func pick(random *rand.Rand, columns []board.Column) board.Column {
	return columns[random.IntN(len(columns))]
}
