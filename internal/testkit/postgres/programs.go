package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// ErrNoPrograms says that this machine has no PostgreSQL server.
var ErrNoPrograms = errors.New("no PostgreSQL server here: neither initdb and postgres on PATH nor in /usr/lib/postgresql/*/bin; " +
	"install one (on Debian: apt-get install postgresql) or set TEST_DATABASE_URL to a server that tests may fill")

// Programs are the programs of one installed PostgreSQL server.
type Programs struct {
	directory string
}

// Find looks for the programs on PATH first and then where Debian puts them, the newest version of those. The error is
// ErrNoPrograms.
func Find() (Programs, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		// On PATH is often a link; the server looks for its files beside the real one.
		if real, err := filepath.EvalSymlinks(path); err == nil && isComplete(filepath.Dir(real)) {
			return Programs{filepath.Dir(real)}, nil
		}
	}
	directories, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return Programs{}, fmt.Errorf("look for PostgreSQL: %w", err)
	}
	slices.SortFunc(directories, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	for _, directory := range directories {
		if isComplete(directory) {
			return Programs{directory}, nil
		}
	}
	return Programs{}, ErrNoPrograms
}

// version is that of a directory like /usr/lib/postgresql/17/bin, or 0.
func version(directory string) float64 {
	number, err := strconv.ParseFloat(filepath.Base(filepath.Dir(directory)), 64)
	if err != nil {
		return 0
	}
	return number
}

// isComplete tells a directory that has a server from one that has only a client.
func isComplete(directory string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(directory, name)); err != nil {
			return false
		}
	}
	return true
}

func (p Programs) initdb() string { return filepath.Join(p.directory, "initdb") }

func (p Programs) postgres() string { return filepath.Join(p.directory, "postgres") }
