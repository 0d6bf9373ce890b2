package houserule

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// Entry is one edit in the audit log: who, when, what, and why.
type Entry struct {
	ID       string // a UUID in canonical form
	At       time.Time
	Actor    string // the name of the admin …
	TokenID  string // … and of the token
	Key      Key
	Version  int64 // that the rule had after it
	Restored int64 // the version that a rollback went back to; 0: the edit was none
	Before   Terms
	After    Terms
	Reason   Reason
}

// Reason says why a rule was edited: one to MaxReasonLength characters, at least one of them visible.
type Reason string

// MaxReasonLength is the longest reason, in code points.
const MaxReasonLength = 500

// ParseReason reads a reason as an admin typed it; spaces at its ends are left out. The fault is invalid_request and
// points to /reason.
func ParseReason(text string) (Reason, error) {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, controls) {
		return "", badReason("a reason is text without control characters")
	}
	text = strings.TrimSpace(text)
	switch n := utf8.RuneCountInString(text); {
	case n > MaxReasonLength:
		return "", badReason("a reason has at most %d characters", MaxReasonLength)
	case !strings.ContainsFunc(text, isWord):
		return "", badReason("a reason says something")
	default:
		return Reason(text), nil
	}
}

// controls reports whether a character controls the text around it; lines may be broken.
func controls(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || unicode.In(r, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069')
}

func isWord(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }

func badReason(format string, args ...any) error {
	return fault.At("/reason", fault.InvalidRequest, format, args...)
}

// Past is a rule as it was in one of its versions.
type Past struct {
	Version  int64
	Terms    Terms
	At       time.Time // when it became so
	Actor    string    // empty for the first version, which nobody edited
	Reason   Reason
	Restored int64 // see Entry
}

// Kept counts the open tables that play by an option.
type Kept struct {
	Option string
	Tables int
}
