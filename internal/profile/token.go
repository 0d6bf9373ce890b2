package profile

import (
	"fmt"
	"io"

	"github.com/fourinarow/fourinarow/internal/secret"
)

// Token is the bearer secret of a device: "fir_" and 256 random bits in unpadded base64url.
type Token string

// TokenHash is the SHA-256 of a token, all that is stored of it.
type TokenHash = secret.Hash

const tokenPrefix = "fir_"

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
