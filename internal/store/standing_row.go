package store

import (
	"github.com/fourinarow/fourinarow/internal/profile"
)

// standingRow is what a player's games add up to, in a row of profiles.
type standingRow struct {
	Games         int   `gorm:"column:games"`
	PeopleWins    int   `gorm:"column:people_wins"`
	PeopleLosses  int   `gorm:"column:people_losses"`
	PeopleDraws   int   `gorm:"column:people_draws"`
	RankedWins    int   `gorm:"column:ranked_wins"`
	RankedLosses  int   `gorm:"column:ranked_losses"`
	RankedDraws   int   `gorm:"column:ranked_draws"`
	CPUWins       int   `gorm:"column:cpu_wins"`
	CPULosses     int   `gorm:"column:cpu_losses"`
	CPUDraws      int   `gorm:"column:cpu_draws"`
	StreakCurrent int   `gorm:"column:streak_current"`
	StreakLongest int   `gorm:"column:streak_longest"`
	Rating        int64 `gorm:"column:rating"`
	Rated         int   `gorm:"column:rated"`
	Opponents     int   `gorm:"column:opponents"`
}

var standingColumns = []string{
	"games", "people_wins", "people_losses", "people_draws", "ranked_wins", "ranked_losses", "ranked_draws",
	"cpu_wins", "cpu_losses", "cpu_draws", "streak_current", "streak_longest", "rating", "rated", "opponents",
}

// values are those of the columns, in their order.
func (r standingRow) values() []any {
	return []any{
		r.Games, r.PeopleWins, r.PeopleLosses, r.PeopleDraws, r.RankedWins, r.RankedLosses, r.RankedDraws,
		r.CPUWins, r.CPULosses, r.CPUDraws, r.StreakCurrent, r.StreakLongest, r.Rating, r.Rated, r.Opponents,
	}
}

func newStandingRow(s profile.Standing) standingRow {
	return standingRow{
		Games:      s.Games,
		PeopleWins: s.People.Wins, PeopleLosses: s.People.Losses, PeopleDraws: s.People.Draws,
		RankedWins: s.Ranked.Wins, RankedLosses: s.Ranked.Losses, RankedDraws: s.Ranked.Draws,
		CPUWins: s.CPU.Wins, CPULosses: s.CPU.Losses, CPUDraws: s.CPU.Draws,
		StreakCurrent: s.Streak.Current, StreakLongest: s.Streak.Longest,
		Rating: int64(s.Rating), Rated: s.Rated, Opponents: s.Opponents,
	}
}

func (r standingRow) standing() profile.Standing {
	return profile.Standing{
		Games:  r.Games,
		People: profile.Tally{Wins: r.PeopleWins, Losses: r.PeopleLosses, Draws: r.PeopleDraws},
		Ranked: profile.Tally{Wins: r.RankedWins, Losses: r.RankedLosses, Draws: r.RankedDraws},
		CPU:    profile.Tally{Wins: r.CPUWins, Losses: r.CPULosses, Draws: r.CPUDraws},
		Streak: profile.Streak{Current: r.StreakCurrent, Longest: r.StreakLongest},
		Rating: profile.Rating(r.Rating), Rated: r.Rated, Opponents: r.Opponents,
	}
}

// rating is that of a column which is NULL for nobody.
func rating(kept *int64) profile.Rating {
	if kept == nil {
		return 0
	}
	return profile.Rating(*kept)
}
