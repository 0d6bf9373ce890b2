// Command benchsolver measures the solver on the six sets of the field's benchmark: mean time and visited
// positions for one exact score, positions a second, and wrong scores, of which there must be none.
//
//	go run ./cmd/benchsolver          # a table; the two dearest sets in part
//	go run ./cmd/benchsolver -full    # every line: half an hour without a book
//	go run ./cmd/benchsolver -json    # for machines
//	go run ./cmd/benchsolver -latency 500  # what people wait for, with the book: perfect's choice, all columns, analyses
//	go run ./cmd/benchsolver -book x.book  # another book than the embedded one
//
// One core, one solver a set, its tables cold at the first line. Time is processor time, so that other
// work on the machine counts little. With a book embedded everything is measured without and with it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"

	"github.com/fourinarow/fourinarow/internal/solver"
)

func main() { os.Exit(exit()) }

func exit() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "benchsolver:", err)
		return 1
	}
	return 0
}

// errWrong fails the run when a score isn't the published one.
var errWrong = errors.New("there are wrong scores")

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("benchsolver", flag.ContinueOnError)
	dir := flags.String("sets", "internal/solver/testdata", "directory of the six sets")
	full := flags.Bool("full", false, "all 500 lines of every set")
	positions := flags.Int("latency", 0, "instead, time the choice in that many random positions of each ply up to the book's")
	file := flags.String("book", "", "file of a packed book, in place of the embedded one")
	asJSON := flags.Bool("json", false, "write JSON instead of a table")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("there is nothing to do with %q", flags.Arg(0))
	}
	book, err := bookOf(*file)
	if err != nil {
		return err
	}
	if *positions > 0 {
		report, err := measureLatency(ctx, book, *positions)
		if err != nil {
			return err
		}
		return write(out, *asJSON, report, writeLatency)
	}
	report, err := measureAll(ctx, *dir, *full, book)
	if err != nil {
		return err
	}
	err = write(out, *asJSON, report, writeTable)
	if slices.ContainsFunc(report, func(m measurement) bool { return m.Wrong > 0 }) {
		return errors.Join(err, errWrong)
	}
	return err
}

// bookOf reads a packed book, the embedded one without a file; nil when there is none.
func bookOf(file string) (*solver.Book, error) {
	if file == "" {
		return solver.EmbeddedBook()
	}
	data, err := os.ReadFile(file) //nolint:gosec // whoever runs this names it
	if err != nil {
		return nil, err
	}
	book, err := solver.ParseBook(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return book, nil
}

// write writes a report as JSON or as a table.
func write[T any](out io.Writer, asJSON bool, report T, asTable func(io.Writer, T) error) error {
	if !asJSON {
		return asTable(out, report)
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

func writeTable(out io.Writer, report []measurement) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "set\tbook\tlines\twrong\tms a line\tnodes a line\tmillion nodes/s\t")
	for _, m := range report {
		book := "-"
		if m.BookPly > 0 {
			book = fmt.Sprintf("ply %d", m.BookPly)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%.3f\t%.0f\t%.1f\t\n",
			m.Set, book, m.Lines, m.Wrong, m.Milliseconds, m.Nodes, m.NodesPerSecond/1e6)
	}
	return table.Flush()
}
