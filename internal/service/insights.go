package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Insights is what a caller may ask perfect play about. A player of a ranked game is told nothing.
type Insights struct {
	store   InsightStore
	games   *Games
	saver   *gameSaver
	wakeups *wakeups
	uptime  *Uptime
	readers *solver.Pool // for those who ask perfect play; the CPU has its own
	drafts  *lru.Cache[game.ID, *draft]
	clock   func() time.Time
}

// draftsKept is how many unfinished analyses are remembered; about 10 KB each.
const draftsKept = 256

// newDrafts returns the cache of unfinished analyses.
func newDrafts() (*lru.Cache[game.ID, *draft], error) {
	drafts, err := lru.New[game.ID, *draft](draftsKept)
	if err != nil {
		return nil, fmt.Errorf("make room for analyses: %w", err)
	}
	return drafts, nil
}

// InsightStore keeps what perfect play has said, and knows to whom it says nothing.
type InsightStore interface {
	// PlaysRanked reports whether a profile has a seat in a running ranked game.
	PlaysRanked(ctx context.Context, who profile.ID) (bool, error)
	// Analysis returns the scores of the columns of every ply of a finished game, and false when they aren't kept.
	Analysis(ctx context.Context, id game.ID) ([][]solver.ColumnScore, bool, error)
	// KeepAnalysis keeps exact scores. What is kept already stays.
	KeepAnalysis(ctx context.Context, id game.ID, columns [][]solver.ColumnScore, at time.Time) error
}

// PositionView is a position and what is known about it.
type PositionView struct {
	Moves    string
	Position board.Position
	Legal    []board.Column    // what may be played
	Known    analysis.Position // nothing for a caller without a token
}

const (
	// readAtMost is how long perfect play thinks about one request.
	readAtMost = time.Second
	// followAtMost is how much of it may go into how a game would go on: others wait, and the scores are what counts.
	followAtMost = 300 * time.Millisecond
	// readerWait is how long a request waits for those before it.
	readerWait = time.Second
)

// think lends a solver for as long as one request may use it. The fault is unavailable: too many want one.
func (s *Insights) think(ctx context.Context, use func(context.Context, *solver.Solver) error) error {
	waiting, cancel := context.WithTimeout(ctx, readerWait)
	defer cancel()
	err := s.readers.Do(waiting, func(reader *solver.Solver) error {
		limited, cancel := context.WithTimeout(ctx, readAtMost)
		defer cancel()
		return use(limited, reader)
	})
	switch {
	case ctx.Err() != nil: // nobody waits for the answer any more
		return ctx.Err()
	case err != nil && errors.Is(err, waiting.Err()):
		return fault.New(fault.Away, "too many want the solver's word right now")
	default:
		return err
	}
}

// read finds out what perfect play knows about a position. legal says what may be played in it and after it.
func (s *Insights) read(ctx context.Context, p board.Position, legal analysis.Legal) (known analysis.Position, err error) {
	err = s.think(ctx, func(ctx context.Context, reader *solver.Solver) error {
		if known, err = analysis.Read(ctx, reader, p, legal); err != nil {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, followAtMost)
		defer cancel()
		known.Line, err = analysis.Follow(limited, reader, p, known, legal)
		return err
	})
	return known, err
}

// refuseRanked refuses a caller who has a seat in a running ranked game. The fault is ranked_game_running.
func (s *Insights) refuseRanked(ctx context.Context, c Caller) error {
	plays, err := s.store.PlaysRanked(ctx, c.Profile)
	if err == nil && plays {
		err = game.RankedRunning()
	}
	return err
}
