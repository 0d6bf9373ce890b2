package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
)

// Hint returns what perfect play knows about the caller's turn, and counts that the caller was told. The faults are
// ranked_game_running, those of game.Hint, and unavailable.
func (s *Insights) Hint(ctx context.Context, c Caller, id game.ID) (PositionView, error) {
	if err := signedIn(c); err != nil {
		return PositionView{}, err
	}
	arrived := s.clock()
	return decide(func() (PositionView, error) {
		before, err := s.games.visible(ctx, c, id)
		if err == nil {
			err = before.Settings.Check()
		}
		if err != nil {
			return PositionView{}, err
		}
		outages, err := s.uptime.Outages(ctx)
		if err != nil {
			return PositionView{}, err
		}
		after, refusal := before.Hint(c.Profile, arrived, outages)
		switch {
		case fault.Is(refusal, fault.NotSeated):
			return PositionView{}, refusal
		case fault.Is(refusal, fault.TimeIsUp) && before.TimeIsUp(arrived, outages):
			return PositionView{}, s.games.tooLate(ctx, c, before, refusal)
		}
		if err = s.refuseRanked(ctx, c); err != nil {
			return PositionView{}, err
		}
		if refusal != nil {
			return PositionView{}, s.games.conflict(ctx, c, before, refusal)
		}
		return s.hint(ctx, c, before, after)
	})
}

// hint thinks about a game, then counts the hint, which is news to subscribers, unless this ply has one: if the turn is
// still the same.
func (s *Insights) hint(ctx context.Context, c Caller, before, after game.Game) (PositionView, error) {
	p := before.Position()
	known, err := s.read(ctx, c, question{position: p, endsDead: before.Settings.EndDeadPositions})
	if err != nil {
		return PositionView{}, err
	}
	if after.Version > before.Version {
		if _, err = s.saver.save(ctx, before, after); err != nil {
			return PositionView{}, wrap(err, "count a hint in game %s", before.ID)
		}
	}
	return PositionView{Moves: before.Moves, Position: p, Legal: before.LegalColumns(), Known: known}, nil
}
