package testkit

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
)

// Diff returns in what two values differ that may hold games; nothing when they are equal
// but for the stamps that the store draws.
func Diff(want, got any) string {
	return cmp.Diff(want, got, cmp.AllowUnexported(game.Game{}), cmpopts.IgnoreFields(game.Game{}, "Stamp"), cmpopts.EquateComparable(board.Position{}, game.Settings{}))
}
