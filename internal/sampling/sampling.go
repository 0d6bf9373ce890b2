// Package sampling keeps a log from growing as fast as somebody can make the service fail or refuse.
package sampling

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	// window is how long lines of one cause are counted before a line says how many there were.
	window = 10 * time.Second
	// wholeRefusals is how many refusals of a kind have a line of their own in a window; of anything else it is one.
	wholeRefusals = 10
	// causesAtMost is how many causes are told apart at a time; all others of a level are one.
	causesAtMost = 100
	// refused is the least status of a request that was refused.
	refused = 400
)

// Handler passes on the first line of a cause, and from then on one in ten seconds: the last, with the attribute
// "not_logged", which is how many there were since the line before, without it. Of refusals it passes on ten. A cause
// is a message with the innermost error of its attribute "error", and the attributes "what", "operation", "status"
// and "address". Lines below WARN that tell of no refusal, which is a "status" of 400 or more, all pass.
type Handler struct {
	next   slog.Handler
	causes *causes
}

// New makes a Handler that passes lines on to another.
func New(next slog.Handler) *Handler {
	return &Handler{next: next, causes: &causes{mu: sync.Mutex{}, all: make(map[cause]*counted)}}
}

// causes are those of which there was a line lately.
type causes struct {
	mu  sync.Mutex
	all map[cause]*counted
}

type cause struct {
	level                                            slog.Level
	message, err, what, operation, address, refusals string
}

// counted is what a window holds of a cause.
type counted struct {
	whole int // lines that still pass
	held  int // that did not
	last  slog.Record
	next  slog.Handler // of the last
}

// Enabled is that of the handler behind.
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// WithAttrs returns a Handler that counts together with this one.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &Handler{next: h.next.WithAttrs(attrs), causes: h.causes}
}

// WithGroup returns a Handler that counts together with this one.
func (h *Handler) WithGroup(name string) slog.Handler {
	return &Handler{next: h.next.WithGroup(name), causes: h.causes}
}

// Handle passes a line on, or counts it.
func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	of, whole := causeOf(r)
	if whole == 0 || h.causes.passes(of, whole, r, h.next) {
		return h.next.Handle(ctx, r)
	}
	return nil
}

// causeOf returns the cause of a line, and how many of it pass in a window; 0: all.
func causeOf(r slog.Record) (of cause, whole int) {
	of = cause{level: r.Level, message: r.Message}
	if r.Level >= slog.LevelWarn {
		whole = 1
	}
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "error":
			of.err = innermost(a.Value)
		case "what":
			of.what = a.Value.String()
		case "operation":
			of.operation = a.Value.String()
		case "address":
			of.address = a.Value.String()
		case "status":
			if a.Value.Kind() == slog.KindInt64 && a.Value.Int64() >= refused {
				of.refusals, whole = a.Value.String(), wholeRefusals
			}
		}
		return true
	})
	return of, whole
}

// innermost returns what went wrong in the first place, without what was being done and with what.
func innermost(v slog.Value) string {
	err, isError := v.Any().(error)
	for isError {
		var inner error
		switch wraps := err.(type) { //nolint:errorlint // it takes the layers off one by one
		case interface{ Unwrap() error }:
			inner = wraps.Unwrap()
		case interface{ Unwrap() []error }:
			if all := wraps.Unwrap(); len(all) > 0 {
				inner = all[len(all)-1]
			}
		}
		if inner == nil {
			return fmt.Sprintf("%T: %v", err, err)
		}
		err = inner
	}
	return v.String()
}

// passes reports whether a line passes; else it is counted.
func (c *causes) passes(of cause, whole int, r slog.Record, next slog.Handler) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.all[of]
	if n == nil && len(c.all) >= causesAtMost {
		of = cause{level: r.Level}
		n = c.all[of]
	}
	if n == nil {
		n = &counted{whole: whole, held: 0, last: slog.Record{}, next: nil}
		c.all[of] = n
		time.AfterFunc(window, func() { c.tell(of) })
	}
	if n.whole > 0 {
		n.whole--
		return true
	}
	n.held++
	n.last, n.next = r.Clone(), next
	return false
}

// tell passes on the last line that was held back of a cause, with their number, and begins another window; without any
// the cause is forgotten.
func (c *causes) tell(of cause) {
	c.mu.Lock()
	n := c.all[of]
	held, last, next := n.held, n.last, n.next
	if held == 0 {
		delete(c.all, of)
	} else {
		n.held, n.last, n.next = 0, slog.Record{}, nil
		time.AfterFunc(window, func() { c.tell(of) })
	}
	c.mu.Unlock()
	if held > 0 {
		last.AddAttrs(slog.Int("not_logged", held-1))
		_ = next.Handle(context.Background(), last) // as slog does, which has nobody to tell either
	}
}
