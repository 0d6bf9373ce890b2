package table

import (
	"fmt"
	"io"
	"strings"
)

// InviteCode opens the free seat of a private table: ten characters of Crockford's base 32, 50 random bits, in
// capitals. The alphabet leaves out I, L, O and U (Douglas Crockford, "Base 32").
type InviteCode string

const (
	inviteLength = 10
	alphabet     = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// NewInviteCode draws a code.
func NewInviteCode(random io.Reader) (InviteCode, error) {
	var raw [inviteLength]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw an invite code: %w", err)
	}
	code := make([]byte, inviteLength)
	for i, b := range raw {
		code[i] = alphabet[int(b)%len(alphabet)] // 256 is a multiple of 32: no character is likelier
	}
	return InviteCode(code), nil
}

// ParseInviteCode reads a code as a person typed it: in capitals or small letters, O for 0, I or L for 1. What is
// no code at all comes back as one that no table has.
func ParseInviteCode(text string) InviteCode {
	return InviteCode(strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(text)))
}
