package httpapi

import (
	"context"
	"encoding/hex"
	"io"
	"net/http"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
)

const headerRequestID = "X-Request-Id"

// exchange is what is known about one request and its answer. It travels in the request's context and belongs to
// the goroutine that serves the request.
type exchange struct {
	id        string
	method    string // as sent: HEAD requests are handled as GET
	operation string // empty while no operation was found
	route     string // as the contract writes it; empty while none was found
	caller    service.Caller
	audience  audience       // whom the listener is for that the request came to
	asks      http.Header    // of the request
	query     string         // of the request, as sent
	locale    profile.Locale // of the caller; empty when it is not known
	repeats   bool           // the answer is to a request that was carried out before, or begins nothing
	waits     bool           // the answer may be held back for a while
	probe     bool           // it asks for health, free of limits
	gone      bool           // the client went away before the answer, or while it was sent
	brokenOff int            // the status of what went wrong when a part of the answer was sent already; 0: nothing did
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// exchangeOf returns the exchange a context belongs to; an empty one for a context from elsewhere.
func exchangeOf(ctx context.Context) *exchange {
	if x, found := ctx.Value(exchangeKey{}).(*exchange); found {
		return x
	}
	return &exchange{}
}

// callerOf returns who is asking.
func callerOf(ctx context.Context) service.Caller { return exchangeOf(ctx).caller }

// requestID returns the id a client or proxy gave the request, or draws one of 16 hexadecimal digits.
func (s *server) requestID(r *http.Request) string {
	if given := r.Header.Values(headerRequestID); len(given) == 1 && usableID(given[0]) {
		return given[0]
	}
	var raw [8]byte
	if _, err := io.ReadFull(s.deps.Random, raw[:]); err != nil {
		return "none" // an id is for people who look for a request; a request goes on without
	}
	return hex.EncodeToString(raw[:])
}

// usableID reports whether an id may stand in logs and answers: 1 to 128 letters, digits, points, colons and hyphens.
// No underscore: with one, a token could be sent as an id and end up in the log.
func usableID(id string) bool {
	if len(id) < 1 || len(id) > 128 {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == ':', c == '-':
		default:
			return false
		}
	}
	return true
}
