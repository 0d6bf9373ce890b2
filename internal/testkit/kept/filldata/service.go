package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// answering are the settings that answers depend on, and filling those that let the filler play fast.
var (
	answering = []string{"PUBLIC_URL=https://four.example", "OPERATOR_NAME=A test"}
	filling   = []string{"LISTEN_ADDR=127.0.0.1:0", "RATE_LIMIT=off", "CPU_PACE=20ms", "CPU_THINKERS=1", "OPEN_TABLES_PER_PROFILE=40", "LOG_LEVEL=warn"}
)

// program is a service over a database.
type program struct{ path, database string }

// command prepares the program with its settings and nothing else of the environment.
func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, args...) //nolint:gosec // whoever calls the filler names it
	cmd.Env = append(append([]string{"DATABASE_URL=" + p.database}, answering...), filling...)
	cmd.Stderr = os.Stderr
	return cmd
}

// says runs a command of the program and returns what it prints.
func (p program) says(ctx context.Context, args ...string) (string, error) {
	printed, err := p.command(ctx, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, printed)
	}
	return strings.TrimSpace(string(printed)), nil
}

var readyAt = regexp.MustCompile(`ready at (http://\S+)`)

// serve runs the service while use does something with its address.
func (p program) serve(ctx context.Context, use func(base string) error) (err error) {
	cmd := p.command(ctx)
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err = cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(printed).ReadString('\n')
	found := readyAt.FindStringSubmatch(line)
	if err != nil || found == nil {
		return errors.Join(fmt.Errorf("the service doesn't say where it is: %q", line), err, cmd.Process.Kill(), cmd.Wait())
	}
	err = use(found[1])
	return errors.Join(err, cmd.Process.Signal(syscall.SIGTERM), cmd.Wait())
}

// outage is how long the service is down once.
const outage = 5 * time.Second

// stopAtMost is how long the service may take to stop: longer would be an outage for whoever reads the database at the
// moment it was kept.
const stopAtMost = 2 * time.Second

// admins hands out tokens of admins; the last is revoked.
func (p program) admins(ctx context.Context) (tokens []string, err error) {
	names := []string{"ola", "jan", "retired"}
	for _, name := range names {
		token, err := p.says(ctx, "admin-token", "create", name)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, token)
	}
	_, err = p.says(ctx, "admin-token", "revoke", names[len(names)-1])
	return tokens, err
}

// fill fills a database and returns what is to be kept beside it.
func (p program) fill(ctx context.Context) (kept.Record, error) {
	version, err := p.says(ctx, "version")
	if err != nil {
		return kept.Record{}, err
	}
	r := kept.Record{Program: version, Settings: answering}
	f := &filler{ctx: ctx}
	if err = p.serve(ctx, func(base string) error {
		f.base = base
		if f.admins, err = p.admins(ctx); err != nil {
			return err
		}
		f.fillFirst()
		return f.err
	}); err != nil {
		return r, err
	}
	time.Sleep(outage)
	var asked time.Time
	err = p.serve(ctx, func(base string) error {
		f.base = base
		f.fill()
		f.settle()
		r.Answers, r.Scenes = f.record(), f.scenes()
		asked = time.Now()
		return f.err
	})
	r.Moment = time.Now().UTC()
	if took := r.Moment.Sub(asked); err == nil && took > stopAtMost {
		return r, fmt.Errorf("the service took %s to stop: try again", took)
	}
	if err != nil {
		return r, err
	}
	_, err = p.says(ctx, "verify")
	return r, err
}

// printedBy runs another program and returns what it prints.
func printedBy(ctx context.Context, name string, args ...string) ([]byte, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // ours
	cmd.Stderr = &said
	printed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, said.String())
	}
	return printed, nil
}
