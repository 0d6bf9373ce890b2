package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
)

// PlayMove makes a ply.
func (s *server) PlayMove(ctx context.Context, r api.PlayMoveRequestObject) (api.PlayMoveResponseObject, error) {
	v, err := s.games.Play(ctx, callerOf(ctx), game.ID(r.GameID.String()), int(r.Body.Ply), board.Column(r.Body.Column))
	if err != nil {
		return nil, err
	}
	return api.PlayMove200JSONResponse{
		Body: toGame(v), Headers: api.PlayMove200ResponseHeaders{ETag: etag(v.Tag())},
	}, nil
}

// ListMoves returns the moves of a game.
func (s *server) ListMoves(ctx context.Context, r api.ListMovesRequestObject) (api.ListMovesResponseObject, error) {
	moves, err := s.games.Moves(ctx, callerOf(ctx), game.ID(r.GameID.String()), int(valueOf(r.Params.AfterPly)))
	if err != nil {
		return nil, err
	}
	return api.ListMoves200JSONResponse(api.MoveList{Items: toMoves(moves)}), nil
}

func toMoves(moves []game.Move) []api.Move {
	shown := make([]api.Move, 0, len(moves))
	for _, m := range moves {
		shown = append(shown, toMove(m))
	}
	return shown
}
