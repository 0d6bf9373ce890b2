package terminal

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fourinarow/fourinarow/internal/board"
)

// MovesError says what is wrong with a moves string, and shows where.
type MovesError struct {
	moves string
	cause error
}

// Error names the move and the reason, with an arrow below the move on a line of its own.
func (e *MovesError) Error() string {
	var wrong *board.MovesError
	if !errors.As(e.cause, &wrong) || strings.ContainsFunc(e.moves, notPlain) {
		return e.cause.Error()
	}
	return fmt.Sprintf("%s\n  %s\n  %s^", e.cause, e.moves, strings.Repeat(" ", wrong.Ply-1))
}

// Unwrap returns the cause.
func (e *MovesError) Unwrap() error { return e.cause }

// notPlain tells letters that take more or less than their place.
func notPlain(letter rune) bool { return letter < ' ' || letter > '~' }
