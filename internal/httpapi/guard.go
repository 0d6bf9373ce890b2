package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// guards returns what stands in front of each operation.
func (s *server) guards(operations []operation) map[string][]echo.MiddlewareFunc {
	guards := make(map[string][]echo.MiddlewareFunc, len(operations))
	for _, o := range operations {
		guards[o.id] = []echo.MiddlewareFunc{s.guard(o)}
	}
	return guards
}

// guard lets a request pass when it is known who sent it, it is within the limits, and it fits the contract; in this
// order, so that nobody is read a body from who may not send it.
func (s *server) guard(o operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if slices.Contains(c.ParamValues(), "") { // like /v1/games/: no path of the contract
				return echo.ErrNotFound
			}
			x := exchangeOf(c.Request().Context())
			x.operation, x.route = o.id, o.path
			refund, err := s.letIn(c, o, x)
			if err != nil {
				return err
			}
			if err = s.checked(c, o, next); err != nil || x.repeats {
				refund()
			}
			return err
		}
	}
}

// letIn finds out who is asking, where that matters, counts the request, and refuses tokens of the wrong kind. The returned
// function gives back what only a success should cost.
func (s *server) letIn(c echo.Context, o operation, x *exchange) (refund func(), err error) {
	if o.auth != authIgnored {
		if err = s.authenticate(c, o, x); err != nil {
			return nil, err
		}
	}
	x.probe = isProbe(o, c.Request())
	admitted, err := s.limits.admit(o, x.caller, c.Request())
	admitted.state.write(c.Response().Header())
	if err != nil {
		return nil, err
	}
	return admitted.refund, s.permit(c, o, x)
}

// countStray counts a request that no operation counts, like one for a path that there isn't, against its address. No token
// is looked at. The fault is rate_limited.
func (s *server) countStray(c echo.Context) error {
	state, err := s.limits.anonymous(exchangeOf(c.Request().Context()).caller.Address)
	state.write(c.Response().Header())
	return err
}

// checked validates the request and hands it on, with a limit on how long it may take.
func (s *server) checked(c echo.Context, o operation, next echo.HandlerFunc) error {
	if err := s.validate(c, o); err != nil {
		return err
	}
	release, err := s.limitTime(c, o)
	if err != nil {
		return err
	}
	defer release()
	o.answers.write(c.Response().Header(), exchangeOf(c.Request().Context()))
	if o.plain && bool(s.deps.Config.Server.Compression) {
		leaveUncompressed(c.Response().Header())
	}
	return next(c)
}

// limitTime bounds how long the request may take, and lets the answer of a waiting request leave after its wait:
// the deadlines of the server hold for requests that don't wait. A quarter of the time is kept for sending it.
func (s *server) limitTime(c echo.Context, o operation) (release func(), err error) {
	if o.id == operationExportMe {
		return s.beginExport(c)
	}
	patience := s.deps.Config.Server.WriteTimeout
	if wait := s.waitOf(c); wait > 0 {
		return func() {}, s.letWait(c, wait+patience)
	}
	r := c.Request()
	ctx, cancel := context.WithTimeout(r.Context(), patience-patience/4)
	c.SetRequest(r.WithContext(ctx))
	return func() {
		cancel()
		c.SetRequest(r) // an ended context would look like a client that went away
	}, nil
}

// letWait moves the deadlines of the connection behind a wait. A waiting request has no other limit than these and its
// wait, since thousands of them wait and a context of its own costs each more than a kilobyte.
func (s *server) letWait(c echo.Context, patience time.Duration) error {
	exchangeOf(c.Request().Context()).waits = true
	return moveDeadlines(http.NewResponseController(c.Response()), patience, patience)
}

// waitOf returns how long a valid request may wait; 0 where there is nothing to wait for.
func (s *server) waitOf(c echo.Context) time.Duration {
	sent := c.QueryParam("wait")
	if sent == "" {
		return 0
	}
	seconds, err := strconv.Atoi(sent)
	if err != nil {
		return 0
	}
	return time.Duration(min(seconds, s.deps.Config.Limits.WaitMaxSeconds)) * time.Second
}

// isProbe reports whether a request asks for health and brings nothing: these are free.
func isProbe(o operation, r *http.Request) bool {
	return (o.id == operationHealth || o.id == operationReadiness) && r.URL.RawQuery == "" && r.ContentLength == 0
}

// codeBytes is how long a body is at most that holds a code and the name of a device.
const codeBytes = 1024

// mayHoldCode reports whether a request is as short as those are that bring a code; others are refused unread when there
// are too many.
func mayHoldCode(r *http.Request) bool { return r.ContentLength >= 0 && r.ContentLength <= codeBytes }
