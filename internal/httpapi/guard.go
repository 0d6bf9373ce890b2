package httpapi

import (
	"context"
	"errors"
	"fmt"
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
			x.caller.Address = addressKey(c.Echo().IPExtractor, c.Request())
			if o.auth == authIgnored {
				return s.checked(c, o, next)
			}
			if err := s.authenticate(c, o, x); err != nil {
				return err
			}
			admitted, err := s.limits.admit(o, x.caller)
			admitted.state.write(c.Response().Header())
			if err != nil {
				return err
			}
			if err = s.checked(c, o, next); err != nil {
				admitted.refund()
			}
			return err
		}
	}
}

// checked validates the request and hands it on, with a limit on how long it may take.
func (s *server) checked(c echo.Context, o operation, next echo.HandlerFunc) error {
	if err := s.validate(c, o); err != nil {
		return err
	}
	release, err := s.limitTime(c)
	if err != nil {
		return err
	}
	defer release()
	return next(c)
}

// limitTime bounds how long the request may take, and lets the answer of a waiting request leave after its wait:
// the deadlines of the server hold for requests that don't wait. A quarter of the time is kept for sending it.
func (s *server) limitTime(c echo.Context) (release func(), err error) {
	wait, sending := s.waitOf(c), s.deps.Config.Server.WriteTimeout/4
	r := c.Request()
	ctx, cancel := context.WithTimeout(r.Context(), wait+s.deps.Config.Server.WriteTimeout-sending)
	c.SetRequest(r.WithContext(ctx))
	release = func() {
		cancel()
		c.SetRequest(r) // an ended context would look like a client that went away
	}
	if wait == 0 {
		return release, nil
	}
	exchangeOf(ctx).waits = true
	deadline, _ := ctx.Deadline()
	connection := http.NewResponseController(c.Response())
	// The server reads on while it waits, to hear of a client that goes away; its own deadline would look like that.
	err = errors.Join(connection.SetWriteDeadline(deadline.Add(sending)), connection.SetReadDeadline(deadline))
	if err != nil {
		release()
		return nil, fmt.Errorf("move the deadlines of a waiting request: %w", err)
	}
	return release, nil
}

// waitOf returns how long a valid request may wait; 0 where there is nothing to wait for.
func (s *server) waitOf(c echo.Context) time.Duration {
	seconds, err := strconv.Atoi(c.QueryParam("wait"))
	if err != nil {
		return 0
	}
	return time.Duration(min(seconds, s.deps.Config.Limits.WaitMaxSeconds)) * time.Second
}
