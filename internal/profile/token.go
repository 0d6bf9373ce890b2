package profile

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// Token is the bearer secret of a device: "fir_" and 256 random bits in unpadded base64url.
type Token string

// TokenHash is the SHA-256 of a token, all that is stored of it.
type TokenHash [sha256.Size]byte

const (
	tokenPrefix = "fir_"
	tokenBytes  = 32
)

// NewToken draws a token.
func NewToken(random io.Reader) (Token, error) {
	secret := make([]byte, tokenBytes)
	if _, err := io.ReadFull(random, secret); err != nil {
		return "", fmt.Errorf("draw a token: %w", err)
	}
	return Token(tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)), nil
}

// ParseToken reads a token and reports whether it has the form of one.
func ParseToken(text string) (Token, bool) {
	secret, found := strings.CutPrefix(text, tokenPrefix)
	if !found {
		return "", false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	if err != nil || len(raw) != tokenBytes {
		return "", false
	}
	return Token(text), true
}

// Hash returns what is stored of the token.
func (t Token) Hash() TokenHash { return sha256.Sum256([]byte(t)) }

// String hides the secret, so that no log shows it.
func (Token) String() string { return tokenPrefix + "…" }
