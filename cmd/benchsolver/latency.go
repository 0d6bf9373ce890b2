package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// A latency is how long the answer takes in random positions of one ply, in milliseconds, each with cold
// tables: the choice of the best columns, and the scores of all.
type latency struct {
	Ply        int     `json:"ply"`
	Positions  int     `json:"positions"`
	ChoiceMean float64 `json:"choice_mean"`
	ChoiceP99  float64 `json:"choice_p99"`
	AllMean    float64 `json:"all_mean"`
	AllP99     float64 `json:"all_p99"`
}

// errNoBook says that early positions take too long to measure.
var errNoBook = errors.New("-latency needs an embedded book")

// measureLatency takes as many random positions of every ply from 1 to the book's.
func measureLatency(ctx context.Context, positions int) ([]latency, error) {
	book, err := solver.EmbeddedBook()
	if err != nil {
		return nil, err
	}
	if book == nil {
		return nil, errNoBook
	}
	random := rand.New(rand.NewPCG(1, 10)) //nolint:gosec // the same positions every time
	var report []latency
	for ply := 1; ply <= book.Ply(); ply++ {
		var choices, all []float64
		for range positions {
			p := randomPosition(random, ply)
			took, err := timed(func() error {
				_, err := solver.New(solver.Options{Book: book}).Best(ctx, p)
				return err
			})
			if err != nil {
				return nil, err
			}
			choices = append(choices, took)
			took, err = timed(func() error {
				_, err := solver.New(solver.Options{Book: book}).Analyze(ctx, p)
				return err
			})
			if err != nil {
				return nil, err
			}
			all = append(all, took)
		}
		report = append(report, latency{
			Ply: ply, Positions: positions,
			ChoiceMean: mean(choices), ChoiceP99: percentile99(choices),
			AllMean: mean(all), AllP99: percentile99(all),
		})
	}
	return report, nil
}

// timed gives the processor time of something in milliseconds.
func timed(do func() error) (float64, error) {
	began := processorTime()
	err := do()
	return float64(processorTime()-began) / float64(time.Millisecond), err
}

// randomPosition plays that many random discs, anew when the game ends before.
func randomPosition(random *rand.Rand, ply int) board.Position {
	var p board.Position
	for p.Ply() < ply {
		legal := p.LegalColumns()
		next, err := p.Play(legal[random.IntN(len(legal))])
		if err != nil || next.Over() {
			next = board.Position{}
		}
		p = next
	}
	return p
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func percentile99(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)*99/100]
}

func writeLatency(out io.Writer, report []latency) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "ply\tpositions\tchoice ms\tp99\tall columns ms\tp99\t")
	for _, l := range report {
		fmt.Fprintf(table, "%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t\n",
			l.Ply, l.Positions, l.ChoiceMean, l.ChoiceP99, l.AllMean, l.AllP99)
	}
	return table.Flush()
}
