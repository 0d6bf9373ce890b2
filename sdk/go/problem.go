package fourinarow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/api/client"
)

// Codes of problems that the service had no part in. Those of the service are listed by GET /v1/problems, and more may come.
const (
	CodeNotTheService    = "not_the_service"   // something else answered: another server, a gateway, a page to sign in to a network
	CodeConnectionFailed = "connection_failed" // no answer: no network, no such host, a refused or broken connection
	CodeTimedOut         = "timed_out"         // no answer in time, or the context's deadline passed
	CodeCancelled        = "cancelled"         // the context was cancelled
	CodeTokensFailed     = "tokens_failed"     // the store of tokens can't be read or written
)

// Problem is why something wasn't done. Decide by Code; Title is for people.
type Problem struct { //nolint:errname // its name in the contract
	Code       string
	Status     int // of the answer; 0 without one
	Title      string
	Detail     string
	RequestID  string                // finds the request in the service's log
	RetryAfter time.Duration         // when to try again; 0 if nobody said
	Errors     []client.ProblemError // what is wrong with the request, field by field
	Game       *Game                 // as it is now, if it is about a game
	Table      *Table                // as it is now, if it is about a table
	HouseRule  *client.HouseRule     // as it is now, if it is about a house rule

	cause error
}

func (p *Problem) Error() string {
	parts := slices.DeleteFunc([]string{p.Code, p.Title, p.Detail}, func(part string) bool { return part == "" })
	return strings.Join(parts, ": ")
}

// Unwrap is what lies behind a problem that the service had no part in, like context.Canceled.
func (p *Problem) Unwrap() error { return p.cause }

// ProblemOf is the *Problem of an answer of Client.API, and nil after a success and for what is unchanged (304).
func ProblemOf(answer interface {
	StatusCode() int
	ContentType() string
	GetBody() []byte
},
) error {
	if answer.StatusCode() < http.StatusBadRequest {
		return nil
	}
	return refusal(answer.StatusCode(), http.Header{"Content-Type": {answer.ContentType()}}, answer.GetBody())
}

// refusal reads an answer that isn't a success.
func refusal(status int, header http.Header, body []byte) *Problem {
	var told struct {
		client.Problem

		Game *Game `json:"game"` // in place of the generated one
	}
	if !isJSON(header) || json.Unmarshal(body, &told) != nil || told.Code == "" {
		p := notTheService(status, nil)
		p.RetryAfter = retryAfter(header)
		return p
	}
	p := &Problem{
		Code: told.Code, Status: status, Title: told.Title, Detail: told.Detail, RequestID: told.RequestID,
		RetryAfter: retryAfter(header), Errors: told.Errors, Game: told.Game, Table: told.Table, HouseRule: told.HouseRule,
	}
	if told.RetryAfterMs != nil {
		p.RetryAfter = time.Duration(*told.RetryAfterMs) * time.Millisecond
	}
	if p.Game != nil {
		p.Game.arrived = time.Now()
	}
	return p
}

func isJSON(header http.Header) bool {
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	return strings.HasSuffix(strings.TrimSpace(kind), "json")
}

func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.ParseUint(header.Get("Retry-After"), 10, 31)
	if err != nil {
		return 0 // nobody said, or as a date, which the service doesn't
	}
	return time.Duration(seconds) * time.Second
}

func notTheService(status int, cause error) *Problem {
	return &Problem{Code: CodeNotTheService, Status: status, Detail: fmt.Sprintf("what answered (%d) isn't the service", status), cause: cause}
}

// unanswered is the problem of a request without an answer. The caller's context may be the reason.
func unanswered(ctx context.Context, err error) *Problem {
	code := CodeConnectionFailed
	if reason := ctx.Err(); reason != nil {
		err = reason
	}
	var slow interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.Canceled):
		code = CodeCancelled
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		code = CodeTimedOut
	}
	return &Problem{Code: code, Detail: err.Error(), cause: err}
}

// problem is the error as one.
func problem(ctx context.Context, err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	return unanswered(ctx, err)
}
