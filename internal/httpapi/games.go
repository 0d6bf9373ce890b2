package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
)

// GetGame answers a poll of a game.
func (s *server) GetGame(ctx context.Context, r api.GetGameRequestObject) (api.GetGameResponseObject, error) {
	v, seen, err := s.games.Follow(ctx, callerOf(ctx), game.ID(r.GameID.String()),
		pollOf(r.Params.AfterVersion, r.Params.Wait, r.Params.IfNoneMatch))
	if err != nil {
		return nil, err
	}
	if v == nil {
		return api.GetGame304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(seen)}}, nil
	}
	return followedGame(v), nil
}

// followedGame is the answer to a poll. It is made apart, so that one that waits keeps no room for it on its stack.
func followedGame(v *service.GameView) api.GetGameResponseObject {
	return api.GetGame200JSONResponse{
		Body: toGame(*v), Headers: api.GetGame200ResponseHeaders{ETag: etag(v.Tag())},
	}
}

// ResignGame gives a game to the other side.
func (s *server) ResignGame(ctx context.Context, r api.ResignGameRequestObject) (api.ResignGameResponseObject, error) {
	v, err := s.games.Resign(ctx, callerOf(ctx), game.ID(r.GameID.String()))
	if err != nil {
		return nil, err
	}
	return api.ResignGame200JSONResponse{
		Body: toGame(v), Headers: api.ResignGame200ResponseHeaders{ETag: etag(v.Tag())},
	}, nil
}
