package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"
)

// statusGone is logged when the client went away before the answer; nobody is sent it.
const statusGone = 499

// observe answers errors, then writes a line about the request to the log and counts it. The line names the route's
// pattern, never the path, the query, a token, a code or a body.
func (s *server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.deps.Clock()
		if err := next(c); err != nil {
			c.Error(err)
		}
		took := max(s.deps.Clock().Sub(start), 0)
		ctx := c.Request().Context()
		x, status := exchangeOf(ctx), c.Response().Status
		if x.gone {
			status = statusGone
		}
		s.deps.Logger.InfoContext(ctx, "request",
			slog.String("method", loggedMethod(x.method)), slog.String("route", x.route),
			slog.String("operation", x.operation), slog.Int("status", status),
			slog.Float64("duration_ms", float64(took)/float64(time.Millisecond)), slog.String("request_id", x.id))
		s.deps.Metrics.answered(x, status, took)
		return nil
	}
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

// recoverPanic turns a panic into an error, except the one that tells net/http to drop the connection.
func recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch value := recover(); value {
			case nil:
			case http.ErrAbortHandler:
				panic(value)
			default:
				err = &panicError{value: value, stack: debug.Stack()}
			}
		}()
		return next(c)
	}
}
