// Package level is the table of how well the CPU can play: one row a level. It imports nothing, so that whoever names a
// level (the house rules, the contract's test, the texts, the CPU) reads this table and not a list of its own.
//
// Another level is another row. What else it needs (its name in the contract, its name in each language) is named by the
// tests of this package and of internal/text.
package level

import "fmt"

// Name names a level. Names are part of the contract: 1 to 40 lower-case letters and underscores.
type Name string

// The names that the code itself speaks of. They have no type of their own: the domain keeps levels as strings.
const (
	Easy    = "easy"
	Medium  = "medium"
	Hard    = "hard"
	Perfect = "perfect"
)

// never is after the last ply of any game.
const never = 42

// A Level is how the CPU chooses a column where it can't win at once.
type Level struct {
	Name      Name
	BlocksOne int  // it sees that the other side could win with its next disc one time in so many, from 1: always
	Plies     int  // how far it looks ahead, with its own disc; 0: not at all, it is only drawn to the middle
	Blur      int  // by up to how much it misjudges what it sees there; a useful threat is worth 32
	ExactPly  int  // the first ply, counted from 0, at which it plays one of the columns with the best exact score
	Busy      Name // the level that takes its turn when turns have to queue: its own or a weaker one …
	Crowded   Name // … and when so many wait that milliseconds count
}

// All returns the levels from weakest to strongest.
func All() []Level {
	return []Level{
		{Name: Easy, BlocksOne: 2, Plies: 0, Blur: 0, ExactPly: never, Busy: Easy, Crowded: Easy},
		{Name: Medium, BlocksOne: 1, Plies: 3, Blur: 30, ExactPly: never, Busy: Medium, Crowded: Medium},
		// Its blur makes it vary its openings. Exact scores take a millisecond from ply 20 on, more before.
		{Name: Hard, BlocksOne: 1, Plies: 8, Blur: 3, ExactPly: 20, Busy: Hard, Crowded: Medium},
		{Name: Perfect, BlocksOne: 1, Plies: 8, Blur: 0, ExactPly: 0, Busy: Hard, Crowded: Medium},
	}
}

// Names returns the names of all levels from weakest to strongest.
func Names() []string {
	all := All()
	names := make([]string, 0, len(all))
	for _, l := range all {
		names = append(names, string(l.Name))
	}
	return names
}

// Of returns the level with a name. The error is an UnknownError.
func Of(name Name) (Level, error) {
	for _, l := range All() {
		if l.Name == name {
			return l, nil
		}
	}
	return Level{}, UnknownError{Name: name}
}

// UnknownError refuses the name of a level that there isn't.
type UnknownError struct{ Name Name }

func (e UnknownError) Error() string { return fmt.Sprintf("no such level: %q", string(e.Name)) }
