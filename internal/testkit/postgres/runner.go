//go:build unix

package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// Variable is where tests look for their PostgreSQL server.
const Variable = "TEST_DATABASE_URL"

// Runner runs a command that needs a PostgreSQL server.
type Runner struct {
	Environ        []string // as os.Environ gives it; a Variable in it is used instead of a server of our own
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Durability     Durability
}

// Run runs the command args and returns its exit code, 128 + n when signal n ended it. What comes through signals is
// passed on to it; during the start it ends that, with an error. The server is gone when Run returns.
func (r Runner) Run(signals <-chan os.Signal, args []string) (code int, err error) {
	if r.hasServer() {
		return r.command(signals, args, r.Environ)
	}
	server, err := r.start(signals)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	return r.command(signals, args, append(slices.Clone(r.Environ), Variable+"="+server.URL()))
}

// hasServer tells whether the variable leads somewhere; of several assignments the last counts.
func (r Runner) hasServer() bool {
	var url string
	for _, assignment := range r.Environ {
		if name, value, _ := strings.Cut(assignment, "="); name == Variable {
			url = value
		}
	}
	return url != ""
}

// start gives up when a signal comes.
func (r Runner) start(signals <-chan os.Signal) (*Server, error) {
	ctx, giveUp := context.WithCancelCause(context.Background())
	started := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case signal := <-signals:
			giveUp(fmt.Errorf("%v while the test database started", signal))
		case <-started:
		}
	}()
	server, err := r.findAndStart(ctx)
	close(started)
	<-watched
	if cause := context.Cause(ctx); cause != nil {
		if server != nil {
			cause = errors.Join(cause, server.Stop())
		}
		return nil, cause
	}
	return server, err
}

func (r Runner) findAndStart(ctx context.Context) (*Server, error) {
	programs, err := Find()
	if errors.Is(err, ErrNoPrograms) {
		programs, err = Install(ctx, r.Stderr)
	}
	if err != nil {
		return nil, err
	}
	return Start(ctx, programs, r.Durability)
}

// command runs args and passes signals on.
func (r Runner) command(signals <-chan os.Signal, args, environ []string) (int, error) {
	cmd := exec.Command(args[0], args[1:]...) //nolint:gosec,noctx // running what we are told to is the purpose, and signals end it
	cmd.Env = environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Stdin, r.Stdout, r.Stderr
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("run %s: %w", args[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case signal := <-signals:
			_ = cmd.Process.Signal(signal) // it may have ended meanwhile
		case err := <-ended:
			return exitCode(args[0], err)
		}
	}
}

func exitCode(name string, err error) (int, error) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err != nil {
			return 0, fmt.Errorf("run %s: %w", name, err)
		}
		return 0, nil
	}
	if status, isWait := exit.Sys().(syscall.WaitStatus); isWait && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
