package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/terminal"
)

// screen finds out how to write to the standard output: in colour when it is a terminal that has some, unless NO_COLOR
// (no-color.org) is set to anything.
func (p program) screen() terminal.Screen {
	file, isFile := p.stdout.(*os.File)
	shows := isFile && term.IsTerminal(int(file.Fd())) && p.variable("TERM") != "dumb"
	return terminal.Screen{Colour: shows && p.variable("NO_COLOR") == "", Redraw: shows}
}

// variable returns a variable of the environment.
func (p program) variable(name string) string {
	for _, entry := range p.environ {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}

// keys returns the player's keys, and what leaves the terminal as it was.
func (p program) keys() (*terminal.Reader, func()) {
	file, isFile := p.stdin.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return terminal.NewReader(p.stdin), func() {}
	}
	before, err := term.GetState(int(file.Fd()))
	if err != nil {
		return terminal.NewReader(file), func() {} // it goes with the Enter key too
	}
	restore := func() { _ = term.Restore(int(file.Fd()), before) } // there is nobody who could do more about it
	return terminal.NewReader(&singleKeys{file: file}), restore
}

// singleKeys reads from a terminal without waiting for the Enter key. It does so only while it reads: in between the
// terminal is as ever, and Ctrl-C a signal.
type singleKeys struct{ file *os.File }

// Read reads what keys send.
func (s *singleKeys) Read(p []byte) (int, error) {
	fd := int(s.file.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return s.file.Read(p) //nolint:wrapcheck // io.EOF is looked for
	}
	n, err := s.file.Read(p)
	_ = term.Restore(fd, before) // the next key tries again
	return n, err                //nolint:wrapcheck // io.EOF is looked for
}

var _ io.Reader = (*singleKeys)(nil)

// solverOptions lets a solver know the embedded book, if there is one.
func solverOptions() (solver.Options, error) {
	book, err := solver.EmbeddedBook()
	return solver.Options{EarlyTableBits: 0, Book: book}, err
}
