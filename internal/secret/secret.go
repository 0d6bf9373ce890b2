package secret

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// Hash is the SHA-256 of a secret, all that is stored of it.
type Hash [sha256.Size]byte

// size is the number of random bytes.
const size = 32

// Draw returns a new secret: the prefix and the random bits in unpadded base64url, 43 characters.
func Draw(prefix string, random io.Reader) (string, error) {
	raw := make([]byte, size)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	return prefix + base64.RawURLEncoding.EncodeToString(raw), nil
}

// WellFormed reports whether a text has the form of a secret with the prefix.
func WellFormed(prefix, text string) bool {
	encoded, found := strings.CutPrefix(text, prefix)
	if !found {
		return false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	return err == nil && len(raw) == size
}

// HashOf returns what is stored of a secret.
func HashOf(text string) Hash { return sha256.Sum256([]byte(text)) }
