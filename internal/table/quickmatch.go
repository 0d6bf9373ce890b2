package table

import (
	"cmp"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Queue is what somebody wants of quick match. Those meet who want the same at the moment; see At.
type Queue struct {
	Ranked        bool
	MoveTimeLimit time.Duration // zero also with AnyClock
	AnyClock      bool          // no clock was named: the service's default is wanted, whatever it is when two meet
}

// At returns what it comes to while the service's default is a clock.
func (q Queue) At(clock time.Duration) Queue {
	if q.AnyClock {
		q.MoveTimeLimit, q.AnyClock = clock, false
	}
	return q
}

// Queue returns what the player who waits at the table for quick match wants.
func (t Table) Queue() Queue {
	if t.AnyClock {
		return Queue{Ranked: t.Ranked, MoveTimeLimit: 0, AnyClock: true}
	}
	return Queue{Ranked: t.Ranked, MoveTimeLimit: t.Settings.MoveTimeLimit, AnyClock: false}
}

// Renew puts a table whose owner waits for the service's default under the service's settings of the moment. Nobody sees
// it before the game starts, which is the change that tells of it.
func (t Table) Renew(now game.Settings) Table {
	now = now.Keeping(t.Settings)
	if t.AnyClock && now != t.Settings {
		t.Settings = now
		t.SettingsVersion++
	}
	return t
}

// MoveTo closes the table because quick match took its owner to another one.
func (t Table) MoveTo(other ID) Table {
	t = t.close(Moved)
	t.MovedTo = other
	t.Version++
	return t
}

// Searching reports whether the table waits for quick match to give its free seat.
func (t Table) Searching() bool { return t.Quick && t.Status == Waiting }

// QuickMatch reports whether this is the table that quick match has given to its players: it waits, or its first game
// runs. Later it is a table like any other.
func (t Table) QuickMatch() bool {
	return t.Searching() || t.Quick && t.Status == Playing && t.Game != nil && t.Game.Number == 1
}

// Candidate is a table that waits for a quick match.
type Candidate struct {
	ID     ID
	Rating profile.Rating // of the player who waits
	Seen   time.Time      // when that was last seen
	Since  time.Time      // when it began to wait
}

// Nearest returns the tables that a player of a rating may be given, the best first: whose owner was
// seen at a moment or later, nearest in rating; of equals the one that has waited longest.
func Nearest(rating profile.Rating, waiting []Candidate, seenSince time.Time) []ID {
	here := slices.DeleteFunc(slices.Clone(waiting), func(c Candidate) bool { return c.Seen.Before(seenSince) })
	slices.SortFunc(here, func(a, b Candidate) int {
		return cmp.Or(
			cmp.Compare(distance(a.Rating, rating), distance(b.Rating, rating)), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID),
		)
	})
	ids := make([]ID, 0, len(here))
	for _, c := range here {
		ids = append(ids, c.ID)
	}
	return ids
}

func distance(a, b profile.Rating) profile.Rating { return max(a-b, b-a) }

// GiveUp decides whether quick match may still be given up at the table. The fault is already_matched.
func (t Table) GiveUp() error {
	if t.QuickMatch() && !t.Searching() {
		return fault.New(fault.AlreadyMatched, "an opponent was found before this request")
	}
	return nil
}
