package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// A set is one file of the benchmark. L3 to L1 are late to early positions, R1 to R3 easy to hard ones.
type set struct {
	name string
	part int // lines to solve unless all are asked for
}

var benchmark = []set{
	{"Test_L3_R1", 500},
	{"Test_L2_R1", 500},
	{"Test_L2_R2", 500},
	{"Test_L1_R1", 500},
	{"Test_L1_R2", 50},
	{"Test_L1_R3", 8},
}

type line struct {
	position board.Position
	score    int
}

func (s set) read(dir string, full bool) ([]line, error) {
	data, err := fs.ReadFile(os.DirFS(dir), s.name)
	if err != nil {
		return nil, fmt.Errorf("run this in the checkout, or say where the sets are with -sets: %w", err)
	}
	var lines []line
	for text := range bytes.Lines(data) {
		if !full && len(lines) == s.part {
			break
		}
		var moves string
		var l line
		if _, err := fmt.Sscan(string(text), &moves, &l.score); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", s.name, len(lines)+1, err)
		}
		if l.position, err = board.Parse(moves); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", s.name, len(lines)+1, err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// A measurement is one set solved by one solver. Milliseconds and Nodes are means a line.
type measurement struct {
	Set            string  `json:"set"`
	BookPly        int     `json:"book_ply"` // 0 without a book
	Lines          int     `json:"lines"`
	Wrong          int     `json:"wrong"`
	Milliseconds   float64 `json:"milliseconds"`
	Nodes          float64 `json:"nodes"`
	NodesPerSecond float64 `json:"nodes_per_second"`
}

// measureAll measures every set without a book and, where there is one, with it.
func measureAll(ctx context.Context, dir string, full bool, book *solver.Book) ([]measurement, error) {
	books := []*solver.Book{nil}
	if book != nil {
		books = append(books, book)
	}
	var report []measurement
	for _, set := range benchmark {
		lines, err := set.read(dir, full)
		if err != nil {
			return nil, err
		}
		for _, b := range books {
			m, err := measure(ctx, set.name, lines, b)
			if err != nil {
				return nil, err
			}
			report = append(report, m)
		}
	}
	return report, nil
}

func measure(ctx context.Context, name string, lines []line, book *solver.Book) (measurement, error) {
	m := measurement{Set: name, Lines: len(lines)}
	if book != nil {
		m.BookPly = book.Ply()
	}
	s := solver.New(solver.Options{Book: book})
	var nodes uint64
	began := processorTime()
	for _, l := range lines {
		r, err := s.Solve(ctx, l.position, -22, 22)
		if err != nil {
			return measurement{}, fmt.Errorf("%s: %w", name, err)
		}
		if !r.Exact() || r.Lower != l.score {
			m.Wrong++
		}
		nodes += r.Nodes
	}
	took := max(processorTime()-began, time.Microsecond)
	m.Milliseconds = took.Seconds() * 1000 / float64(len(lines))
	m.Nodes = float64(nodes) / float64(len(lines))
	m.NodesPerSecond = float64(nodes) / took.Seconds()
	return m, nil
}
