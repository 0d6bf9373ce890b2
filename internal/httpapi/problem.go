package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/text"
)

const mimeProblem = "application/problem+json"

// retryAway is when a request may be sent again that the service could not serve.
const retryAway = time.Second

// problem is an error on its way to the client.
type problem struct {
	fault     *fault.Error
	wrong     []wrongPart
	challenge string         // of a 401
	after     time.Duration  // when to try again; 0: not said
	limit     limitState     // of a 429
	game      *api.Game      // of a conflict about a game
	table     *api.GameTable // of a conflict about a table
	rule      *api.HouseRule
	internal  error         // what the client is not told
	lang      text.Language // of what is said
}

// explainedError is an error for which it is known what to say about it.
type explainedError struct {
	problem problem
	cause   error
}

// Error returns the cause.
func (e *explainedError) Error() string { return e.cause.Error() }

// Unwrap returns the cause.
func (e *explainedError) Unwrap() error { return e.cause }

// explain finds out what to say about an error where a panic over it is still caught: conflicts show games and tables.
func explain(c echo.Context, err error) error {
	return &explainedError{problem: problemOf(err, languageOf(c.Request().Context())), cause: err}
}

// answerError makes an answer of any error. It is the only place where errors are logged and where a fault becomes
// a status.
func (s *server) answerError(err error, c echo.Context) {
	ctx := c.Request().Context()
	x := exchangeOf(ctx)
	var p problem
	if explained, found := errors.AsType[*explainedError](err); found {
		p = explained.problem
	} else {
		p = problemOf(err, x.language())
	}
	if clientGone(ctx, err) {
		x.gone = true
		p = problem{fault: away("the client went away"), after: retryAway, lang: x.language()}
	}
	if p.internal != nil {
		s.logInternal(ctx, x, p)
	}
	if c.Response().Committed {
		x.brokenOff = statusOf(p.fault.Code)
		return
	}
	if p.fault.Code == fault.MethodNotAllowed {
		x.route = contractPath(c.Path())
		c.Response().Header().Set(echo.HeaderAllow, allowedMethods(c))
	}
	p.write(c.Response(), x)
}

// clientGone reports whether there is nobody left to answer, and err says no more than that.
func clientGone(ctx context.Context, err error) bool {
	if _, unsent := errors.AsType[*unsentError](err); unsent {
		return true
	}
	if !errors.Is(ctx.Err(), context.Canceled) {
		return false
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, net.ErrClosed) || fault.KindOf(err) == fault.Unavailable
}

