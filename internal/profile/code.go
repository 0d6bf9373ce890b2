package profile

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
)

// Codes that people read out and type: CodeLength characters of Crockford's base 32, 50 random bits, in capitals. The
// alphabet leaves out I, L, O and U (Douglas Crockford, "Base 32").
const (
	CodeLength = 10
	alphabet   = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// DrawCode draws a code.
func DrawCode(random io.Reader) (string, error) {
	var raw [CodeLength]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a code: %w", err)
	}
	code := make([]byte, CodeLength)
	for i, b := range raw {
		code[i] = alphabet[int(b)%len(alphabet)] // 256 is a multiple of 32: no character is likelier
	}
	return string(code), nil
}

// ReadCode reads a code as a person typed it: in capitals or small letters, in groups with spaces or hyphens between, O for
// 0, I or L for 1. What is no code at all comes back as one that nobody drew.
func ReadCode(text string) string {
	return strings.NewReplacer(" ", "", "-", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(text))
}

// DeviceCode lets one more device of a profile in, once.
type DeviceCode string

// CodeHash is the SHA-256 of a code, all that is stored of it.
type CodeHash [sha256.Size]byte

// Hash returns what is stored of the code.
func (c DeviceCode) Hash() CodeHash { return sha256.Sum256([]byte(c)) }

// String hides the secret, so that no log shows it.
func (DeviceCode) String() string { return "…" }
