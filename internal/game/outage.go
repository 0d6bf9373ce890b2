package game

import "time"

// Outage is a time in which the whole service was down.
type Outage struct{ From, To time.Time }

// Outages are in the order of their times.
type Outages []Outage

// afterOutage is what a clock that ran when the service went down has left at least when it is up again.
const afterOutage = 10 * time.Second

// giveBack returns a deadline with the outages since the turn began given back.
func (o Outages) giveBack(began, deadline time.Time) time.Time {
	for _, outage := range o {
		if !outage.To.After(began) || !outage.From.Before(deadline) {
			continue
		}
		from := outage.From
		if began.After(from) {
			from = began
		}
		deadline = deadline.Add(outage.To.Sub(from))
		if least := outage.To.Add(afterOutage); deadline.Before(least) {
			deadline = least
		}
	}
	return deadline
}

// UpSince returns when the service was last down at a moment; the zero time when it never was. Silence before it
// doesn't count.
func (o Outages) UpSince() time.Time {
	if len(o) == 0 {
		return time.Time{}
	}
	return o[len(o)-1].To
}
