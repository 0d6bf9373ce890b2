package analysis

import (
	"context"
	"errors"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Searcher is what a *solver.Solver can do that is needed here.
type Searcher interface {
	Refine(ctx context.Context, p board.Position, known []solver.ColumnScore) ([]solver.ColumnScore, error)
	Reaching(ctx context.Context, p board.Position, score int) ([]board.Column, error)
}

// Position is what is known about a position.
type Position struct {
	Columns []solver.ColumnScore // of every column that can be played, from left to right
	Best    []board.Column       // those with the best score, as far as that is proven
	Line    []board.Column       // how the game would go on, both sides playing perfectly; as far as it was followed
	Exact   bool                 // every column has its score
}

// Read finds out what it can about a position within the context. A position for which over holds has no columns: its
// game has ended. The error is one of the searcher's other than solver.ErrCutShort.
func Read(ctx context.Context, s Searcher, p board.Position, over func(board.Position) bool) (Position, error) {
	if over(p) {
		return Position{Columns: nil, Best: nil, Line: nil, Exact: true}, nil
	}
	columns, err := s.Refine(ctx, p, nil)
	if err != nil && !errors.Is(err, solver.ErrCutShort) {
		return Position{}, err
	}
	known := Position{Columns: columns, Best: bestColumns(columns), Line: nil, Exact: exact(columns)}
	if known.Exact {
		known.Line, err = follow(ctx, s, p, known, over)
	}
	if err != nil && !errors.Is(err, solver.ErrCutShort) {
		return Position{}, err
	}
	return known, nil
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

// follow plays on from a position, about which all is known, to the end or until the time is up.
func follow(
	ctx context.Context, s Searcher, p board.Position, known Position, over func(board.Position) bool,
) ([]board.Column, error) {
	var line []board.Column
	columns, score := known.Best, best(known.Columns).Lower
	for {
		column := natural(p, columns)
		next, err := p.Play(column)
		if err != nil {
			return line, err
		}
		line = append(line, column)
		if p = next; over(p) {
			return line, nil
		}
		score = -score
		if columns, err = s.Reaching(ctx, p, score); err != nil {
			return line, err
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
