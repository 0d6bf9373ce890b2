package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"time"
)

// A running is a program of ours that serves HTTP at an address.
type running struct {
	cmd     *exec.Cmd
	address string
	log     *bytes.Buffer
}

var addressLine = regexp.MustCompile(`http://(127\.0\.0\.1:[0-9]+)`)

// start runs a program until it has said on its standard output where it listens.
func start(ctx context.Context, environ []string, name string, args ...string) (*running, error) {
	cmd := exec.Command(name, args...) //nolint:gosec,noctx // whoever runs this names it; stop ends it
	cmd.Env = environ                  // and nothing of ours
	r := &running{cmd: cmd, address: "", log: new(bytes.Buffer)}
	cmd.Stderr = r.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	said := make(chan string, 1)
	go func() {
		defer close(said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if found := addressLine.FindStringSubmatch(lines.Text()); found != nil {
				said <- found[1]
				return // it says no more
			}
		}
	}()
	select {
	case r.address = <-said:
		if r.address != "" {
			return r, nil
		}
		err = fmt.Errorf("%s didn't say where it listens", name)
	case <-time.After(patience):
		err = fmt.Errorf("%s didn't say where it listens", name)
	case <-ctx.Done():
		err = ctx.Err()
	}
	_ = r.stop() // that it didn't start is known
	return nil, fmt.Errorf("%w: %s", err, r.log)
}

// The settings of a service, besides those that all have.
var (
	unguarded = []string{"RATE_LIMIT=off", "COMPRESSION=off"}
	// guarded counts every request against limits that nobody reaches here.
	guarded = []string{
		"RATE_TOKEN_PER_SECOND=1000000", "RATE_TOKEN_BURST=1000000", "RATE_MOVES_PER_SECOND=1000000", "RATE_GAMES_PER_HOUR=1000000",
		"RATE_PROFILES_PER_HOUR=1000000", "RATE_PROFILES_PER_SECOND=1000000", "RATE_ANONYMOUS_PER_SECOND=1000000",
	}
)

// startService runs the service on a database, with a quiet log.
func startService(ctx context.Context, binary, database, synchronous string, others []string) (*running, error) {
	return start(ctx, append([]string{
		"LISTEN_ADDR=127.0.0.1:0", "METRICS_ADDR=127.0.0.1:0", "CONNECTIONS_PER_ADDRESS=100000", "LOG_LEVEL=warn",
		"DATABASE_URL=" + database, "SQLITE_SYNCHRONOUS=" + synchronous,
	}, others...), binary)
}

// stop ends the program and waits for it.
func (r *running) stop() error {
	_ = r.cmd.Process.Signal(syscall.SIGTERM) // it may be gone, which Wait tells
	late := time.AfterFunc(patience, func() { _ = r.cmd.Process.Kill() })
	defer late.Stop()
	if err := r.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", r.cmd.Path, err, r.log)
	}
	return nil
}

// processorTime is what the program has used.
func (r *running) processorTime() (time.Duration, error) {
	return processTime(strconv.Itoa(r.cmd.Process.Pid))
}

// counts are counters of the service that its processes don't show.
type counts struct {
	allocations     float64 // objects put on its heap
	commits, writes float64 // to SQLite
}

var counted = regexp.MustCompile(`(?m)^(go_memstats_mallocs_total|fourinarow_sqlite_(?:commits|writes)_total) (\S+)$`)

// counts reads the service's metrics.
func (r *running) counts() (counts, error) {
	c, err := dial(r.address)
	if err != nil {
		return counts{}, err
	}
	a, err := c.expect(http.StatusOK, c.newRequest("GET", "/metrics", "", "", ""))
	if err = errors.Join(err, c.conn.Close()); err != nil {
		return counts{}, err
	}
	values := map[string]float64{}
	for _, found := range counted.FindAllSubmatch(a.body, -1) {
		if values[string(found[1])], err = strconv.ParseFloat(string(found[2]), 64); err != nil {
			return counts{}, err
		}
	}
	return counts{
		allocations: values["go_memstats_mallocs_total"],
		commits:     values["fourinarow_sqlite_commits_total"], writes: values["fourinarow_sqlite_writes_total"],
	}, nil
}