// logInternal logs what the client is not told: once, and whole.
func (s *server) logInternal(ctx context.Context, x *exchange, p problem) {
	attrs := []slog.Attr{
		slog.Any("error", p.internal), slog.String("operation", x.operation), slog.String("request_id", x.id),
	}
	if p, panicked := errors.AsType[*panicError](p.internal); panicked {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	if p.fault.Code == fault.Internal {
		s.deps.Logger.LogAttrs(ctx, slog.LevelError, "a request failed", attrs...)
		return
	}
	s.deps.Logger.LogAttrs(ctx, slog.LevelWarn, "a request could not be served", attrs...)
}

// problemOf finds out what to say about an error.
func problemOf(err error, language text.Language) problem {
	p := problem{lang: language}
	var (
		f       *fault.Error
		wrong   *invalidError
		auth    *authError
		limit   *limitError
		game    *service.GameConflictError
		table   *service.TableConflictError
		rule    *service.RuleConflictError
		fromAPI *echo.HTTPError
	)
	switch {
	case errors.As(err, &game):
		shown := toGame(game.Game)
		p.fault, p.game = game.Fault, &shown
	case errors.As(err, &table):
		shown := toTable(table.Table)
		p.fault, p.table = table.Fault, &shown
	case errors.As(err, &rule):
		shown := toHouseRule(rule.Rule, p.lang)
		p.fault, p.rule = rule.Fault, &shown
	case errors.As(err, &wrong):
		p.fault, p.wrong = wrong.fault, wrong.wrong
	case errors.As(err, &auth):
		p.fault, p.challenge = auth.fault, auth.challenge
	case errors.As(err, &limit):
		p.fault, p.after, p.limit = limit.fault, limit.after, limit.state
	case errors.As(err, &f):
		p.fault = f
	case errors.As(err, &fromAPI):
		p.fault, p.wrong = faultOfEcho(fromAPI)
	case errors.Is(err, context.DeadlineExceeded):
		p.fault = away("the answer took too long; send the same request again")
	}
	return p.complete(err)
}

// complete adds what follows from the fault; an error that is none becomes internal.
func (p problem) complete(err error) problem {
	if p.fault == nil {
		p.fault = fault.New(fault.Internal, "the request id finds it in the log")
		p.internal = err
	}
	switch {
	case p.fault.Pointer != "" && p.wrong == nil:
		p.wrong = []wrongPart{{p.fault.Pointer, p.fault.Message}}
	case p.fault.Kind() == fault.Unavailable:
		p.after, p.internal = retryAway, err // the cause is for the operator
	case p.fault.Code == fault.NoToken && p.challenge == "":
		p.challenge = challengeWrong // the token was right when the request came in
	}
	return p
}

func away(why string) *fault.Error { return fault.New(fault.Away, "%s", why) }

// faultOfEcho translates what Echo and the generated code refuse; nil is ours.
func faultOfEcho(e *echo.HTTPError) (*fault.Error, []wrongPart) {
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(e, &mistyped): // like 4.0 for a whole number, which passes the schema
		at := "/" + strings.ReplaceAll(mistyped.Field, ".", "/")
		return fault.New(fault.InvalidRequest, "%s", countWrong(1)),
			[]wrongPart{{at, "want a whole number, written without point and exponent"}}
	case e.Code == http.StatusNotFound:
		return fault.New(fault.NotFound, "there is no such path"), nil
	case e.Code == http.StatusMethodNotAllowed:
		return fault.New(fault.MethodNotAllowed, "this path takes other methods"), nil
	case e.Code == http.StatusRequestEntityTooLarge:
		return fault.New(fault.BodyTooLarge, "the body is too large"), nil
	case e.Code == http.StatusUnsupportedMediaType:
		return fault.New(fault.UnsupportedMediaType, "the body is not application/json in UTF-8"), nil
	case e.Code == http.StatusBadRequest:
		return fault.New(fault.InvalidRequest, "the request does not fit the contract"), nil
	default:
		return nil, nil
	}
}

// write sends the problem as RFC 9457 wants it.
func (p problem) write(w http.ResponseWriter, x *exchange) {
	said, known := text.ProblemOf(p.fault.Code, p.lang)
	if !known {
		said, _ = text.ProblemOf(fault.Internal, p.lang)
	}
	status := statusOf(said.Code)
	body := api.Problem{
		Type: "/docs#" + string(said.Code), Title: said.Title, Status: int32Of(status), Detail: p.fault.Message,
		Instance: x.route, Code: api.ProblemCode(said.Code), RequestID: x.id,
		RetryAfterMs: nil, Errors: nil, Game: p.game, Table: p.table, HouseRule: p.rule,
	}
	h := w.Header()
	for _, part := range p.wrong {
		body.Errors = append(body.Errors, api.ProblemError{Pointer: part.pointer, Detail: part.detail})
	}
	if p.after > 0 {
		body.RetryAfterMs = new((p.after + time.Millisecond - 1).Milliseconds())
		h.Set("Retry-After", strconv.Itoa(seconds(p.after)))
	}
	if p.challenge != "" {
		h.Set(echo.HeaderWWWAuthenticate, p.challenge)
	}
	p.limit.write(h)
	h.Set(echo.HeaderCacheControl, cacheNever)
	h.Set(echo.HeaderVary, varyByReader)
	h.Set(headerContentLanguage, string(p.lang))
	h.Set(echo.HeaderContentType, mimeProblem)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who is not there any more is not told
}
