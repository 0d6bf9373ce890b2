package solver

import (
	"context"
	"runtime"
	"sync"

	"github.com/fourinarow/fourinarow/internal/board"
)

// A Pool shares a fixed number of Solvers among any number of callers, who wait in a fair queue. The one used last is
// handed out first, so a quiet pool has few allocated tables and those are warm.
type Pool struct {
	queue *queue

	mu   sync.Mutex
	size int
	idle []*Solver
	calm chan struct{} // closed when the last Solver in use comes back; nil while none is
}

// NewPool makes a pool of that many Solvers, for 0 as many as the machine runs at once.
func NewPool(size int, options Options) *Pool {
	if size <= 0 {
		size = runtime.GOMAXPROCS(0)
	}
	p := &Pool{queue: newQueue(size), mu: sync.Mutex{}, size: size, idle: make([]*Solver, 0, size), calm: nil}
	for range size {
		p.idle = append(p.idle, New(options))
	}
	return p
}

// Size is the number of Solvers.
func (p *Pool) Size() int { return p.size }

// Do is DoFor for nobody in particular.
func (p *Pool) Do(ctx context.Context, use func(*Solver) error) error {
	return p.DoFor(ctx, Asker{}, use)
}

// DoFor waits for a Solver until it is the turn of who asks, and calls use with it. When the context ends before, it
// returns the context's error without calling, and at once ErrCrowded when too many wait. The Solver mustn't be kept.
func (p *Pool) DoFor(ctx context.Context, who Asker, use func(*Solver) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.queue.enter(ctx, who); err != nil {
		return err
	}
	defer p.queue.leave(who)
	s := p.take()
	defer p.giveBack(s)
	return use(s)
}

func (p *Pool) take() *Solver {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	if p.calm == nil {
		p.calm = make(chan struct{})
	}
	return s
}

func (p *Pool) giveBack(s *Solver) {
	p.mu.Lock()
	p.idle = append(p.idle, s)
	if len(p.idle) == p.size {
		close(p.calm)
		p.calm = nil
	}
	p.mu.Unlock()
}

// quiet waits until no Solver is in use, or the context ends.
func (p *Pool) quiet(ctx context.Context) {
	for ctx.Err() == nil {
		p.mu.Lock()
		calm := p.calm
		p.mu.Unlock()
		if calm == nil {
			return
		}
		select {
		case <-calm:
		case <-ctx.Done():
		}
	}
}

// Solve is Solver.Solve on the next free Solver.
func (p *Pool) Solve(ctx context.Context, position board.Position, lo, hi int) (r Result, err error) {
	err = p.Do(ctx, func(s *Solver) error {
		r, err = s.Solve(ctx, position, lo, hi)
		return err
	})
	return r, err
}

// Analyze is Solver.Analyze on the next free Solver.
func (p *Pool) Analyze(ctx context.Context, position board.Position) (scores []ColumnScore, err error) {
	err = p.Do(ctx, func(s *Solver) error {
		scores, err = s.Analyze(ctx, position)
		return err
	})
	return scores, err
}

// Best is Solver.Best on the next free Solver.
func (p *Pool) Best(ctx context.Context, position board.Position) (best Choice, err error) {
	err = p.Do(ctx, func(s *Solver) error {
		best, err = s.Best(ctx, position)
		return err
	})
	return best, err
}
