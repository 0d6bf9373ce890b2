package httpapi

import (
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// exportAgain is when an export may be asked for again that was one too many at a time.
const exportAgain = 5 * time.Second

// runningExports are the players whose exports are under way.
type runningExports struct {
	atMost int

	mu sync.Mutex
	of map[profile.ID]struct{}
}

func newRunningExports(atMost int) *runningExports {
	return &runningExports{atMost: atMost, mu: sync.Mutex{}, of: make(map[profile.ID]struct{}, atMost)}
}

// begin counts an export until it is done. The fault is rate_limited.
func (r *runningExports) begin(who profile.ID) (done func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, found := r.of[who]; found {
		return nil, tooManyExports("exports_at_once: a profile may read one export at a time")
	}
	if len(r.of) >= r.atMost {
		return nil, tooManyExports("exports_at_once: %d exports are read at a time, and others read theirs now", r.atMost)
	}
	r.of[who] = struct{}{}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.of, who)
	}, nil
}

func tooManyExports(format string, args ...any) error {
	return &limitError{fault: fault.New(fault.RateLimited, format, args...), after: exportAgain, state: limitState{}}
}

// beginExport lets an export begin, for which there is no limit on how long it may take: it is bounded by how slowly the
// client reads. An export that is refused because others are under way costs none of the budget.
func (s *server) beginExport(c echo.Context) (done func(), err error) {
	who := callerOf(c.Request().Context()).Profile
	if done, err = s.exports.begin(who); err != nil {
		return nil, err
	}
	state, err := s.limits.export(who)
	state.write(c.Response().Header())
	if err != nil {
		done()
		return nil, err
	}
	return done, nil
}
