package httpapi

import (
	"time"

	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/internal/service"
)

// optional returns a pointer to a value, and nil for the zero value: absent.
func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// int32Of narrows a number of the domain; the largest there is is far below the bound.
func int32Of[T ~int | ~int64](n T) int32 { return int32(n) }

// idOf returns an id as the wire has it. Ids are ours, from the store; anything else is a broken database.
func idOf[T ~string](id T) uuid.UUID { return uuid.MustParse(string(id)) }

// timeOf returns a time as the wire has it: UTC, whole seconds.
func timeOf(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// deadlineOf returns the end of a turn as the wire has it, rounded up: nobody is told an earlier end. Nil for none.
func deadlineOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return new(timeOf(t.Add(time.Second - time.Nanosecond)))
}

// pollAfterOf returns when to ask again; absent means never.
func pollAfterOf(after time.Duration, polls bool) *int32 {
	if !polls {
		return nil
	}
	return new(int32Of(after.Milliseconds()))
}

// pollOf returns how a caller wants to follow something.
func pollOf(after *int64, wait *int32, ifNoneMatch *string) service.Poll {
	poll := service.Poll{After: after, Seen: seenTags(ifNoneMatch), Wait: 0}
	if wait != nil {
		poll.Wait = time.Duration(*wait) * time.Second
	}
	return poll
}

// entriesUnlessSaid is how many entries a page has when the request doesn't say.
const entriesUnlessSaid = 20

// pageSize returns how many entries a page has at most.
func pageSize(limit *int32) int {
	if limit == nil {
		return entriesUnlessSaid
	}
	return int(*limit)
}

// valueOf returns what a pointer points to, and the zero value for nil.
func valueOf[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}
