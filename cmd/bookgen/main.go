// Command bookgen solves every position of one ply and packs the scores into the solver's opening book.
//
//	go run ./cmd/bookgen -ply 10
//
// The work is cut into pieces. Each finished piece is a file of its own, so an interrupted run goes on
// where it stopped, and several runs with different -workers may follow one another. When the last piece
// is there the book is packed and checked; go on building the service and it is embedded.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

func main() { os.Exit(exit()) }

func exit() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp), err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "Finished pieces are kept; run the same command again to go on.")
	}
	fmt.Fprintln(os.Stderr, "bookgen:", err)
	return 1
}

// config is what the command line chooses.
type config struct {
	ply       int
	workers   int
	pieces    string // directory of the finished pieces
	out       string // the packed book
	tableBits uint
}

func parse(args []string) (config, error) {
	var c config
	flags := flag.NewFlagSet("bookgen", flag.ContinueOnError)
	flags.IntVar(&c.ply, "ply", 10, "solve every position with this many discs, 1 to 12")
	flags.IntVar(&c.workers, "workers", runtime.NumCPU(), "positions to solve at once")
	flags.StringVar(&c.pieces, "pieces", "", "directory of the finished pieces (default: in the user's cache directory)")
	flags.StringVar(&c.out, "out", "", "file for the packed book (default: where the solver embeds it)")
	flags.UintVar(&c.tableBits, "table-bits", 22, "each worker's large table has 2^n entries of 8 bytes")
	if err := flags.Parse(args); err != nil {
		return config{}, err
	}
	if flags.NArg() > 0 {
		return config{}, fmt.Errorf("there is nothing to do with %q", flags.Arg(0))
	}
	if c.ply < 1 || c.ply > 12 {
		return config{}, fmt.Errorf("-ply %d is not between 1 and 12", c.ply)
	}
	if c.workers < 1 {
		return config{}, fmt.Errorf("-workers %d is not positive", c.workers)
	}
	name := "ply" + strconv.Itoa(c.ply)
	if c.pieces == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return config{}, fmt.Errorf("choose a directory with -pieces: %w", err)
		}
		c.pieces = filepath.Join(cache, "fourinarow", "book", name)
	}
	if c.out == "" {
		c.out = filepath.Join("internal", "solver", "bookdata", name+".book")
	}
	return c, nil
}
