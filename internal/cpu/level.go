package cpu

import "fmt"

// A Level is how well the CPU plays.
type Level string

// The levels, from weakest to strongest.
const (
	Easy    Level = "easy"
	Medium  Level = "medium"
	Hard    Level = "hard"
	Perfect Level = "perfect"
)

// Levels lists them from weakest to strongest.
func Levels() []Level { return []Level{Easy, Medium, Hard, Perfect} }

// Below is the next weaker level; nothing is below Easy, and it gives Easy.
func (l Level) Below() Level {
	switch l {
	case Perfect:
		return Hard
	case Hard:
		return Medium
	default:
		return Easy
	}
}

// Valid tells whether there is such a level.
func (l Level) Valid() bool {
	switch l {
	case Easy, Medium, Hard, Perfect:
		return true
	default:
		return false
	}
}

// UnknownLevelError refuses a level that there isn't.
type UnknownLevelError struct{ Level Level }

func (e UnknownLevelError) Error() string { return fmt.Sprintf("no such level: %q", string(e.Level)) }

// A Load is how many turns wait for the CPU.
type Load uint8

// The loads. Calm is the zero value.
const (
	Calm    Load = iota
	Busy         // the turns that wait would have to wait for perfect's search
	Crowded      // so many wait that even hard takes too long
)

// Under gives the level at which a turn is played when others wait: a weaker disc in time is better than a
// perfect one for which somebody waits. Easy and medium cost next to nothing and stay what they are.
func (l Level) Under(load Load) Level {
	if load >= Busy && l == Perfect {
		l = Hard
	}
	if load >= Crowded && l == Hard {
		l = Medium
	}
	return l
}
