package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/game"
)

// Scene returns a game as it stood after a ply; nil: after the last one. The faults are not_found and, with the game,
// stale_ply when the ply has not been made.
func (s *Games) Scene(ctx context.Context, c Caller, id game.ID, ply *int) (game.Scene, error) {
	g, err := s.visible(ctx, c, id)
	if err != nil {
		return game.Scene{}, err
	}
	if ply == nil {
		return g.SceneAt(g.Ply())
	}
	scene, err := g.SceneAt(*ply)
	if err != nil {
		return game.Scene{}, s.conflict(ctx, c, g, err)
	}
	return scene, nil
}
