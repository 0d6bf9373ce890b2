package table

import (
	"fmt"
	"io"

	"github.com/fourinarow/fourinarow/internal/profile"
)

// InviteCode opens the free seat of a private table; see profile.DrawCode.
type InviteCode string

// NewInviteCode draws a code.
func NewInviteCode(random io.Reader) (InviteCode, error) {
	code, err := profile.DrawCode(random)
	if err != nil {
		return "", fmt.Errorf("invite: %w", err)
	}
	return InviteCode(code), nil
}

// ParseInviteCode reads a code as a person typed it. What is no code at all comes back as one that no table has.
func ParseInviteCode(text string) InviteCode { return InviteCode(profile.ReadCode(text)) }
