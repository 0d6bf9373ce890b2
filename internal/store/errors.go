package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/service"
)

// faultError is a fault with its cause: errors.Is and errors.As find both, and only the log tells the cause.
type faultError struct {
	fault *fault.Error
	cause error
}

// Error returns the fault and the cause, for the log.
func (e *faultError) Error() string { return fmt.Sprintf("%v (%v)", e.fault, e.cause) }

// Unwrap returns the fault and the cause.
func (e *faultError) Unwrap() []error { return []error{e.fault, e.cause} }

// unknownOutcomeError marks a write whose connection broke before its answer came.
type unknownOutcomeError struct{ cause error }

// Error returns the cause.
func (e *unknownOutcomeError) Error() string { return "outcome unknown: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *unknownOutcomeError) Unwrap() error { return e.cause }

// translateFor is translate for a caller whose context holds for what failed: when that has ended, the error is its.
func (s *Store) translateFor(caller context.Context, err error) error {
	if err != nil && caller.Err() != nil {
		return fmt.Errorf("%w (%w)", caller.Err(), err)
	}
	return s.translate(err)
}

// translate is the one place where an error of the database becomes one that callers know. Faults and
// service.ErrChanged stay what they are; what nobody outside can do anything about stays an error of ours.
func (s *Store) translate(err error) error {
	if s.dialect.damaged(err) {
		s.pools.file.damaged(err)
	}
	var (
		known   *fault.Error
		unknown *unknownOutcomeError
	)
	switch {
	case err == nil, errors.Is(err, service.ErrChanged), errors.As(err, &known):
		return err
	case errors.As(err, &unknown):
		return &faultError{cause: err, fault: fault.New(fault.OutcomeUnknown,
			"the connection to the database broke while this was stored; it may have been or not: send the same request again")}
	case isAway(err), s.dialect.away(err):
		return &faultError{cause: err, fault: fault.New(fault.Away,
			"the database does not answer now; send the same request again")}
	default:
		return fmt.Errorf("database: %w", err)
	}
}

// isAway reports whether an error says, whatever the database, that it can't be reached or takes too long.
func isAway(err error) bool {
	return isLost(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, sql.ErrTxDone)
}

// isLost reports whether a connection broke, or ran out of time, while something was under way on it.
func isLost(err error) bool {
	var broken net.Error // timeouts too
	return errors.As(err, &broken) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
