package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/fourinarow/fourinarow/internal/config"
)

// version is set by the linker; without it the build's own information tells.
var version = ""

// Exit codes of the program.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUsage    = 2
	exitCutShort = 3 // solve had no time to find out

	exitDiffers = 1 // verify found a difference
	exitUnknown = 2 // verify couldn't look at everything
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := program{args: os.Args[1:], environ: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	code := p.run(ctx)
	stop()
	os.Exit(code)
}

// program is one run of the command.
type program struct {
	args    []string
	environ []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

// run does what the arguments say until it is done or ctx is, and returns the exit code.
func (p program) run(ctx context.Context) int {
	command, args := "serve", []string(nil)
	if len(p.args) > 0 {
		command, args = p.args[0], p.args[1:]
	}
	switch command {
	case "admin-token":
		return p.adminToken(ctx, args)
	case "play":
		return play(ctx, p, args)
	case "rules":
		return rules(p, args)
	case "solve":
		return solve(ctx, p, args)
	}
	if len(args) > 0 {
		return p.misused("%s takes no arguments", command)
	}
	switch command {
	case "serve":
		return p.configured(ctx, serve)
	case "migrate":
		return p.configured(ctx, migrate)
	case "verify":
		return p.verify(ctx)
	case "healthcheck":
		return p.configured(ctx, healthcheck)
	case "version", "--version":
		fmt.Fprintln(p.stdout, "fourinarow", buildVersion())
		return exitOK
	case "help", "--help", "-h":
		return p.help()
	default:
		return p.misused("there is no command %q", command)
	}
}

// configured runs a command with the configuration of the environment.
func (p program) configured(ctx context.Context, command func(context.Context, program, config.Config) error) int {
	cfg, err := config.Load(p.environ)
	if err != nil {
		fmt.Fprintf(p.stderr, "fourinarow: %v\n`fourinarow --help` lists all settings.\n", err)
		return exitUsage
	}
	if err = command(ctx, p, cfg); err != nil {
		return p.failed(err)
	}
	return exitOK
}

func (p program) failed(err error) int {
	fmt.Fprintf(p.stderr, "fourinarow: %v\n", err)
	return exitFailed
}

func (p program) misused(format string, args ...any) int {
	fmt.Fprintf(p.stderr, "fourinarow: %s\n`fourinarow --help` lists the commands.\n", fmt.Sprintf(format, args...))
	return exitUsage
}

const helpText = `fourinarow serves the game of four in a row over HTTP, and plays it here.

  fourinarow [serve]      start the service (the default)
  fourinarow migrate      bring the database's schema up to date and stop
  fourinarow verify       recompute every game and rating of the database from the moves, beside a
                          running service; prints each difference; exits with 0 when there is none, with
                          1 when there is one, and with 2 when it couldn't look at everything
  fourinarow healthcheck  ask a running service whether it is ready; for containers
  fourinarow admin-token create NAME | list | revoke NAME
                          hand out, list or revoke the tokens of those who edit house rules
  fourinarow play         play against the CPU in the terminal; play --help lists its flags
  fourinarow solve MOVES  say what each column is worth after these moves; solve --help tells more
  fourinarow rules        print the rules of the game; rules --lang de|pl|ru in another language
  fourinarow version      print the version

Settings come from the environment. With none of them it keeps its games in ./fourinarow.db.

`

func (p program) help() int {
	fmt.Fprint(p.stdout, helpText)
	if err := config.Usage(p.stdout); err != nil {
		return exitFailed
	}
	return exitOK
}

// buildVersion returns the version of the program, "devel" when nobody gave it one.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
