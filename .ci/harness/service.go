package harness

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

const (
	readyWithin = 20 * time.Second
	stopsWithin = 10 * time.Second
)

// Service is a process of the service with a database and an address of its own.
type Service struct {
	binary, folder string
	settings       []string
	starts         int
	process        *exec.Cmd
	url            *url.URL
}

// Start starts the binary with the settings, each NAME=value, and returns when it is ready.
func Start(binary string, settings ...string) (*Service, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "service-")
	if err != nil {
		return nil, err
	}
	s := &Service{binary: binary, folder: folder, settings: settings, url: &url.URL{Scheme: "http", Host: "127.0.0.1:0"}}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

// URL is where the service listens, also after a restart.
func (s *Service) URL() *url.URL { return s.url }

// Command is another command of the binary over the same database.
func (s *Service) Command(args ...string) *exec.Cmd {
	command := exec.Command(s.binary, args...)
	command.Dir = s.folder
	command.Env = append(os.Environ(), s.settings...)
	command.Env = append(command.Env, "LISTEN_ADDR="+s.url.Host, "DATABASE_URL=sqlite://"+filepath.Join(s.folder, "fourinarow.db"))
	return command
}

// Restart kills the process and starts another one over the same database and at the same address.
func (s *Service) Restart() error {
	if err := s.process.Process.Kill(); err != nil {
		return err
	}
	_ = s.process.Wait() // it was killed
	return s.start()
}

// Stop ends the process and removes its database.
func (s *Service) Stop() error {
	err := s.process.Process.Signal(syscall.SIGTERM)
	killer := time.AfterFunc(stopsWithin, func() { _ = s.process.Process.Kill() })
	defer killer.Stop()
	return errors.Join(err, s.process.Wait(), os.RemoveAll(s.folder))
}

func (s *Service) start() error {
	s.starts++
	log, err := os.Create(filepath.Join(s.folder, fmt.Sprintf("log-%d", s.starts)))
	if err != nil {
		return err
	}
	defer log.Close() // the process has a handle of its own
	s.process = s.Command()
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return err
	}
	for end := time.Now().Add(readyWithin); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if s.ready(log.Name()) {
			return nil
		}
	}
	text, err := os.ReadFile(log.Name())
	return errors.Join(fmt.Errorf("the service doesn't become ready: %s", text), err, s.process.Process.Kill(), s.process.Wait())
}

var listens = regexp.MustCompile(`127\.0\.0\.1:[1-9][0-9]*`)

func (s *Service) ready(log string) bool {
	text, err := os.ReadFile(log)
	if err != nil {
		return false
	}
	host := listens.FindString(string(text))
	if host == "" {
		return false
	}
	answer, err := http.Get("http://" + host + "/readyz")
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	s.url = &url.URL{Scheme: "http", Host: host}
	return answer.StatusCode == http.StatusOK
}
