package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// A draft is what is known so far of something that perfect play was asked. All who ask the same share it: each goes on
// with it when it is its turn, so it goes on for as long as one of them is there.
type draft[T any] struct {
	goOn   step[T]
	over   context.Context // ended when there is no more to find out
	finish context.CancelFunc

	mu    sync.Mutex
	known T
	turns int // that were spent on it
}

// A step finds out more, until the context ends; true when there is no more to find out. It changes nothing of what was
// known before, which others read.
type step[T any] func(ctx context.Context, reader *solver.Solver, known T) (T, bool, error)

func newDraft[T any](goOn step[T]) *draft[T] {
	d := &draft[T]{goOn: goOn}
	d.over, d.finish = context.WithCancel(context.Background()) //nolint:gosec // turn calls it, or nobody needs it
	return d
}

// turn spends one turn with a solver on the draft. Of two at the same time, on two solvers, what the later found is kept.
func (d *draft[T]) turn(ctx context.Context, reader *solver.Solver) error {
	if d.over.Err() != nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, turnTakes)
	defer cancel()
	known, _ := d.read()
	known, all, err := d.goOn(limited, reader, known)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over.Err() != nil {
		return nil
	}
	d.known = known
	d.turns++
	if all {
		d.finish()
	}
	return nil
}

// read returns what is known, and how many turns were spent on it.
func (d *draft[T]) read() (T, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known, d.turns
}

const (
	// turnTakes is how long perfect play thinks for one request before it is another's turn.
	turnTakes = 100 * time.Millisecond
	// turnsAtMost is how many turns are spent on what one request asks.
	turnsAtMost = 10
	// answersWithin is how long a request waits for its turns, with them.
	answersWithin = 2 * time.Second
)

// think goes on with a draft, turn by turn with others who want a solver, and returns what is known then. What is
// finished waits for no turn. The fault is unavailable: too many want a solver, and nothing is known.
func think[T any](ctx context.Context, readers *solver.Pool, c Caller, d *draft[T]) (known T, err error) {
	waiting, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	stop := context.AfterFunc(d.over, cancel)
	defer stop()
	who := solver.Asker{Group: c.Address, Member: string(c.Profile)}
	known, turns := d.read()
	for last := turns + turnsAtMost; err == nil && turns < last && d.over.Err() == nil; known, turns = d.read() {
		err = readers.DoFor(waiting, who, func(reader *solver.Solver) error { return d.turn(waiting, reader) })
	}
	known, turns = d.read()
	switch {
	case ctx.Err() != nil: // nobody waits for the answer any more
		return known, ctx.Err()
	case err == nil || !errors.Is(err, waiting.Err()) && !errors.Is(err, solver.ErrCrowded):
		return known, err
	case turns > 0:
		return known, nil
	default:
		return known, fault.New(fault.Away, "too many want the solver's word right now")
	}
}

// drafts are what perfect play was asked lately.
type drafts struct {
	positions *lru.Cache[question, *draft[analysis.Position]]
	games     *lru.Cache[game.ID, *draft[[][]solver.ColumnScore]]
}

const (
	positionsKept = 4096 // about 1 KB each
	gamesKept     = 256  // about 10 KB each
)

func newDrafts() (drafts, error) {
	positions, err := lru.New[question, *draft[analysis.Position]](positionsKept)
	if err != nil {
		return drafts{}, fmt.Errorf("make room for positions: %w", err)
	}
	games, err := lru.New[game.ID, *draft[[][]solver.ColumnScore]](gamesKept)
	if err != nil {
		return drafts{}, fmt.Errorf("make room for analyses: %w", err)
	}
	return drafts{positions: positions, games: games}, nil
}

// draftOf returns the draft of something, which begins with the first who asks.
func draftOf[K comparable, T any](drafts *lru.Cache[K, *draft[T]], of K, goOn step[T]) *draft[T] {
	if d, begun := drafts.Get(of); begun {
		return d
	}
	d := newDraft(goOn)
	if other, begun, _ := drafts.PeekOrAdd(of, d); begun {
		return other
	}
	return d
}
