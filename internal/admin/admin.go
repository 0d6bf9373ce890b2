package admin

import (
	"fmt"
	"io"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/fourinarow/fourinarow/internal/secret"
)

// ID names a token: a UUID in canonical form.
type ID string

// Admin is a token that was handed out, and to whom.
type Admin struct {
	ID      ID
	Name    Name
	Hash    TokenHash
	Created time.Time
	Revoked time.Time // zero while the token works
}

// Name says who edits: 1 to MaxNameLength letters, digits, and . _ @ -
type Name string

// MaxNameLength is the longest name, in code points.
const MaxNameLength = 64

// ParseName reads a name as an operator typed it.
func ParseName(text string) (Name, error) {
	if n := utf8.RuneCountInString(text); n < 1 || n > MaxNameLength {
		return "", fmt.Errorf("the name of an admin has 1 to %d characters", MaxNameLength)
	}
	for _, r := range text {
		switch {
		case r == unicode.ReplacementChar:
			return "", fmt.Errorf("the name of an admin is UTF-8 text")
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '.', r == '_', r == '@', r == '-':
		default:
			return "", fmt.Errorf("the name of an admin consists of letters, digits and . _ @ -, not of U+%04X", r)
		}
	}
	return Name(text), nil
}

// Token is the bearer secret of an admin: "fia_" and 256 random bits in unpadded base64url.
type Token string

// TokenHash is the SHA-256 of a token, all that is stored of it.
type TokenHash = secret.Hash

const tokenPrefix = "fia_"

// NewToken draws a token.
func NewToken(random io.Reader) (Token, error) {
	drawn, err := secret.Draw(tokenPrefix, random)
	if err != nil {
		return "", fmt.Errorf("draw a token: %w", err)
	}
	return Token(drawn), nil
}

// ParseToken reads a token and reports whether it has the form of one.
func ParseToken(text string) (Token, bool) {
	if !secret.WellFormed(tokenPrefix, text) {
		return "", false
	}
	return Token(text), true
}

// Hash returns what is stored of the token.
func (t Token) Hash() TokenHash { return secret.HashOf(string(t)) }

// String hides the secret, so that no log shows it.
func (Token) String() string { return tokenPrefix + "…" }
