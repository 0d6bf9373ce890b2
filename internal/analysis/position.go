package analysis

import (
	"context"
	"errors"
	"slices"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Searcher is what a *solver.Solver can do that is needed here.
type Searcher interface {
	Refine(ctx context.Context, p board.Position, known []solver.ColumnScore) ([]solver.ColumnScore, error)
	Reaching(ctx context.Context, p board.Position, score int) ([]board.Column, error)
}

// Legal gives the columns that may be played in a position by the rules of a game; none when they end it there.
type Legal func(p board.Position) []board.Column

// Position is what is known about a position.
type Position struct {
	Columns []solver.ColumnScore // of every column that may be played, from left to right
	Best    []board.Column       // those with the best score, as far as that is proven
	Line    []board.Column       // how the game would go on, see Follow
	Exact   bool                 // every column has its score
}

// Read finds out what the columns of a position are worth, as far as the context lets it, and goes on from what it found
// before. The error is one of the searcher's other than solver.ErrCutShort.
func Read(ctx context.Context, s Searcher, p board.Position, known Position, legal Legal) (Position, error) {
	allowed := legal(p)
	if len(allowed) == 0 {
		return Position{Columns: nil, Best: nil, Line: nil, Exact: true}, nil
	}
	columns, err := s.Refine(ctx, p, known.Columns)
	if err != nil && !errors.Is(err, solver.ErrCutShort) {
		return Position{}, err
	}
	columns = Among(columns, allowed)
	return Position{Columns: columns, Best: bestColumns(columns), Line: nil, Exact: exact(columns)}, nil
}

// Among returns what is known of the columns that may be played.
func Among(columns []solver.ColumnScore, legal []board.Column) []solver.ColumnScore {
	return slices.DeleteFunc(slices.Clone(columns), func(c solver.ColumnScore) bool { return !slices.Contains(legal, c.Column) })
}

// bestColumns lists the columns that are proven to be as good as any.
func bestColumns(columns []solver.ColumnScore) []board.Column {
	most := best(columns).Upper
	var found []board.Column
	for _, c := range columns {
		if c.Exact() && c.Lower == most {
			found = append(found, c.Column)
		}
	}
	return found
}

// Follow plays on from a position that is exactly known, both sides playing perfectly, to the end, until the context
// ends, or to where no perfect column may be played; from any other there is no line. The error is one of the searcher's other than solver.ErrCutShort.
func Follow(
	ctx context.Context, s Searcher, p board.Position, known Position, legal Legal,
) ([]board.Column, error) {
	if !known.Exact || len(known.Best) == 0 {
		return nil, nil
	}
	var line []board.Column
	columns, score := known.Best, best(known.Columns).Lower
	for {
		column := natural(p, columns)
		next, err := p.Play(column)
		if err != nil {
			return nil, err
		}
		line = append(line, column)
		p, score = next, -score
		allowed := legal(p)
		if len(allowed) == 0 {
			return line, nil
		}
		columns, err = s.Reaching(ctx, p, score)
		switch {
		case errors.Is(err, solver.ErrCutShort):
			return line, nil
		case err != nil:
			return nil, err
		}
		columns = slices.DeleteFunc(columns, func(c board.Column) bool { return !slices.Contains(allowed, c) })
		if len(columns) == 0 {
			return line, nil
		}
	}
}

// natural picks of equally good columns the one a person would play: a block, else the one nearest to the middle.
func natural(p board.Position, columns []board.Column) board.Column {
	for _, t := range p.Threats(p.Turn().Other()) {
		for _, c := range columns {
			if t.Playable && t.Field.Column == c {
				return c
			}
		}
	}
	nearest := columns[0]
	for _, c := range columns {
		if fromMiddle(c) < fromMiddle(nearest) {
			nearest = c
		}
	}
	return nearest
}

func fromMiddle(c board.Column) int {
	const middle = (board.Columns + 1) / 2
	return max(int(c)-middle, middle-int(c))
}
