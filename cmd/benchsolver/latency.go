package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// A latency is how long the answer takes in random positions, in milliseconds, each with cold tables: the
// choice of the best columns, and the scores of all.
type latency struct {
	Ply        int     `json:"ply,omitempty"` // 0: of all plies together
	Positions  int     `json:"positions"`
	ChoiceMean float64 `json:"choice_mean"`
	ChoiceP99  float64 `json:"choice_p99"`
	AllMean    float64 `json:"all_mean"`
	AllP99     float64 `json:"all_p99"`
}

// A latencyReport is everything that has to be quick while somebody waits.
type latencyReport struct {
	BookPly   int       `json:"book_ply"`
	Positions []latency `json:"positions"`
	Overall   latency   `json:"overall"`
	Analyses  analysing `json:"analyses"`
}

// analysing is how long the analysis of a whole finished game takes, in milliseconds, each with cold tables.
type analysing struct {
	Games int     `json:"games"`
	Plies float64 `json:"plies"` // a game, on average
	Mean  float64 `json:"mean"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// errNoBook says that early positions take too long to measure.
var errNoBook = errors.New("-latency needs a book: none is embedded, and -book names none")

// measureLatency takes as many random positions of every ply from 1 to the book's, and a fifth as many games.
func measureLatency(ctx context.Context, book *solver.Book, positions int) (latencyReport, error) {
	if book == nil {
		return latencyReport{}, errNoBook
	}
	report := latencyReport{BookPly: book.Ply()}
	random := rand.New(rand.NewPCG(1, 10)) //nolint:gosec // the same positions every time
	var every times
	for ply := 1; ply <= book.Ply(); ply++ {
		measured, err := measurePly(ctx, book, random, ply, positions)
		if err != nil {
			return report, err
		}
		report.Positions = append(report.Positions, measured.summary(ply))
		every.choices, every.all = append(every.choices, measured.choices...), append(every.all, measured.all...)
	}
	report.Overall = every.summary(0)
	var err error
	report.Analyses, err = measureAnalyses(ctx, book, max(positions/5, 1))
	return report, err
}

// times are how long each choice took, and the scores of all columns, in milliseconds.
type times struct{ choices, all []float64 }

func (t times) summary(ply int) latency {
	return latency{
		Ply: ply, Positions: len(t.all), ChoiceMean: mean(t.choices), ChoiceP99: percentile99(t.choices),
		AllMean: mean(t.all), AllP99: percentile99(t.all),
	}
}

// measurePly measures random positions of one ply.
func measurePly(ctx context.Context, book *solver.Book, random *rand.Rand, ply, positions int) (measured times, err error) {
	for range positions {
		p := randomPosition(random, ply)
		took, err := timed(func() error {
			_, err := solver.New(solver.Options{Book: book}).Best(ctx, p)
			return err
		})
		if err != nil {
			return times{}, err
		}
		measured.choices = append(measured.choices, took)
		took, err = timed(func() error {
			_, err := solver.New(solver.Options{Book: book}).Analyze(ctx, p)
			return err
		})
		if err != nil {
			return times{}, err
		}
		measured.all = append(measured.all, took)
	}
	return measured, nil
}

// measureAnalyses scores every column of every ply of games, from the last ply to the first, as the service does.
func measureAnalyses(ctx context.Context, book *solver.Book, games int) (analysing, error) {
	player := cpu.New(solver.NewPool(1, solver.Options{}))
	var took []float64
	plies := 0
	for seed := range games {
		positions, err := finishedGame(ctx, player, uint64(seed))
		if err != nil {
			return analysing{}, err
		}
		plies += len(positions)
		spent, err := timed(func() error {
			s := solver.New(solver.Options{Book: book})
			for _, p := range slices.Backward(positions) {
				if _, err := s.Analyze(ctx, p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return analysing{}, err
		}
		took = append(took, spent)
	}
	return analysing{
		Games: games, Plies: float64(plies) / float64(games), Mean: mean(took), P99: percentile99(took), Max: slices.Max(took),
	}, nil
}

// finishedGame plays a game between two medium players and returns the positions before each ply.
func finishedGame(ctx context.Context, player *cpu.CPU, seed uint64) ([]board.Position, error) {
	var (
		p         board.Position
		positions []board.Position
	)
	for !p.Over() {
		positions = append(positions, p)
		column, err := player.Choose(ctx, p, p.LegalColumns(), level.Medium, seed)
		if err != nil {
			return nil, err
		}
		if p, err = p.Play(column); err != nil {
			return nil, err
		}
	}
	return positions, nil
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

func writeLatency(out io.Writer, report latencyReport) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "ply\tpositions\tchoice ms\tp99\tall columns ms\tp99\t")
	for _, l := range append(slices.Clone(report.Positions), report.Overall) {
		ply := "all"
		if l.Ply > 0 {
			ply = strconv.Itoa(l.Ply)
		}
		fmt.Fprintf(table, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t\n",
			ply, l.Positions, l.ChoiceMean, l.ChoiceP99, l.AllMean, l.AllP99)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	a := report.Analyses
	fmt.Fprintf(out, "\nanalysis of a finished game, with the book of ply %d: mean %.0f ms, p99 %.0f ms, longest %.0f ms (%d games of %.1f plies)\n",
		report.BookPly, a.Mean, a.P99, a.Max, a.Games, a.Plies)
	return nil
}
