package service

import (
	"context"
	"errors"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
)

// Position returns the position after some moves, and to a caller with a token what perfect play knows about it. The
// position is judged by the rules of the board alone: a dead one goes on until the board is full. The faults are
// invalid_request, impossible_moves, ranked_game_running and unavailable.
func (s *Insights) Position(ctx context.Context, c Caller, moves string) (PositionView, error) {
	p, err := board.Parse(moves)
	if err != nil {
		return PositionView{}, faultOfMoves(err)
	}
	view := PositionView{Moves: moves, Position: p, Legal: p.LegalColumns(), Known: analysis.Position{Exact: p.Over()}}
	if c.Anonymous() || p.Over() {
		return view, nil
	}
	if err = s.refuseRanked(ctx, c); err != nil {
		return PositionView{}, err
	}
	view.Known, err = s.read(ctx, c, question{position: p, endsDead: false})
	return view, err
}

// faultOfMoves tells a string that is no notation from one that is no game.
func faultOfMoves(err error) error {
	var wrong *board.MovesError
	switch {
	case !errors.As(err, &wrong):
		return err
	case wrong.Reason == board.BadCharacter || wrong.Reason == board.TooLong:
		return fault.At("/path/moves", fault.InvalidRequest, "%s", wrong)
	default:
		return fault.At("/path/moves", fault.ImpossibleMoves, "%s", wrong)
	}
}
