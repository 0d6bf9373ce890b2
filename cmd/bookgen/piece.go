package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// pieceSize is how many positions a piece holds: some ten seconds of work at ply 10. Changing it makes
// existing pieces unreadable.
const pieceSize = 1000

// A piece is a run of neighbouring positions. On disk it is text, so that anything can check it: one line
// a position in the order of solver.FamilyKeys, the key in hexadecimal and the exact score from the side to move.
type piece struct {
	number int
	keys   []solver.Key
	scores []int
}

// cut divides the positions of a ply into pieces without scores.
func cut(keys []solver.Key) []piece {
	pieces := make([]piece, 0, len(keys)/pieceSize+1)
	for start := 0; start < len(keys); start += pieceSize {
		end := min(start+pieceSize, len(keys))
		pieces = append(pieces, piece{number: len(pieces), keys: keys[start:end]})
	}
	return pieces
}

func (p *piece) path(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%05d.txt", p.number))
}

// load reads the scores of a finished piece and tells whether there is one. A file that isn't exactly
// this piece is an error: the directory belongs to something else.
func (p *piece) load(dir string) (bool, error) {
	data, err := os.ReadFile(p.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	scores := make([]int, 0, len(p.keys))
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var key solver.Key
		var score int
		if _, err := fmt.Sscanf(lines.Text(), "%x %d", &key, &score); err != nil {
			return false, fmt.Errorf("%s, line %d: %w", p.path(dir), len(scores)+1, err)
		}
		if len(scores) == len(p.keys) || key != p.keys[len(scores)] {
			return false, fmt.Errorf("%s, line %d: not a position of this piece", p.path(dir), len(scores)+1)
		}
		scores = append(scores, score)
	}
	if err := lines.Err(); err != nil {
		return false, fmt.Errorf("%s: %w", p.path(dir), err)
	}
	if len(scores) != len(p.keys) {
		return false, fmt.Errorf("%s: %d positions instead of %d", p.path(dir), len(scores), len(p.keys))
	}
	p.scores = scores
	return true, nil
}

// save writes a finished piece so that a crash leaves either all of it or nothing.
func (p *piece) save(dir string) error {
	var text bytes.Buffer
	for i, key := range p.keys {
		fmt.Fprintf(&text, "%013x %d\n", uint64(key), p.scores[i])
	}
	return replaceFile(p.path(dir), text.Bytes())
}

// replaceFile writes a file under another name, flushes it and moves it into place.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".*.partial")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
