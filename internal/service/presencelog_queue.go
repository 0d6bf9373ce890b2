package service

import (
	"container/heap"
	"time"
)

// visitQueue is visits by when there is something to do about them, a heap: of thousands of owners who wait, a few are to be
// stored at a time.
type visitQueue []*visit

// next returns when there is something to do about an owner.
func (v *visit) next() time.Time {
	if v.waits > 0 || v.heard.After(v.stored) {
		return v.wrote.Add(v.rest)
	}
	return v.heard.Add(forgetAfter)
}

// plan puts a visit that has changed in its place.
func (q *visitQueue) plan(v *visit) {
	if due := v.next(); !due.Equal(v.due) {
		v.due = due
		heap.Fix(q, v.place)
	}
}

// take takes out what is due, or all.
func (q *visitQueue) take(at time.Time, all bool) []*visit {
	var taken []*visit
	for len(*q) > 0 && (all || !(*q)[0].due.After(at)) {
		taken = append(taken, heap.Pop(q).(*visit)) //nolint:forcetypeassert // it holds nothing else
	}
	return taken
}

// Len is that of heap.Interface, as are the others.
func (q visitQueue) Len() int { return len(q) }

func (q visitQueue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }

func (q visitQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push is called by package heap alone.
func (q *visitQueue) Push(v any) {
	one := v.(*visit) //nolint:forcetypeassert // it holds nothing else
	one.place = len(*q)
	*q = append(*q, one)
}

// Pop is called by package heap alone.
func (q *visitQueue) Pop() any {
	last := len(*q) - 1
	v := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return v
}
