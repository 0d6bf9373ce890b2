package game

import (
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

const (
	// clocksApart is how far the clocks of two replicas may be apart: what one wrote may seem to be so much before what
	// another wrote earlier.
	clocksApart = time.Second
	// requestWaits is how long a request may have waited, at most, when it changes a game: it counts by its arrival, and
	// a disc may have been dropped since.
	requestWaits = 30 * time.Second
)

// checkTimes compares the times of a game with each other, and those of its running turn with the rules.
func (g Game) checkTimes() []string {
	for i, took := range g.Took {
		if took < 0 {
			return []string{fmt.Sprintf("has a move at ply %d that took %s", i+1, took)}
		}
	}
	if !g.Over() {
		return append(append(g.checkTurn(), g.checkSleep()...), g.checkDeadline()...)
	}
	last := g.lastMoveAt()
	switch {
	case g.Finished.Add(clocksApart).Before(g.Started):
		return []string{fmt.Sprintf("ended at %s, before it began at %s", stamp(g.Finished), stamp(g.Started))}
	case g.Finished.Add(requestWaits).Before(last):
		return []string{fmt.Sprintf("ended at %s, before its last move at %s", stamp(g.Finished), stamp(last))}
	default:
		return nil
	}
}

// checkTurn compares when the running turn began with the disc before it: it begins with that, or anew when an owner
// came back to a game that slept.
func (g Game) checkTurn() []string {
	first := g.lastMoveAt()
	last := first
	for _, p := range []Player{g.Red, g.Yellow} {
		if p.Since.After(last) {
			last = p.Since
		}
	}
	if g.TurnStarted.Add(requestWaits).Before(first) || g.TurnStarted.After(last.Add(clocksApart)) {
		return []string{fmt.Sprintf("began its turn at %s, and not from %s to %s", stamp(g.TurnStarted), stamp(first), stamp(last))}
	}
	return nil
}

// checkSleep compares whether the game sleeps with who is there and what the settings let it do.
func (g Game) checkSleep() []string {
	switch {
	case g.Asleep() && !g.Deserted():
		return []string{"sleeps, and somebody is there"}
	case g.Asleep() && !g.maySleep():
		return []string{"sleeps, which it never does by its settings"}
	case !g.Asleep() && g.Deserted() && g.sleepsAtOnce():
		return []string{"is awake, and nobody is there"}
	default:
		return nil
	}
}

// checkDeadline compares the deadline of the running turn with its beginning.
func (g Game) checkDeadline() []string {
	var wrong []string
	if ends := g.turnEnds(); !g.Deadline.Equal(ends) {
		wrong = append(wrong, fmt.Sprintf("has a turn that ends at %s, not at %s", stamp(g.Deadline), stamp(ends)))
	}
	if g.TimedOut && (g.Deadline.IsZero() || !g.HasClock() || g.Settings.OnTimeout != houserule.CPUMove) {
		wrong = append(wrong, "has a turn that the CPU ends because its clock ran out, which it doesn't by its settings")
	}
	return wrong
}

// stamp is a moment for people who look for an error.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "no time"
	}
	return t.UTC().Format(time.RFC3339Nano)
}
