package cpu

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

const (
	// mediumPlies and hardPlies are how far the two levels look beyond their own move.
	mediumPlies = 2
	hardPlies   = 7
	// mediumBlur is up to how much medium misjudges a position; a useful threat is worth 32.
	mediumBlur = 30
	// hardBlur makes hard vary its openings.
	hardBlur = 3
	// hardExactPly is the first ply at which hard asks for exact scores: a millisecond there, more before.
	hardExactPly = 20
)

// A CPU chooses columns. It is safe for concurrent use.
type CPU struct {
	solvers *solver.Pool
}

// New makes a CPU that asks these solvers.
func New(solvers *solver.Pool) *CPU { return &CPU{solvers: solvers} }

// Choose picks a column for the side to move. It refuses a game that is over (solver.ErrGameOver) and an
// unknown level (UnknownLevelError). When the context ends while it thinks, it returns the best column it
// found together with an error that wraps solver.ErrCutShort.
func (c *CPU) Choose(ctx context.Context, p board.Position, level Level, seed uint64) (board.Column, error) {
	if p.Over() {
		return 0, solver.ErrGameOver
	}
	current, mask := p.Bits()
	random := rand.New(rand.NewPCG(seed, current<<1^mask)) //nolint:gosec // a game needs variety, not secrecy
	if !level.Valid() {
		return 0, UnknownLevelError{Level: level}
	}
	if wins := playableThreats(p, p.Turn()); len(wins) > 0 {
		return pick(random, wins), nil
	}
	// Anything but a block loses at once, so a block is always among the best.
	if losses := playableThreats(p, p.Turn().Other()); len(losses) > 0 && level != Easy {
		return pick(random, losses), nil
	}
	switch level {
	case Easy:
		return easy(p, random), nil
	case Medium:
		return blurred(p, mediumPlies, mediumBlur, random), nil
	case Hard:
		if p.Ply() < hardExactPly {
			return blurred(p, hardPlies, hardBlur, random), nil
		}
		return c.best(ctx, p, random)
	default:
		return c.best(ctx, p, random)
	}
}

// best picks one of the columns with the best exact score; when there is no time to find all of them, one of
// those that were found, or else one of those that look best.
func (c *CPU) best(ctx context.Context, p board.Position, random *rand.Rand) (board.Column, error) {
	choice, err := c.solvers.Best(ctx, p)
	switch {
	case err == nil:
		return pick(random, choice.Columns), nil
	case errors.Is(err, solver.ErrCutShort) && len(choice.Columns) > 0:
		return pick(random, choice.Columns), err
	case !errors.Is(err, solver.ErrCutShort):
		err = fmt.Errorf("%w: no solver was free: %w", solver.ErrCutShort, err)
	}
	return blurred(p, hardPlies, 0, random), err
}

// playableThreats lists the columns in which a side would complete a line if it were to move.
func playableThreats(p board.Position, side board.Side) []board.Column {
	var found []board.Column
	for _, t := range p.Threats(side) {
		if t.Playable {
			found = append(found, t.Field.Column)
		}
	}
	return found
}

// easy blocks every other time, and else plays anywhere, three times as gladly in the middle as at the edge.
func easy(p board.Position, random *rand.Rand) board.Column {
	if threats := playableThreats(p, p.Turn().Other()); len(threats) > 0 && random.IntN(2) == 0 {
		return pick(random, threats)
	}
	var drawn []board.Column
	for _, column := range p.LegalColumns() {
		for range [board.Columns]int{1, 2, 2, 3, 2, 2, 1}[column-1] {
			drawn = append(drawn, column)
		}
	}
	return pick(random, drawn)
}

// blurred looks some plies ahead and picks the best column by what it sees, give or take the blur. A win or
// loss it sees is never blurred.
func blurred(p board.Position, plies, blur int, random *rand.Rand) board.Column {
	var best []board.Column
	most := 0
	for _, e := range solver.EstimateColumns(p, plies) {
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
