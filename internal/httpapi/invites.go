package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// GetInvite returns the table behind an invite code.
func (s *server) GetInvite(ctx context.Context, r api.GetInviteRequestObject) (api.GetInviteResponseObject, error) {
	c := callerOf(ctx)
	v, err := s.tables.Invited(ctx, c, table.ParseInviteCode(r.InviteCode))
	if err != nil {
		return nil, s.limits.countCode(c, err)
	}
	return api.GetInvite200JSONResponse(toTable(v)), nil
}

// countCode counts a request whose code opened nothing. It returns the error as it was, or rate_limited: who
// guesses too much is not even told that the guess was wrong.
func (l *limits) countCode(c service.Caller, err error) error {
	if !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.CodeExpired) {
		return err
	}
	if _, limited := l.failed(c.Address); limited != nil {
		return limited
	}
	return err
}
