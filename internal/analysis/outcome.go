package analysis

import (
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// ColumnScore is what is known of a column: bounds of its score for the side to move, equal when it is exact.
type ColumnScore = solver.ColumnScore

// Outcome is what somebody reaches who plays on perfectly, against perfect play; empty where that isn't known.
type Outcome string

// The outcomes.
const (
	Win  Outcome = "win"
	Draw Outcome = "draw"
	Loss Outcome = "loss"
)

// OutcomeOf tells what bounds of a score prove.
func OutcomeOf(r solver.Result) Outcome {
	switch {
	case r.Lower > 0:
		return Win
	case r.Upper < 0:
		return Loss
	case r.Lower == 0 && r.Upper == 0:
		return Draw
	default:
		return ""
	}
}

// PliesToEnd tells how many more plies a game lasts that is at a ply and has an exact score for the side to move.
// It is 0 for a draw, whose end the settings of the game decide.
func PliesToEnd(ply, score int) int {
	if score == 0 {
		return 0
	}
	discs := board.DiscsPerSide + 1 - max(score, -score) // of the winner, at the end
	redWins := (score > 0) == (ply%2 == 0)
	last := 2 * discs
	if redWins {
		last--
	}
	return last - ply
}

// best gives the bounds of a position by those of its columns.
func best(columns []solver.ColumnScore) solver.Result {
	var most solver.Result
	for i, c := range columns {
		if i == 0 {
			most = solver.Result{Lower: c.Lower, Upper: c.Upper}
		}
		most.Lower, most.Upper = max(most.Lower, c.Lower), max(most.Upper, c.Upper)
	}
	return most
}

// exact tells whether every score is known.
func exact(columns []solver.ColumnScore) bool {
	for _, c := range columns {
		if !c.Exact() {
			return false
		}
	}
	return true
}
