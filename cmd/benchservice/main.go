// Command benchservice measures the running service beside the limits of the machine, on the same cores, the clients
// included: moves a second on PostgreSQL beside pgbench with one guarded UPDATE of a narrow row, moves a second on SQLite
// with every commit on the disk beside fewer, unchanged polls beside a bare handler of net/http. `make bench` starts it.
//
//	bin/benchservice                          # five rounds of 20 s a measurement: a quarter of an hour
//	bin/benchservice -pairs 2 -seconds 5 -v   # a first look, each figure as it comes
//	bin/benchservice -only 'moves'            # those measurements alone whose name matches
//
// Every round measures all, one after the other, and every other round in the opposite order. Figures are medians of the
// rounds; a ratio is the median of the rounds' ratios. It writes a table, never a pass or a fail.
//
// It needs Linux, for /proc, and TEST_DATABASE_URL leading to a PostgreSQL server of this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"
)

func main() { os.Exit(exit()) }

func exit() int {
	if len(os.Args) > 1 && os.Args[1] == "bare" {
		return code(serveBare(os.Args[2:], os.Stdout))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return code(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func code(err error) int {
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "benchservice:", err)
		return 1
	}
	return 0
}

// settings are what the command line says.
type settings struct {
	binary  string
	rounds  int
	lasting time.Duration
	clients int
	only    *regexp.Regexp
	verbose bool
}

func parse(args []string) (s settings, err error) {
	flags := flag.NewFlagSet("benchservice", flag.ContinueOnError)
	flags.StringVar(&s.binary, "binary", "bin/fourinarow", "the service")
	flags.IntVar(&s.rounds, "pairs", 5, "rounds: each measurement and its limit, one beside the other")
	seconds := flags.Int("seconds", 20, "of each measurement")
	flags.IntVar(&s.clients, "clients", 16, "pairs of players, connections that poll, and pgbench's clients")
	only := flags.String("only", "", "measure only what has a name that matches, as -v shows them")
	flags.BoolVar(&s.verbose, "v", false, "write every figure as it comes to the standard error")
	if err = flags.Parse(args); err != nil {
		return s, err
	}
	s.lasting = time.Duration(*seconds) * time.Second
	if s.rounds < 1 || *seconds < 1 || s.clients < 2 || flags.NArg() > 0 {
		return s, errors.New("there must be at least 1 pair, 1 second and 2 clients, and no argument")
	}
	s.only, err = regexp.Compile(*only)
	return s, err
}

func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	s, err := parse(args)
	if err != nil {
		return err
	}
	directory, err := os.MkdirTemp("", "fourinarow-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	b := &bench{settings: s, directory: directory}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.open(ctx); err != nil {
		return err
	}
	if !s.verbose {
		progress = io.Discard
	}
	if err := b.rounds(ctx, progress); err != nil {
		return err
	}
	return b.report().write(out)
}
