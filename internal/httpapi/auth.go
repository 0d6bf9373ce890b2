package httpapi

import (
	"context"
	"log/slog"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// The challenges of RFC 6750.
const (
	challengeMissing = `Bearer realm="fourinarow"`
	challengeWrong   = `Bearer realm="fourinarow", error="invalid_token"`
)

// authError is a 401 with its challenge.
type authError struct {
	fault     *fault.Error
	challenge string
}

// Error returns the code and the message of the fault.
func (e *authError) Error() string { return e.fault.Error() }

// Unwrap returns the fault.
func (e *authError) Unwrap() error { return e.fault }

// authenticate finds out who is asking. A wrong token is refused also where none is needed. It is looked up before
// it is counted: a right one is never refused for the failures of others at the same address.
func (s *server) authenticate(c echo.Context, o operation, x *exchange) error {
	sent := c.Request().Header.Values(echo.HeaderAuthorization)
	if len(sent) == 0 {
		if o.auth == authOptional {
			return nil
		}
		state, err := s.limits.anonymous(x.caller.Address)
		state.write(c.Response().Header())
		if err != nil {
			return err
		}
		return &authError{
			fault:     fault.New(fault.NoToken, "this needs a token"),
			challenge: challengeMissing,
		}
	}
	err := s.identify(c.Request().Context(), sent, x)
	if fault.Is(err, fault.NoToken) {
		if err = s.countFailure(c, o, x, "unknown token"); err != nil {
			return err
		}
		return &authError{
			fault:     fault.New(fault.NoToken, "the token is not known here"),
			challenge: challengeWrong,
		}
	}
	return err
}

// countFailure counts a token that opens nothing here, and logs where somebody tried to get in as an admin: the
// address, never what was sent. The fault is rate_limited.
func (s *server) countFailure(c echo.Context, o operation, x *exchange, reason string) error {
	state, limited := s.limits.failed(x.caller.Address)
	state.write(c.Response().Header())
	if limited != nil {
		return limited
	}
	if o.auth == authAdmin {
		s.deps.Logger.WarnContext(c.Request().Context(), "an admin's login failed", slog.String("reason", reason),
			slog.String("address", x.caller.Address), slog.String("operation", o.id), slog.String("request_id", x.id))
	}
	return nil
}

// permit refuses a right token of the wrong kind: players' tokens open no operation of admins, and theirs no other.
func (s *server) permit(c echo.Context, o operation, x *exchange) error {
	isAdmin := x.caller.Admin != nil
	switch {
	case o.auth == authAdmin && !isAdmin:
		if err := s.countFailure(c, o, x, "a player's token"); err != nil {
			return err
		}
		return fault.New(fault.NotAllowed, "this takes the token of an admin")
	case o.auth != authAdmin && isAdmin:
		return fault.New(fault.NotAllowed, "the token of an admin opens nothing here")
	default:
		return nil
	}
}

var errNoToken = fault.New(fault.NoToken, "")

// identify finds out whose token was sent. The fault is unauthenticated: two tokens, another scheme, something that is no
// token, or one that nobody holds.
func (s *server) identify(ctx context.Context, sent []string, x *exchange) error {
	if len(sent) != 1 {
		return errNoToken
	}
	scheme, secret, _ := strings.Cut(sent[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return errNoToken
	}
	secret = strings.TrimSpace(secret)
	if token, formed := profile.ParseToken(secret); formed {
		holder, err := s.devices.Identify(ctx, token)
		x.caller.Profile, x.caller.Device, x.caller.Token, x.locale = holder.Profile, holder.ID, holder.Hash, holder.Locale
		return err
	}
	if token, formed := admin.ParseToken(secret); formed {
		who, err := s.admins.Identify(ctx, token)
		if err == nil {
			x.caller.Admin = &who
		}
		return err
	}
	return errNoToken
}
