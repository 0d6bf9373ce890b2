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

// authenticate finds out who is asking. A wrong token is refused also where none is needed.
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
	state, err := s.identify(c.Request().Context(), sent, x)
	state.write(c.Response().Header())
	if fault.Is(err, fault.NoToken) {
		s.logFailure(c, o, x, "unknown token")
		return &authError{
			fault:     fault.New(fault.NoToken, "the token is not known here"),
			challenge: challengeWrong,
		}
	}
	return err
}

// logFailure logs where somebody tried to get in as an admin: the address, never what was sent.
func (s *server) logFailure(c echo.Context, o operation, x *exchange, reason string) {
	if o.auth == authAdmin {
		s.deps.Logger.WarnContext(c.Request().Context(), "an admin's login failed", slog.String("reason", reason),
			slog.String("address", x.caller.Address), slog.String("operation", o.id), slog.String("request_id", x.id))
	}
}

// permit refuses a right token of the wrong kind: players' tokens open no operation of admins, which counts as a failure,
// and theirs no other.
func (s *server) permit(c echo.Context, o operation, x *exchange) error {
	isAdmin := x.caller.Admin != nil
	switch {
	case o.auth == authAdmin && !isAdmin:
		state, err := s.limits.failed(x.caller.Address)
		state.write(c.Response().Header())
		if err != nil {
			return err
		}
		s.logFailure(c, o, x, "a player's token")
		return fault.New(fault.NotAllowed, "this takes the token of an admin")
	case o.auth != authAdmin && isAdmin:
		return fault.New(fault.NotAllowed, "the token of an admin opens nothing here")
	default:
		return nil
	}
}

var errNoToken = fault.New(fault.NoToken, "")

// identify finds out whose token was sent. The fault is unauthenticated: two tokens, another scheme, something that is no
// token, or one that nobody holds; that counts as a failure of the address, of which the state is. Past the limit on these
// it is rate_limited.
func (s *server) identify(ctx context.Context, sent []string, x *exchange) (limitState, error) {
	secret := bearerOf(sent)
	if token, formed := profile.ParseToken(secret); formed {
		look := func() error {
			holder, err := s.devices.Identify(ctx, token)
			x.caller.Profile, x.caller.Device, x.caller.Token, x.locale = holder.Profile, holder.ID, holder.Hash, holder.Locale
			return err
		}
		if !s.devices.Recalls(token) {
			return s.limits.lookUpToken(ctx, x.caller.Address, look)
		}
		if err := look(); !fault.Is(err, fault.NoToken) {
			return limitState{}, err
		}
	}
	if token, formed := admin.ParseToken(secret); formed {
		return s.limits.lookUpToken(ctx, x.caller.Address, func() error {
			who, err := s.admins.Identify(ctx, token)
			if err == nil {
				x.caller.Admin = &who
			}
			return err
		})
	}
	state, err := s.limits.failed(x.caller.Address)
	if err != nil {
		return state, err
	}
	return state, errNoToken
}

// bearerOf returns the secret of the one header that carries it; nothing from any other.
func bearerOf(sent []string) string {
	if len(sent) != 1 {
		return ""
	}
	scheme, secret, _ := strings.Cut(sent[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(secret)
}
