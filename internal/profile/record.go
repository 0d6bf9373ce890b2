package profile

// Result is how a game ended for one of its players. The zero value is none: a game that counts nowhere.
type Result uint8

// The results.
const (
	NoResult Result = iota
	Won
	Lost
	Drawn
)

// Tally counts finished games.
type Tally struct{ Wins, Losses, Draws int }

// Games returns how many they are.
func (t Tally) Games() int { return t.Wins + t.Losses + t.Draws }

func (t Tally) with(r Result) Tally {
	switch r {
	case Won:
		t.Wins++
	case Lost:
		t.Losses++
	case Drawn:
		t.Draws++
	case NoResult:
	}
	return t
}

// Streak is how many games against people in a row somebody has won.
type Streak struct{ Current, Longest int }

func (s Streak) with(r Result) Streak {
	if r != Won {
		s.Current = 0
		return s
	}
	s.Current++
	s.Longest = max(s.Longest, s.Current)
	return s
}

// Standing is all that a player's finished games add up to.
type Standing struct {
	Games  int   // finished games, those that count nowhere too: the number of the last
	People Tally // against people …
	Ranked Tally // … and of these at ranked tables, rated or not
	CPU    Tally // against the CPU
	Streak Streak

	Rating    Rating
	Rated     int // rated games: the number of the last change of the rating
	Opponents int // different ones in rated games
}

// Newcomer is who hasn't played yet.
func Newcomer() Standing {
	return Standing{
		Games: 0, People: Tally{}, Ranked: Tally{}, CPU: Tally{}, Streak: Streak{},
		Rating: FirstRating, Rated: 0, Opponents: 0,
	}
}

// Finished is a finished game as it counts for one of its players.
type Finished struct {
	Result    Result
	VersusCPU bool
	Ranked    bool   // at a ranked table
	Rated     bool   // with a rating after it:
	After     Rating // meaningful when rated
	NewRival  bool   // the first rated game with this opponent
}

// After returns the standing after one more game.
func (s Standing) After(f Finished) Standing {
	s.Games++
	switch {
	case f.Result == NoResult:
		return s
	case f.VersusCPU:
		s.CPU = s.CPU.with(f.Result)
		return s
	}
	s.People, s.Streak = s.People.with(f.Result), s.Streak.with(f.Result)
	if f.Ranked {
		s.Ranked = s.Ranked.with(f.Result)
	}
	if f.Rated {
		s.Rating = f.After
		s.Rated++
	}
	if f.Rated && f.NewRival {
		s.Opponents++
	}
	return s
}

// What it takes to be on the leaderboard.
const (
	LeaderboardGames     = 10 // rated games …
	LeaderboardOpponents = 5  // … against so many different opponents
)
