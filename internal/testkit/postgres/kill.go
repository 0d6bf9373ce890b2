//go:build unix

package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Kill ends the server as a power cut would: all its processes at once, without a word. What it kept is still there
// for Restart.
func (s *Server) Kill() error {
	main := s.process.Process
	if err := main.Signal(syscall.SIGSTOP); err != nil { // it would start others in place of those that are gone
		return fmt.Errorf("stop the test database: %w", err)
	}
	children, err := childrenOf(main.Pid)
	for _, child := range children {
		if killed := syscall.Kill(child, syscall.SIGKILL); killed != nil && !errors.Is(killed, syscall.ESRCH) {
			err = errors.Join(err, fmt.Errorf("kill process %d of the test database: %w", child, killed))
		}
	}
	if killed := main.Kill(); killed != nil && !errors.Is(killed, os.ErrProcessDone) {
		return errors.Join(err, fmt.Errorf("kill the test database: %w", killed))
	}
	<-s.exited
	return err
}

// Restart runs a killed server again, on the same data and the same port, and returns when it has recovered and
// accepts connections. Until the last process of the killed one is gone, a new one refuses to start.
func (s *Server) Restart(ctx context.Context) error {
	again := time.NewTicker(readyInterval)
	defer again.Stop()
	for {
		err := s.launch(ctx)
		if err == nil || ctx.Err() != nil || !bytes.Contains(tail(s.directory), []byte("pre-existing shared memory block")) {
			return err
		}
		<-again.C
	}
}
