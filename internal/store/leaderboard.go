package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
)

// leaderRow is a row of leaderboard with the player's name.
type leaderRow struct {
	ProfileID string `gorm:"column:profile_id"`
	Rank      int    `gorm:"column:rank"`
	Rating    int64  `gorm:"column:rating"`
	Rated     int    `gorm:"column:rated"`
	Name      string `gorm:"column:name"`
}

// madeRow is a row of leaderboard_made.
type madeRow struct {
	Made int64 `gorm:"column:made"`
}

// selectLeaders leaves out who was deleted since the leaderboard was made.
const (
	selectLeaders = `SELECT l.profile_id, l.rank, l.rating, l.rated, p.name
FROM leaderboard l JOIN profiles p ON p.id = l.profile_id WHERE p.deleted IS NULL`
	leadersBelow = " AND (l.rating, l.profile_id) < (?, ?)"
	leadersAbove = " AND (l.rating, l.profile_id) > (?, ?)"
	leadersDown  = " ORDER BY l.rating DESC, l.profile_id DESC LIMIT ?"
	leadersUp    = " ORDER BY l.rating, l.profile_id LIMIT ?"
)

// Leaders is that of service.HistoryStore.
func (s *Store) Leaders(ctx context.Context, after *service.LeaderPlace, limit int) (service.Leaderboard, error) {
	query, args := selectLeaders, []any(nil)
	if after != nil {
		query, args = query+leadersBelow, append(args, int64(after.Rating), string(after.Profile))
	}
	return s.leaderboard(ctx, limit, query+leadersDown, append(args, limit+1)...)
}

// lowerLeaders are those from a player on.
const lowerLeaders = selectLeaders + " AND (l.rating, l.profile_id) <= (?, ?)" + leadersDown

// LeadersAround is that of service.HistoryStore. Near the top it finds fewer.
func (s *Store) LeadersAround(ctx context.Context, who profile.ID, limit int) (service.Leaderboard, error) {
	me, err := one[leaderRow](ctx, s, "player on the leaderboard", selectLeaders+" AND l.profile_id = ?", string(who))
	if err != nil {
		return service.Leaderboard{}, err
	}
	above := (limit - 1) / 2
	higher, err := read[leaderRow](ctx, s, selectLeaders+leadersAbove+leadersUp, me.Rating, me.ProfileID, above)
	if err != nil {
		return service.Leaderboard{}, err
	}
	board, err := s.leaderboard(ctx, limit-above, lowerLeaders, me.Rating, me.ProfileID, limit-above+1)
	slices.Reverse(higher)
	board.Leaders = append(leadersOf(higher), board.Leaders...)
	return board, err
}

// leaderboard reads so many lines, and whether there is one more.
func (s *Store) leaderboard(ctx context.Context, limit int, query string, args ...any) (service.Leaderboard, error) {
	made, err := read[madeRow](ctx, s, "SELECT made FROM leaderboard_made WHERE made > 0")
	if err != nil {
		return service.Leaderboard{}, err
	}
	found, err := read[leaderRow](ctx, s, query, args...)
	if err != nil {
		return service.Leaderboard{}, err
	}
	board := service.Leaderboard{Made: time.Time{}, Leaders: leadersOf(found[:min(limit, len(found))]), More: len(found) > limit}
	if len(made) > 0 {
		board.Made = at(made[0].Made)
	}
	return board, nil
}

func leadersOf(found []leaderRow) []service.Leader {
	leaders := make([]service.Leader, 0, len(found))
	for _, row := range found {
		leaders = append(leaders, service.Leader{
			Profile: profile.ID(row.ProfileID), Name: profile.Name(row.Name), Rank: row.Rank, Rating: profile.Rating(row.Rating), Rated: row.Rated,
		})
	}
	return leaders
}

// leaderboardTimeout is how long it may take: the first time all its lines are new.
const leaderboardTimeout = time.Minute

// MakeLeaderboard is that of service.HistoryStore. It locks the row that says when it was made last, and passes over a
// locked one: somebody is making it. Only lines that differ are written; who is on it stays on it until it is deleted.
func (s *Store) MakeLeaderboard(ctx context.Context, at, since time.Time) error {
	const (
		makeIt = `INSERT INTO leaderboard (profile_id, rank, rating, rated)
SELECT now.id, now.rank, now.rating, now.rated FROM (
	SELECT id, rank() OVER (ORDER BY rating DESC) AS rank, rating, rated FROM profiles WHERE rated >= ? AND opponents >= ? AND deleted IS NULL
) AS now LEFT JOIN leaderboard l ON l.profile_id = now.id
WHERE l.profile_id IS NULL OR l.rank <> now.rank OR l.rating <> now.rating OR l.rated <> now.rated
ON CONFLICT (profile_id) DO UPDATE SET rank = excluded.rank, rating = excluded.rating, rated = excluded.rated`
		dropGone = "DELETE FROM leaderboard WHERE profile_id IN (SELECT id FROM profiles WHERE deleted IS NOT NULL)"
	)
	return s.inTransactionWithin(ctx, leaderboardTimeout, func(tx *gorm.DB) error {
		old, err := rows[madeRow](tx, "SELECT made FROM leaderboard_made WHERE made <= ? OR made > ?"+s.dialect.lockFree, micros(since), micros(at))
		if err != nil {
			return fmt.Errorf("lock the leaderboard: %w", err)
		}
		if len(old) == 0 {
			return nil
		}
		if s.dialect.patient != "" {
			if _, err = affected(tx, s.dialect.patient); err != nil {
				return fmt.Errorf("take time for the leaderboard: %w", err)
			}
		}
		if _, err = affected(tx, makeIt, profile.LeaderboardGames, profile.LeaderboardOpponents); err != nil {
			return fmt.Errorf("make the leaderboard: %w", err)
		}
		if _, err = affected(tx, dropGone); err != nil {
			return fmt.Errorf("take the deleted off the leaderboard: %w", err)
		}
		_, err = affected(tx, "UPDATE leaderboard_made SET made = ?", micros(at))
		return err
	})
}
