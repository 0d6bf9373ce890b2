package service

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
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
	drafts  drafts
	clock   func() time.Time
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

// A question is a position that perfect play is asked about, and whether a game ends when it is dead.
type question struct {
	position board.Position
	endsDead bool
}

// read finds out what perfect play knows about a position. The fault is unavailable.
func (s *Insights) read(ctx context.Context, c Caller, q question) (analysis.Position, error) {
	return think(ctx, s.readers, c, draftOf(s.drafts.positions, q, q.goOn))
}

// goOn finds out what the columns are worth, and then how a game would go on.
func (q question) goOn(ctx context.Context, reader *solver.Solver, known analysis.Position) (analysis.Position, bool, error) {
	legal := game.Settings{EndDeadPositions: q.endsDead}.LegalAt
	var err error
	if !known.Exact {
		if known, err = analysis.Read(ctx, reader, q.position, known, legal); err != nil || !known.Exact {
			return known, false, err
		}
	}
	known.Line, err = analysis.Follow(ctx, reader, q.position, known, legal)
	return known, ctx.Err() == nil, err
}

// refuseRanked refuses a caller who has a seat in a running ranked game. The fault is ranked_game_running.
func (s *Insights) refuseRanked(ctx context.Context, c Caller) error {
	plays, err := s.store.PlaysRanked(ctx, c.Profile)
	if err == nil && plays {
		err = game.RankedRunning()
	}
	return err
}
