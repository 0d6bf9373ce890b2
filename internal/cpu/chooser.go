package cpu

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
)

// Chooser picks one of the columns that are legal for the side to move, of which there is at least one; CPU is one, and
// tests have theirs. With an error that wraps solver.ErrCutShort the column is the best that was found in time.
type Chooser interface {
	Choose(ctx context.Context, p board.Position, legal []board.Column, name level.Name, seed uint64) (board.Column, error)
}

var _ Chooser = (*CPU)(nil)
