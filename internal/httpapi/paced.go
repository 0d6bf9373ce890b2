package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// A client that takes less than pieceBytes in pieceTime, 4 kB a second, is cut off.
const (
	pieceBytes = 40_000
	pieceTime  = 10 * time.Second
)

// pacedWriter sends a long answer piece by piece, each with its own deadline: how long the whole takes is not bounded, how
// slowly the client reads is.
type pacedWriter struct {
	to         http.ResponseWriter
	connection *http.ResponseController
}

func newPacedWriter(to http.ResponseWriter) *pacedWriter {
	return &pacedWriter{to: to, connection: http.NewResponseController(to)}
}

// unsentError is about an answer that the client doesn't take: it is gone, or too slow.
type unsentError struct{ cause error }

// Error returns the cause.
func (e *unsentError) Error() string { return "the client doesn't take the answer: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *unsentError) Unwrap() error { return e.cause }

// Write sends what is given. Its errors are of the client's making.
func (p *pacedWriter) Write(all []byte) (sent int, err error) {
	for sent < len(all) {
		piece := all[sent:min(sent+pieceBytes, len(all))]
		if err = moveDeadlines(p.connection, pieceTime, 2*pieceTime); err != nil {
			return sent, err
		}
		n, err := p.to.Write(piece)
		sent += n
		if err != nil {
			return sent, &unsentError{cause: err}
		}
	}
	return sent, nil
}

// moveDeadlines lets a connection write and read for so long from now on. The server reads on while it writes or waits, to
// notice a client that goes away; its own deadline would look like that.
func moveDeadlines(connection *http.ResponseController, write, read time.Duration) error {
	err := errors.Join(connection.SetWriteDeadline(realTime(write)), connection.SetReadDeadline(realTime(read)))
	switch {
	case err == nil:
		return nil
	case errors.Is(err, net.ErrClosed): // it was idle when it made room for another, and the request came at the same moment
		return &unsentError{cause: err}
	default:
		return fmt.Errorf("move the deadlines of a connection: %w", err)
	}
}

// realTime returns a moment as connections see it, which go by the real clock.
func realTime(ahead time.Duration) time.Time {
	timed, cancel := context.WithTimeout(context.Background(), ahead)
	defer cancel()
	moment, _ := timed.Deadline()
	return moment
}
