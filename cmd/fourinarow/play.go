package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/terminal"
)

// play is a game against the CPU in the terminal.
func play(ctx context.Context, p program, args []string) int {
	flags := flag.NewFlagSet("play", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "fourinarow play: a game against the CPU. The keys: "+terminal.Help+".\n\n")
		flags.PrintDefaults()
	}
	asked := flags.String("level", level.Medium, "how well the CPU plays: "+listed(level.Names()))
	first := flags.String("first", "me", "who makes the first move: me or cpu")
	seed := flags.Uint64("seed", 0, "the same seed gives the same answers to the same moves; 0 draws one")
	think := flags.Duration("think", 10*time.Second, "how long the CPU may think about a move, at most")
	others, err := p.parse(flags, args)
	switch {
	case errors.Is(err, errHelp):
		return exitOK
	case err != nil:
		return p.misused("%v", err)
	case len(others) > 0:
		return p.misused("play takes no %q", others[0])
	case !slices.Contains(level.Names(), *asked):
		return p.misused("--level %q: want one of %s", *asked, listed(level.Names()))
	case *first != "me" && *first != "cpu":
		return p.misused("--first %q: want me or cpu", *first)
	case *think <= 0:
		return p.misused("--think %s: want more than 0", *think)
	}
	if *seed == 0 {
		*seed = rand.Uint64() //nolint:gosec // a game needs variety, not secrecy
	}
	options, err := solverOptions()
	if err != nil {
		return p.failed(err)
	}
	solvers := solver.NewPool(1, options)
	keys, restore := p.keys()
	defer restore()
	game := terminal.Game{
		Human: board.Red, Level: level.Name(*asked), Seed: *seed, CPU: cpu.New(solvers), Adviser: solvers, Think: *think,
		Keys: keys, Out: p.stdout, Screen: p.screen(),
	}
	if *first == "cpu" {
		game.Human = board.Yellow
	}
	if err = game.Play(ctx); err != nil {
		return p.failed(err)
	}
	return exitOK
}
