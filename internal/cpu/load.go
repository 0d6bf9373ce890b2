package cpu

import "github.com/fourinarow/fourinarow/internal/cpu/level"

// A Load is how many turns wait for the CPU.
type Load uint8

// The loads. Calm is the zero value.
const (
	Calm    Load = iota
	Busy         // the turns that wait would have to wait for an exact search
	Crowded      // so many wait that milliseconds are too long
)

// Under returns the level at which a turn is played when others wait: a weaker disc in time is better than a perfect one
// for which somebody waits. The error is a level.UnknownError.
func Under(name level.Name, load Load) (level.Name, error) {
	l, err := level.Of(name)
	switch {
	case err != nil:
		return "", err
	case load >= Crowded:
		return l.Crowded, nil
	case load >= Busy:
		return l.Busy, nil
	default:
		return name, nil
	}
}
