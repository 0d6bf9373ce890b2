package analysis

import (
	"math"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Verdict is what a move did with what its side had; empty where that isn't known.
type Verdict string

// The verdicts.
const (
	Best       Verdict = "best"       // no column has a better score
	Inaccuracy Verdict = "inaccuracy" // what was held is held still, but a win comes later or a loss sooner
	Mistake    Verdict = "mistake"    // a win or a draw was given away
)

// Ply is one move of a game, judged.
type Ply struct {
	Ply     int
	Column  board.Column
	Columns []solver.ColumnScore // what each column was worth
	Before  Outcome              // what its side held before the move …
	After   Outcome              // … and after it
	Verdict Verdict
}

// Game is a game with every ply judged.
type Game struct {
	Plies         []Ply
	Accuracy      map[board.Side]float64 // 0 to 100, one decimal; nothing for a side without a judged ply
	TurningPoints []int                  // plies that gave a win or a draw away
	Exact         bool                   // every column of every ply has its score
}

// Judge judges the moves of a game by the columns of each ply. Plies whose columns are nil aren't known yet.
func Judge(moves string, columns [][]solver.ColumnScore) Game {
	g := Game{Plies: make([]Ply, 0, len(moves)), Accuracy: map[board.Side]float64{}, TurningPoints: nil, Exact: true}
	points, judged := map[board.Side]float64{}, map[board.Side]int{}
	for i, digit := range []byte(moves) {
		ply := judge(columns[i], board.Column(digit-'0'))
		ply.Ply = i + 1
		g.Plies = append(g.Plies, ply)
		g.Exact = g.Exact && columns[i] != nil && exact(columns[i])
		if ply.Verdict == "" {
			continue
		}
		side := board.Red
		if i%2 == 1 {
			side = board.Yellow
		}
		judged[side]++
		points[side] += map[Verdict]float64{Best: 1, Inaccuracy: 0.5, Mistake: 0}[ply.Verdict]
		if ply.Verdict == Mistake {
			g.TurningPoints = append(g.TurningPoints, ply.Ply)
		}
	}
	for side, n := range judged {
		g.Accuracy[side] = math.Round(1000*points[side]/float64(n)) / 10
	}
	return g
}

// judge judges one move.
func judge(columns []solver.ColumnScore, played board.Column) Ply {
	ply := Ply{Ply: 0, Column: played, Columns: columns, Before: "", After: "", Verdict: ""}
	most := best(columns)
	for _, c := range columns {
		if c.Column == played {
			ply.Before, ply.After = OutcomeOf(most), OutcomeOf(c.Result)
			ply.Verdict = verdict(most, c.Result)
		}
	}
	return ply
}

// verdict compares a move with the best.
func verdict(most, played solver.Result) Verdict {
	switch {
	case played.Lower >= most.Upper:
		return Best
	case most.Lower > 0 && played.Upper <= 0, most.Lower == 0 && played.Upper < 0:
		return Mistake
	case played.Upper < most.Lower && OutcomeOf(played) == OutcomeOf(most):
		return Inaccuracy
	default:
		return ""
	}
}
