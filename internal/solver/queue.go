package solver

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrCrowded says that too many wait for a Solver already: in all, of the group, or of the member.
var ErrCrowded = errors.New("too many wait for a solver")

// An Asker is who waits for a Solver. Groups take turns, and so do the members of each, so that nobody waits longer
// because another asks more. The zero Asker is nobody in particular, and of those any number may wait.
type Asker struct{ Group, Member string }

// How many may wait. There is time for about twenty turns in what a request may take.
const (
	waitingAtMost = 512
	waitingGroup  = 32
	waitingMember = 8
)

// A queue lets in as many at once as there are places.
type queue struct {
	mu      sync.Mutex
	places  int // that are free; none while anybody waits
	tickets []*ticket
	groups  map[string]*line
	members map[Asker]*line
	steps   uint64
}

// A line is a group or a member that waits.
type line struct {
	tickets int
	since   uint64 // the step at which it came, was let in or left last: whose is the smallest is next
}

// A ticket is one who waits.
type ticket struct {
	asker         Asker
	group, member *line
	letIn         chan struct{}
}

func newQueue(places int) *queue {
	return &queue{
		mu: sync.Mutex{}, places: places, tickets: nil, groups: make(map[string]*line), members: make(map[Asker]*line), steps: 0,
	}
}

// enter waits for a place. Who was let in has to leave. The errors are the context's and ErrCrowded.
func (q *queue) enter(ctx context.Context, who Asker) error {
	t, err := q.join(who)
	if t == nil {
		return err
	}
	select {
	case <-t.letIn:
		return nil
	case <-ctx.Done():
		q.giveUp(t)
		return ctx.Err()
	}
}

// join takes a place, or a ticket when none is free. The error is ErrCrowded.
func (q *queue) join(who Asker) (*ticket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.places > 0 {
		q.places--
		return nil, nil //nolint:nilnil // no ticket is needed
	}
	q.steps++
	group, member := q.groups[who.Group], q.members[who]
	if group == nil {
		group = &line{tickets: 0, since: q.steps}
	}
	if member == nil {
		member = &line{tickets: 0, since: q.steps}
	}
	crowded := len(q.tickets) >= waitingAtMost || group.tickets >= waitingGroup || member.tickets >= waitingMember
	if crowded && who != (Asker{}) {
		return nil, ErrCrowded
	}
	t := &ticket{asker: who, group: group, member: member, letIn: make(chan struct{})}
	group.tickets++
	member.tickets++
	q.groups[who.Group], q.members[who] = group, member
	q.tickets = append(q.tickets, t)
	return t, nil
}

// leave gives the place of somebody who was let in to whose turn it is.
func (q *queue) leave(who Asker) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.steps++
	if group := q.groups[who.Group]; group != nil {
		group.since = q.steps
	}
	if member := q.members[who]; member != nil {
		member.since = q.steps
	}
	if len(q.tickets) == 0 {
		q.places++
		return
	}
	next := q.tickets[0]
	for _, t := range q.tickets {
		if t.before(next) {
			next = t
		}
	}
	q.steps++
	next.group.since, next.member.since = q.steps, q.steps
	q.remove(next)
	close(next.letIn)
}

// before reports whether it is the turn of t and not of the other, which came earlier.
func (t *ticket) before(other *ticket) bool {
	if t.group != other.group {
		return t.group.since < other.group.since
	}
	return t.member.since < other.member.since
}

// giveUp takes back a ticket. Who was let in meanwhile leaves.
func (q *queue) giveUp(t *ticket) {
	q.mu.Lock()
	waits := slices.Contains(q.tickets, t)
	if waits {
		q.remove(t)
	}
	q.mu.Unlock()
	if !waits {
		q.leave(t.asker)
	}
}

func (q *queue) remove(t *ticket) {
	q.tickets = slices.DeleteFunc(q.tickets, func(other *ticket) bool { return other == t })
	t.group.tickets--
	t.member.tickets--
	if t.group.tickets == 0 {
		delete(q.groups, t.asker.Group)
	}
	if t.member.tickets == 0 {
		delete(q.members, t.asker)
	}
}
