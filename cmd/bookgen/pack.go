package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// pack puts the scores of all pieces into one packed book, unpacks it again, and only writes it when
// every position comes out with its score.
func pack(c config, pieces []piece) error {
	scoreOf := map[solver.Key]int{}
	for _, p := range pieces {
		for i, key := range p.keys {
			scoreOf[key] = p.scores[i]
		}
	}
	keys := slices.Sorted(maps.Keys(scoreOf))
	scores := make([]int, 0, len(keys))
	for _, key := range keys {
		scores = append(scores, scoreOf[key])
	}
	packed, err := solver.PackBook(c.ply, keys, scores)
	if err != nil {
		return err
	}
	book, err := solver.ParseBook(packed)
	if err != nil {
		return err
	}
	for i, key := range keys {
		if score, ok := book.ScoreKey(key); !ok || score != scores[i] {
			return fmt.Errorf("position %013x: packed %d, unpacked %d", uint64(key), scores[i], score)
		}
	}
	if err := os.MkdirAll(filepath.Dir(c.out), 0o750); err != nil {
		return err
	}
	if err := replaceFile(c.out, packed); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s: %d positions in %d bytes\n", c.out, len(keys), len(packed))
	return nil
}
