//go:build unix

package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Durability says whether a commit waits for the disk.
type Durability int

// The values of Durability.
const (
	Disposable Durability = iota // as fast as it gets: nobody misses the data
	Durable                      // as in production
)

const (
	superuser = "fourinarow"
	timeZone  = "Pacific/Chatham" // UTC+12:45 or +13:45

	startPatience = 60 * time.Second
	stopPatience  = 10 * time.Second
	readyInterval = 20 * time.Millisecond
	portAttempts  = 3 // another program may take the free port first
)

// Server is a running server. Stop it.
type Server struct {
	programs   Programs
	runAs      account
	directory  string
	password   string
	durability Durability
	port       int
	process    *exec.Cmd
	exited     chan struct{} // closed when the process is gone
}

// Start makes a database cluster in a directory of its own and runs a server on it. It returns when the server accepts
// connections. Ending ctx ends the start, not the server.
func Start(ctx context.Context, programs Programs, durability Durability) (*Server, error) {
	runAs, err := unprivileged()
	if err != nil {
		return nil, err
	}
	directory, err := runAs.directory(durability)
	if err != nil {
		return nil, err
	}
	s := &Server{
		programs: programs, runAs: runAs, directory: directory, password: rand.Text(), durability: durability,
		port: 0, process: nil, exited: nil,
	}
	err = initialise(ctx, programs, runAs, directory, s.password)
	for attempt := 1; err == nil; attempt++ {
		if s.port, err = freePort(ctx); err != nil {
			break
		}
		if err = s.launch(ctx); err == nil {
			return s, nil
		}
		if attempt < portAttempts && ctx.Err() == nil && portWasTaken(directory) {
			err = nil
		}
	}
	return nil, errors.Join(err, os.RemoveAll(directory))
}

// initialise makes the database cluster, with one superuser who has a password: other users of this machine can
// reach the port too.
func initialise(ctx context.Context, programs Programs, runAs account, directory, password string) error {
	passwordFile := filepath.Join(directory, "password")
	if err := os.WriteFile(passwordFile, []byte(password), 0o600); err != nil {
		return fmt.Errorf("hand over the password of a test database: %w", err)
	}
	if err := runAs.own(passwordFile); err != nil {
		return fmt.Errorf("hand over the password of a test database: %w", err)
	}
	// md5 over loopback, since scram costs milliseconds a connection and tests open thousands.
	cmd := exec.CommandContext(ctx, programs.initdb(), //nolint:gosec // a program that Find found
		"--pgdata="+dataIn(directory), "--username="+superuser, "--pwfile="+passwordFile, "--auth=md5",
		"--encoding=UTF8", "--locale=C", "--no-sync")
	runAs.run(cmd, directory)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make a test database with initdb: %w\n%s", err, output)
	}
	return nil
}

// launch runs the server on its port and waits until it accepts connections.
func (s *Server) launch(ctx context.Context) error {
	log, err := os.Create(logIn(s.directory))
	if err != nil {
		return fmt.Errorf("open the log of a test database: %w", err)
	}
	defer log.Close() //nolint:errcheck // the server has its own handle

	//nolint:gosec,noctx // a program that Find found; it outlives ctx, and Stop ends it
	cmd := exec.Command(s.programs.postgres(), settings(s.directory, s.port, s.durability)...)
	s.runAs.run(cmd, s.directory)
	endWithParent(cmd.SysProcAttr)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start a test database: %w", err)
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended stands in its log
		close(exited)
	}()
	s.process, s.exited = cmd, exited
	if err := s.awaitReady(ctx); err != nil {
		s.end()
		return err
	}
	return nil
}

// settings are the server's arguments.
func settings(directory string, port int, durability Durability) []string {
	args := []string{"-D", dataIn(directory), "-p", fmt.Sprint(port)}
	pairs := []string{
		"listen_addresses=127.0.0.1",
		"unix_socket_directories=" + directory,
		"max_connections=300",
		"timezone=" + timeZone,
		"log_timezone=UTC",
		"wal_level=minimal", // nobody replicates it
		"max_wal_senders=0",
	}
	if len(directory) > longestSocketDirectory {
		pairs[1] = "unix_socket_directories=" // TCP will do
	}
	if durability == Disposable {
		pairs = append(pairs, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	for _, pair := range pairs {
		args = append(args, "-c", pair)
	}
	return args
}

// longestSocketDirectory leaves room for the socket's name in the 108 bytes that Linux gives its path (104 on BSD).
const longestSocketDirectory = 80

// run sets a command up to run as the account: in a directory it can see, with nothing of the caller's environment, in
// a process group of its own, so that a Ctrl-C meant for the tests doesn't take the server away from under them.
func (a account) run(cmd *exec.Cmd, directory string) {
	cmd.Dir = directory
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=" + directory}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: a.credential}
}

// awaitReady waits until the server says, in its own lock file, that it accepts connections.
func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	look := time.NewTicker(readyInterval)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if isReady(s.directory, s.process.Process.Pid) {
				return nil
			}
		case <-s.exited:
			return fmt.Errorf("the test database ended at once; its log:\n%s", tail(s.directory))
		case <-ctx.Done():
			return fmt.Errorf("wait for the test database: %w; its log:\n%s", ctx.Err(), tail(s.directory))
		}
	}
}

// URL leads to the server's database "postgres", as a superuser, who may make others.
func (s *Server) URL() string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/postgres?sslmode=disable", superuser, s.password, s.port)
}

// Stop ends the server and removes all that it kept.
func (s *Server) Stop() error {
	s.end()
	if err := os.RemoveAll(s.directory); err != nil {
		return fmt.Errorf("remove the test database: %w", err)
	}
	return nil
}

// end asks the server to drop its connections and end, ever less politely.
func (s *Server) end() {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		_ = s.process.Process.Signal(signal) // it may be gone already, which is what we want
		select {
		case <-s.exited:
			return
		case <-time.After(stopPatience):
		}
	}
	<-s.exited
}

func dataIn(directory string) string { return filepath.Join(directory, "data") }

func logIn(directory string) string { return filepath.Join(directory, "log") }

// isReady reads the first and the last line of postmaster.pid, which is how pg_ctl knows. The file of a server that
// was killed is still there.
func isReady(directory string, pid int) bool {
	content, err := os.ReadFile(filepath.Join(dataIn(directory), "postmaster.pid"))
	if err != nil {
		return false
	}
	lines := bytes.Split(bytes.TrimSpace(content), []byte("\n"))
	first, last := bytes.TrimSpace(lines[0]), bytes.TrimSpace(lines[len(lines)-1])
	return string(first) == strconv.Itoa(pid) && string(last) == "ready"
}

func portWasTaken(directory string) bool {
	return bytes.Contains(tail(directory), []byte("could not bind IPv4 address"))
}

// tail is the end of the server's log.
func tail(directory string) []byte {
	const most = 4096
	content, err := os.ReadFile(logIn(directory))
	if err != nil {
		return []byte(err.Error())
	}
	return content[max(0, len(content)-most):]
}

func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close() //nolint:errcheck // nothing was written
	address, isTCP := listener.Addr().(*net.TCPAddr)
	if !isTCP {
		return 0, fmt.Errorf("find a free port: %v has none", listener.Addr())
	}
	return address.Port, nil
}
