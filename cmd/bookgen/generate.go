package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// recheckEvery: one position in so many is solved a second time with tables that know nothing of the
// first, and must come out the same.
const recheckEvery = 250

func run(ctx context.Context, args []string) error {
	c, err := parse(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.pieces, 0o750); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "Listing the positions of ply %d ...\n", c.ply)
	keys := solver.FamilyKeys(c.ply)
	pieces := cut(keys)
	var missing []*piece
	for i := range pieces {
		there, err := pieces[i].load(c.pieces)
		if err != nil {
			return err
		}
		if !there {
			missing = append(missing, &pieces[i])
		}
	}
	fmt.Fprintf(os.Stderr, "%d positions in %d pieces, %d of them finished in %s\n",
		len(keys), len(pieces), len(pieces)-len(missing), c.pieces)
	if err := generate(ctx, c, missing); err != nil {
		return err
	}
	return pack(c, pieces)
}

// generate solves the missing pieces with all workers. The first error stops them all.
func generate(ctx context.Context, c config, missing []*piece) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	positions := 0
	for _, p := range missing {
		positions += len(p.keys)
	}
	bar := newProgress(os.Stderr, positions)
	queue := make(chan *piece)
	var workers sync.WaitGroup
	for range min(c.workers, len(missing)) {
		workers.Go(func() {
			if err := work(ctx, c, queue, bar); err != nil {
				cancel(err)
			}
		})
	}
	for _, p := range missing {
		select {
		case queue <- p:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	workers.Wait()
	bar.finish()
	return context.Cause(ctx)
}

// work solves pieces from the queue until it is empty.
func work(ctx context.Context, c config, queue <-chan *piece, bar *progress) error {
	s := solver.New(solver.Options{EarlyTableBits: c.tableBits})
	for p := range queue {
		if err := solvePiece(ctx, s, p, bar); err != nil {
			return fmt.Errorf("piece %d: %w", p.number, err)
		}
		if err := p.save(c.pieces); err != nil {
			return err
		}
	}
	return nil
}

// solvePiece solves the positions in order, so that the tables are warm from their neighbours, and then
// some of them again with cold ones.
func solvePiece(ctx context.Context, s *solver.Solver, p *piece, bar *progress) error {
	scores := make([]int, 0, len(p.keys))
	near := 0
	for _, key := range p.keys {
		r, err := s.SolveKeyNear(ctx, key, near)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("solve %013x: %w", uint64(key), err)
		}
		near = r.Lower
		scores = append(scores, near)
		bar.add(1)
	}
	for i := p.number % recheckEvery; i < len(p.keys); i += recheckEvery {
		r, err := solver.New(solver.Options{EarlyTableBits: 20}).SolveKey(ctx, p.keys[i])
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("solve %013x again: %w", uint64(p.keys[i]), err)
		}
		if r.Lower != scores[i] {
			return fmt.Errorf("position %013x scored %d with warm tables and %d with cold ones",
				uint64(p.keys[i]), scores[i], r.Lower)
		}
	}
	p.scores = scores
	return nil
}
