package httpapi

import (
	"context"
	"strings"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
)

// emptyBoard stands for no moves in a path.
const emptyBoard = "-"

// GetPosition returns the position after some moves.
func (s *server) GetPosition(ctx context.Context, r api.GetPositionRequestObject) (api.GetPositionResponseObject, error) {
	v, err := s.insights.Position(ctx, callerOf(ctx), strings.TrimPrefix(r.Moves, emptyBoard))
	if err != nil {
		return nil, err
	}
	return api.GetPosition200JSONResponse(toPosition(v)), nil
}

// RequestHint returns what is known about the caller's turn.
func (s *server) RequestHint(ctx context.Context, r api.RequestHintRequestObject) (api.RequestHintResponseObject, error) {
	v, err := s.insights.Hint(ctx, callerOf(ctx), game.ID(r.GameID.String()))
	if err != nil {
		return nil, err
	}
	return api.RequestHint200JSONResponse(toPosition(v)), nil
}

// GetAnalysis returns a finished game, judged.
func (s *server) GetAnalysis(ctx context.Context, r api.GetAnalysisRequestObject) (api.GetAnalysisResponseObject, error) {
	v, err := s.insights.Analysis(ctx, callerOf(ctx), game.ID(r.GameID.String()))
	if err != nil {
		return nil, err
	}
	return api.GetAnalysis200JSONResponse(toAnalysis(v)), nil
}

func toPosition(v service.PositionView) api.BoardPosition {
	p := v.Position
	shown := api.BoardPosition{
		Moves: v.Moves, Ply: int32Of(p.Ply()), Status: string(game.InProgress), Turn: toSide(p.Turn()),
		LegalColumns: toColumns(v.Legal), Board: toBoard(p),
		Threats: api.Threats{Red: toThreats(p.Threats(board.Red)), Yellow: toThreats(p.Threats(board.Yellow))},
		Result:  nil, Columns: toColumnScores(p.Ply(), v.Known.Columns), BestColumns: toColumns(v.Known.Best),
		PrincipalLine: optional(lineOf(v.Known.Line)), Exact: v.Known.Exact,
	}
	if p.Over() {
		shown.Status, shown.Turn = string(game.Finished), nil
		shown.Threats = api.Threats{Red: []api.Threat{}, Yellow: []api.Threat{}}
		shown.Result = toResult(game.ResultOf(p), p)
	}
	return shown
}

func toColumns(columns []board.Column) []api.ColumnNumber {
	shown := make([]api.ColumnNumber, 0, len(columns))
	for _, c := range columns {
		shown = append(shown, int32Of(c))
	}
	return shown
}

// lineOf writes columns as the field does.
func lineOf(columns []board.Column) string {
	var line strings.Builder
	for _, c := range columns {
		line.WriteByte(byte('0' + c)) //nolint:gosec // a column is 1 to 7
	}
	return line.String()
}

// toColumnScores converts what is known of the columns of a position at a ply.
func toColumnScores(ply int, columns []analysis.ColumnScore) []api.ColumnScore {
	shown := make([]api.ColumnScore, 0, len(columns))
	for _, c := range columns {
		score := api.ColumnScore{
			Column: int32Of(c.Column), Score: nil, Outcome: toHeldOutcome(analysis.OutcomeOf(c.Result)), PliesToEnd: nil,
		}
		if c.Exact() {
			score.Score = new(int32Of(c.Lower))
			score.PliesToEnd = optional(int32Of(analysis.PliesToEnd(ply, c.Lower)))
		}
		shown = append(shown, score)
	}
	return shown
}

// toHeldOutcome converts an outcome; nil for one that isn't known.
func toHeldOutcome(o analysis.Outcome) *api.HeldOutcome { return optional(api.HeldOutcome(o)) }

// analysisAgain is when an analysis goes on: a token has two requests a second.
const analysisAgain = 500

func toAnalysis(v service.AnalysisView) api.GameAnalysis {
	shown := api.GameAnalysis{
		GameID: idOf(v.Game.ID), Plies: make([]api.AnalysedPly, 0, len(v.Analysis.Plies)),
		Accuracy:      api.Accuracy{Red: accuracyOf(v.Analysis, board.Red), Yellow: accuracyOf(v.Analysis, board.Yellow)},
		TurningPoints: make([]api.PlyNumber, 0, len(v.Analysis.TurningPoints)), Exact: v.Analysis.Exact, PollAfterMs: nil,
	}
	moves := v.Game.Played()
	for i, p := range v.Analysis.Plies {
		shown.Plies = append(shown.Plies, api.AnalysedPly{
			Ply: int32Of(p.Ply), Column: int32Of(p.Column), MadeBy: api.Mover(moves[i].MadeBy),
			Columns: toColumnScores(p.Ply-1, p.Columns), Before: toHeldOutcome(p.Before), After: toHeldOutcome(p.After),
			Verdict: optional(api.Verdict(p.Verdict)),
		})
	}
	for _, ply := range v.Analysis.TurningPoints {
		shown.TurningPoints = append(shown.TurningPoints, int32Of(ply))
	}
	if !v.Analysis.Exact {
		shown.PollAfterMs = new(int32(analysisAgain))
	}
	return shown
}

// accuracyOf returns how well a side played; nil when none of its plies is judged.
func accuracyOf(g analysis.Game, side board.Side) *float64 {
	accuracy, judged := g.Accuracy[side]
	if !judged {
		return nil
	}
	return &accuracy
}
