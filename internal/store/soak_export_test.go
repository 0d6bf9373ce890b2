//go:build soak

package store

import (
	"context"
	"strings"

	"github.com/fourinarow/fourinarow/internal/service"
)

// Plan is how the database answered a query that the Store sends.
type Plan struct{ JSON string }

// planRow is what EXPLAIN answers with.
type planRow struct {
	Plan string `gorm:"column:QUERY PLAN"`
}

func (s *Store) plan(ctx context.Context, query string, args ...any) (Plan, error) {
	found, err := read[planRow](ctx, s, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+query, args...)
	if err != nil {
		return Plan{}, err
	}
	lines := make([]string, 0, len(found))
	for _, row := range found {
		lines = append(lines, row.Plan)
	}
	return Plan{JSON: strings.Join(lines, "\n")}, nil
}

// PlanGames tells how FinishedGames is answered.
func (s *Store) PlanGames(ctx context.Context, f service.GameFilter, before int64, limit int) (Plan, error) {
	query, args := finishedGames(f, before, limit)
	return s.plan(ctx, query, args...)
}

// PlanRatings tells how RatingSteps is answered.
func (s *Store) PlanRatings(ctx context.Context, who string, before int64, limit int) (Plan, error) {
	return s.plan(ctx, ratingSteps, who, before, limit)
}

// PlanLeaders tells how Leaders is answered after a place, and from the top without one.
func (s *Store) PlanLeaders(ctx context.Context, after *service.LeaderPlace, limit int) (Plan, error) {
	if after == nil {
		return s.plan(ctx, selectLeaders+leadersDown, limit)
	}
	return s.plan(ctx, selectLeaders+leadersBelow+leadersDown, int64(after.Rating), string(after.Profile), limit)
}

// PlanLeadersAround tells how the lines of LeadersAround are read: those above a place, and those from it on.
func (s *Store) PlanLeadersAround(ctx context.Context, place service.LeaderPlace, limit int) (above, below Plan, err error) {
	above, err = s.plan(ctx, selectLeaders+leadersAbove+leadersUp, int64(place.Rating), string(place.Profile), limit)
	if err != nil {
		return Plan{}, Plan{}, err
	}
	below, err = s.plan(ctx, lowerLeaders, int64(place.Rating), string(place.Profile), limit)
	return above, below, err
}

// PlanLobby tells how PublicTables is answered.
func (s *Store) PlanLobby(ctx context.Context, l service.Lobby) (Plan, error) {
	query, args := s.publicTables(l)
	return s.plan(ctx, query, args...)
}
