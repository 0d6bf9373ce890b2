package service

import (
	"context"
	"errors"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// AnalysisView is a finished game, judged as far as is known.
type AnalysisView struct {
	Game     game.Game
	Analysis analysis.Game
}

// Analysis judges every ply of a finished game. It is computed once. One request thinks for a second at most; what
// it leaves open the next one goes on with, and until everything is known the analysis says that it isn't exact. The
// faults are not_found, ranked_game_running, game_running and unavailable.
func (s *Insights) Analysis(ctx context.Context, c Caller, id game.ID) (AnalysisView, error) {
	if err := signedIn(c); err != nil {
		return AnalysisView{}, err
	}
	g, err := s.games.visible(ctx, c, id)
	if err != nil {
		return AnalysisView{}, err
	}
	if err = s.refuseRanked(ctx, c); err != nil {
		return AnalysisView{}, err
	}
	if !g.Over() {
		running := fault.New(fault.GameRunning, "a game is judged when it is over")
		return AnalysisView{}, s.games.conflict(ctx, c, g, running)
	}
	columns, found, err := s.store.Analysis(ctx, id)
	if err != nil {
		return AnalysisView{}, wrap(err, "read the analysis of game %s", id)
	}
	if !found || len(columns) != g.Ply() {
		if columns, err = s.compute(ctx, c, g); err != nil {
			return AnalysisView{}, err
		}
	}
	return AnalysisView{Game: g, Analysis: analysis.Judge(g.Moves, columns)}, nil
}

// compute goes on with the analysis of a game for as long as one request may, and keeps it when it is finished.
func (s *Insights) compute(ctx context.Context, c Caller, g game.Game) ([][]solver.ColumnScore, error) {
	columns, err := think(ctx, s.readers, c, draftOf(s.drafts.games, g.ID, func(
		ctx context.Context, reader *solver.Solver, known [][]solver.ColumnScore,
	) ([][]solver.ColumnScore, bool, error) {
		return refine(ctx, reader, g.Moves, g.Position(), known)
	}))
	if err != nil || !analysis.Judge(g.Moves, columns).Exact {
		return columns, err
	}
	if err = s.store.KeepAnalysis(ctx, g.ID, columns, s.clock()); err != nil {
		return nil, wrap(err, "keep the analysis of game %s", g.ID)
	}
	s.drafts.games.Remove(g.ID)
	return columns, nil
}

// refine finds out more about the moves that led to a position, until everything is known or the context ends. It
// begins at the end: late positions are cheap, and knowing them makes the earlier ones cheaper.
func refine(
	ctx context.Context, reader *solver.Solver, moves string, p board.Position, known [][]solver.ColumnScore,
) ([][]solver.ColumnScore, bool, error) {
	refined, all := make([][]solver.ColumnScore, len(moves)), true
	copy(refined, known)
	for ply := len(moves); ply > 0; ply-- {
		p = p.Undo(board.Column(moves[ply-1] - '0'))
		columns, err := reader.Refine(ctx, p, refined[ply-1])
		if err != nil && !errors.Is(err, solver.ErrCutShort) {
			return nil, false, err
		}
		all = all && err == nil
		refined[ply-1] = columns // when the time is up, without scores
	}
	return refined, all, nil
}
