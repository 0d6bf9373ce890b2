package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"
)

// statusGone is logged when the client went away before the answer; nobody is sent it.
const statusGone = 499

// front stands in front of all operations: it sets the headers that every answer has, answers errors, and tells the log
// and the metrics of the request. It is one middleware, since Echo makes a closure of each for every request.
func (s *server) front(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		decorate(c)
		start := s.deps.Clock()
		if err := s.answered(c, next); err != nil {
			c.Error(err)
		}
		s.observe(c, max(s.deps.Clock().Sub(start), 0))
		if exchangeOf(c.Request().Context()).brokenOff != 0 {
			breakOff(c.Response())
		}
		return nil
	}
}

// answered lets a request through to its operation and explains the error that comes back; a panic, of the
// explanation too, becomes one, except that which tells net/http to drop the connection.
func (s *server) answered(c echo.Context, next echo.HandlerFunc) (err error) {
	defer func() {
		switch value := recover(); value {
		case nil:
		case http.ErrAbortHandler:
			breakOff(c.Response())
		default:
			err = &panicError{value: value, stack: debug.Stack()}
		}
	}()
	if err = s.dispatch(c, next); err != nil {
		return explain(c, err)
	}
	return nil
}

// dispatch hands a request on to its operation; what belongs to none is counted here.
func (s *server) dispatch(c echo.Context, next echo.HandlerFunc) error {
	var err error
	switch onIts := onItsListener(c); {
	case onIts && c.Request().Method == http.MethodOptions:
		if err = s.countStray(c); err == nil {
			err = answerOptions(c)
		}
		return err
	case onIts:
		err = next(c)
	default:
		err = echo.ErrNotFound
	}
	if errors.Is(err, echo.ErrNotFound) || errors.Is(err, echo.ErrMethodNotAllowed) {
		return cmp.Or(s.countStray(c), err)
	}
	return err
}

// observe writes a line about a request to the log and counts it. The line names the route's pattern, never the path,
// the query, a token, a code or a body. Of healthy probes, which nothing limits, only the lowest level tells.
func (s *server) observe(c echo.Context, took time.Duration) {
	ctx := c.Request().Context()
	x, status := exchangeOf(ctx), c.Response().Status
	switch {
	case x.gone:
		status = statusGone
	case x.brokenOff != 0:
		status = x.brokenOff
	}
	level := slog.LevelInfo
	if x.probe && status < http.StatusBadRequest {
		level = slog.LevelDebug
	}
	if s.deps.Logger.Enabled(ctx, level) {
		s.deps.Logger.LogAttrs(ctx, level, "request",
			slog.String("method", loggedMethod(x.method)), slog.String("route", x.route),
			slog.String("operation", x.operation), slog.Int("status", status),
			slog.Float64("duration_ms", float64(took)/float64(time.Millisecond)), slog.String("request_id", x.id))
	}
	s.deps.Metrics.answered(x, status, took)
}

// loggedMethod keeps methods that a client made up out of the log.
func loggedMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	default:
		return "OTHER"
	}
}

// panicError is a panic of a handler.
type panicError struct {
	value any
	stack []byte
}

// Error returns what the handler panicked with.
func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }
