package service

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// RuleVersionsPage is a page of the versions of a rule, newest first.
type RuleVersionsPage struct {
	Versions []houserule.Past
	Next     string // cursor of the next page; empty on the last
}

// AuditFilter says which edits to list; the zero value: all of them.
type AuditFilter struct {
	Actor string        // only this admin's
	Key   houserule.Key // only of this rule
	Since *time.Time    // only from this moment on …
	Until *time.Time    // … and before this one; any moment is one, also that of the zero time
}

// AuditPage is a page of the audit log, newest first.
type AuditPage struct {
	Entries []houserule.Entry
	Next    string // cursor of the next page; empty on the last
}

// Audit lists edits, newest first. The fault is invalid_request, about the cursor.
func (s *HouseRules) Audit(ctx context.Context, c Caller, f AuditFilter, limit int, cursor string) (AuditPage, error) {
	if _, err := administers(c); err != nil {
		return AuditPage{}, err
	}
	list := fmt.Sprintf("audit %q %q %s %s", f.Actor, f.Key, bound(f.Since), bound(f.Until))
	after, err := parseCursor(list, cursor)
	if err != nil {
		return AuditPage{}, err
	}
	found, err := s.store.AuditEntries(ctx, f, after, limit+1)
	if err != nil {
		return AuditPage{}, wrap(err, "list the audit log")
	}
	page := AuditPage{Entries: found, Next: ""}
	if len(found) > limit {
		page.Entries = found[:limit]
		last := found[limit-1]
		page.Next = formatCursor(list, Place{At: last.At, ID: last.ID})
	}
	return page, nil
}

// bound writes a bound of a filter; nil: there is none.
func bound(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return strconv.FormatInt(at.UnixMicro(), 10)
}

// History lists the versions of a rule, newest first. The faults are not_found, and invalid_request about the cursor.
func (s *HouseRules) History(ctx context.Context, c Caller, key houserule.Key, limit int, cursor string) (RuleVersionsPage, error) {
	if _, err := s.Rule(ctx, c, key); err != nil {
		return RuleVersionsPage{}, err
	}
	list := "versions " + string(key)
	after, err := parseCursor(list, cursor)
	if err != nil {
		return RuleVersionsPage{}, err
	}
	below := int64(math.MaxInt64)
	if after != (Place{}) { // the place is a version, written as a time
		below = after.At.UnixMicro()
	}
	found, err := s.store.RuleVersions(ctx, key, below, limit+1)
	if err != nil {
		return RuleVersionsPage{}, wrap(err, "list the versions of %s", key)
	}
	page := RuleVersionsPage{Versions: found, Next: ""}
	if len(found) > limit {
		page.Versions = found[:limit]
		page.Next = formatCursor(list, Place{At: time.UnixMicro(found[limit-1].Version).UTC(), ID: uuid.Nil.String()})
	}
	return page, nil
}
