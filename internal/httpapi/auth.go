package httpapi

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

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
		if o.auth == authRequired {
			state, err := s.limits.anonymous(x.caller.Address)
			state.write(c.Response().Header())
			if err != nil {
				return err
			}
			return &authError{
				fault:     fault.New(fault.Unauthenticated, fault.NoToken, "this needs a token"),
				challenge: challengeMissing,
			}
		}
		return nil
	}
	device, err := s.identify(c, sent)
	if errors.Is(err, errNoToken) {
		state, limited := s.limits.failed(x.caller.Address)
		state.write(c.Response().Header())
		if limited != nil {
			return limited
		}
		return &authError{
			fault:     fault.New(fault.Unauthenticated, fault.NoToken, "the token is not known here"),
			challenge: challengeWrong,
		}
	}
	if err != nil {
		return err
	}
	x.caller.Profile, x.caller.Device = device.Profile, device.ID
	return nil
}

var errNoToken = &fault.Error{Kind: fault.Unauthenticated, Code: fault.NoToken, Message: "", Pointer: ""}

// identify returns the device whose token was sent. The fault is unauthenticated: two tokens, another scheme,
// something that is no token, or one that nobody holds.
func (s *server) identify(c echo.Context, sent []string) (profile.Device, error) {
	if len(sent) != 1 {
		return profile.Device{}, errNoToken
	}
	scheme, secret, _ := strings.Cut(sent[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return profile.Device{}, errNoToken
	}
	token, formed := profile.ParseToken(strings.TrimSpace(secret))
	if !formed {
		return profile.Device{}, errNoToken
	}
	return s.profiles.Identify(c.Request().Context(), token)
}
