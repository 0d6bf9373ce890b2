package terminal

import (
	"fmt"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// meaning says what bounds of a score, for the side to move at a ply, tell about the rest of the game. "Win in 3" is
// with the third disc from now on of whoever wins.
func meaning(ply int, r solver.Result) string {
	switch {
	case !r.Exact() && r.Lower > 0:
		return "win, not known how fast"
	case !r.Exact() && r.Upper < 0:
		return "loss, not known how late"
	case !r.Exact():
		return "not known"
	case r.Lower == 0:
		return "draw"
	}
	last := lastPly(ply, r.Lower)
	if r.Lower > 0 {
		return fmt.Sprintf("win in %d (ply %d)", (last-ply+1)/2, last)
	}
	return fmt.Sprintf("loss in %d (ply %d)", (last-ply)/2, last)
}

// lastPly is the ply that wins, by a score other than 0.
func lastPly(ply, score int) int {
	discs := board.DiscsPerSide + 1 - max(score, -score) // of the winner
	if redWins := (score > 0) == (ply%2 == 0); redWins {
		return 2*discs - 1
	}
	return 2 * discs
}
