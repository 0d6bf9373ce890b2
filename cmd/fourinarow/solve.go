package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/terminal"
)

// solve says what each column of a position is worth.
func solve(ctx context.Context, p program, args []string) int {
	flags := flag.NewFlagSet("solve", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "fourinarow solve [MOVES]: what each column is worth after these moves, the columns played, like 4453.\n"+
			"A score is 22 minus the number of discs the winner will have played, negative for a loss, 0 for a draw.\n"+
			"It exits with 0 when everything was found out, 2 for bad moves, 3 when it was cut short.\n\n")
		flags.PrintDefaults()
	}
	timeout := flags.Duration("timeout", 0, "how long to search at most; 0 is as long as it takes")
	others, err := p.parse(flags, args)
	switch {
	case errors.Is(err, errHelp):
		return exitOK
	case err != nil:
		return p.misused("%v", err)
	case len(others) > 1:
		return p.misused("solve takes one moves string, not %d", len(others))
	case *timeout < 0:
		return p.misused("--timeout %s: want 0 or more", *timeout)
	}
	moves := ""
	if len(others) == 1 && others[0] != "-" {
		moves = others[0]
	}
	options, err := solverOptions()
	if err != nil {
		return p.failed(err)
	}
	if *timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *timeout)
		defer cancel()
	}
	screen := p.screen()
	screen.Redraw = false
	found, err := terminal.Solve(ctx, p.stdout, screen, solver.New(options), moves, time.Now)
	switch {
	case errors.As(err, new(*terminal.MovesError)):
		return p.misused("%v", err)
	case err != nil:
		return p.failed(err)
	case !found:
		return exitCutShort
	default:
		return exitOK
	}
}
