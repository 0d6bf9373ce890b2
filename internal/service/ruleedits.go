package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

// RuleRequest says which rule an admin wants to change, from which version, and why.
type RuleRequest struct {
	Key    houserule.Key
	Seen   int64 // the version the request was made for, which the rule must have; 0: the admin did not say
	Reason string
	DryRun bool // only answer what would change
}

// RuleChange is what an edit did, or would do.
type RuleChange struct {
	DryRun bool
	Before houserule.Rule
	After  houserule.Rule // the same as Before when nothing changes
	Kept   []houserule.Kept
}

// Now returns the rule as it is after the answer.
func (c RuleChange) Now() houserule.Rule {
	if c.DryRun {
		return c.Before
	}
	return c.After
}

// RuleConflictError is the fault precondition_failed with the rule as it is now.
type RuleConflictError struct {
	Fault *fault.Error
	Rule  houserule.Rule
}

// Error returns the code and the message of the fault.
func (c *RuleConflictError) Error() string { return c.Fault.Error() }

// Unwrap returns the fault.
func (c *RuleConflictError) Unwrap() error { return c.Fault }

// Rule returns a rule as it is kept. The fault is not_found.
func (s *HouseRules) Rule(ctx context.Context, c Caller, key houserule.Key) (houserule.Rule, error) {
	if _, err := administers(c); err != nil {
		return houserule.Rule{}, err
	}
	return s.rule(ctx, key)
}

// rule returns a rule that is kept and that the program knows.
func (s *HouseRules) rule(ctx context.Context, key houserule.Key) (houserule.Rule, error) {
	if _, err := houserule.Standard().Rule(key); err != nil {
		return houserule.Rule{}, err
	}
	return s.store.HouseRule(ctx, key)
}

// Edit puts a rule under other terms. An admin who repeats his own last edit is answered with the rule as it is. The
// faults are not_found, version_required, precondition_failed (a RuleConflictError), invalid_rule and invalid_request.
func (s *HouseRules) Edit(ctx context.Context, c Caller, r RuleRequest, t houserule.Terms) (RuleChange, error) {
	return s.edit(ctx, c, r, edit{restored: 0, terms: func(_ context.Context, rule houserule.Rule) (houserule.Terms, error) {
		return rule.Check(t)
	}})
}

// RollBack puts a rule under the terms of an earlier version, by a new version. The faults are those of Edit;
// invalid_rule also for a version that there is not, and one whose terms can't be honoured any more.
func (s *HouseRules) RollBack(ctx context.Context, c Caller, r RuleRequest, version int64) (RuleChange, error) {
	return s.edit(ctx, c, r, edit{restored: version, terms: func(ctx context.Context, rule houserule.Rule) (houserule.Terms, error) {
		return s.termsOf(ctx, rule, version)
	}})
}

// termsOf returns the terms that a rule had in a version, if they can still be honoured.
func (s *HouseRules) termsOf(ctx context.Context, rule houserule.Rule, version int64) (houserule.Terms, error) {
	const pointer = "/version"
	found, err := s.store.RuleVersions(ctx, rule.Key, version+1, 1)
	if err != nil {
		return houserule.Terms{}, err
	}
	if version > rule.Version || len(found) == 0 || found[0].Version != version {
		return houserule.Terms{}, fault.At(pointer, fault.InvalidRule, "%s has had no version %d", rule.Key, version)
	}
	terms, err := rule.Check(found[0].Terms)
	if f, refused := errors.AsType[*fault.Error](err); refused {
		return houserule.Terms{}, fault.At(pointer, fault.InvalidRule, "version %d is not valid any more: %s", version, f.Message)
	}
	return terms, err
}

// edit is how the terms come about that a rule is put under.
type edit struct {
	restored int64 // the version that a rollback goes back to; 0: it is none
	terms    func(context.Context, houserule.Rule) (houserule.Terms, error)
}

func (s *HouseRules) edit(ctx context.Context, c Caller, r RuleRequest, e edit) (RuleChange, error) {
	who, err := administers(c)
	if err != nil {
		return RuleChange{}, err
	}
	reason, err := houserule.ParseReason(r.Reason)
	if err != nil {
		return RuleChange{}, err
	}
	change, err := decide(func() (RuleChange, error) {
		rule, err := s.rule(ctx, r.Key)
		if err != nil {
			return RuleChange{}, err
		}
		switch {
		case r.Seen == 0:
			return RuleChange{}, fault.New(fault.VersionRequired, "If-Match names the one version that the edit was made for, by its ETag, like \"3\"")
		case r.Seen != rule.Version:
			return s.repeated(ctx, who, rule, r, e, reason)
		}
		return s.carryOut(ctx, who, rule, r, e, reason)
	})
	if err != nil {
		return RuleChange{}, err
	}
	if change.Kept, err = s.store.OpenTables(ctx, r.Key); err != nil {
		return RuleChange{}, err
	}
	return change, nil
}

// carryOut stores an edit of a rule as it is, unless it changes nothing or is only tried.
func (s *HouseRules) carryOut(ctx context.Context, who *admin.Admin, rule houserule.Rule, r RuleRequest, e edit, reason houserule.Reason) (RuleChange, error) {
	terms, err := e.terms(ctx, rule)
	if err != nil {
		return RuleChange{}, err
	}
	change := RuleChange{DryRun: r.DryRun, Before: rule, After: rule, Kept: nil}
	if terms.Equal(rule.Terms()) {
		return change, nil
	}
	now := s.clock()
	if rule.Version > 1 && !now.After(rule.Updated) { // the log tells the order of edits, whichever replica's clock is ahead
		now = rule.Updated.Add(time.Microsecond)
	}
	change.After = rule.Under(terms, now)
	if r.DryRun {
		return change, nil
	}
	id, err := newID(now, s.random)
	if err != nil {
		return RuleChange{}, err
	}
	err = s.store.SaveEdit(ctx, houserule.Entry{
		ID: id, At: now, Actor: string(who.Name), TokenID: string(who.ID), Key: rule.Key, Version: change.After.Version,
		Restored: e.restored, Before: rule.Terms(), After: terms, Reason: reason,
	})
	if err != nil {
		return RuleChange{}, wrap(err, "edit %s", rule.Key)
	}
	s.rules.edited(change.After)
	return change, nil
}

// repeated answers an edit that was made for another version than the rule has: with what it did, when it is the last
// edit sent again by who made it; else the fault is precondition_failed.
func (s *HouseRules) repeated(
	ctx context.Context, who *admin.Admin, rule houserule.Rule, r RuleRequest, e edit, reason houserule.Reason,
) (RuleChange, error) {
	last, err := s.store.RuleVersions(ctx, rule.Key, rule.Version+1, 2)
	if err != nil {
		return RuleChange{}, err
	}
	if len(last) == 2 && last[0].Version == rule.Version && r.Seen == last[1].Version && !r.DryRun &&
		last[0].Actor == string(who.Name) && last[0].Reason == reason && last[0].Restored == e.restored {
		terms, err := e.terms(ctx, rule)
		if err == nil && terms.Equal(last[0].Terms) {
			before := rule.Under(last[1].Terms, last[1].At)
			before.Version = last[1].Version
			return RuleChange{DryRun: false, Before: before, After: rule, Kept: nil}, nil
		}
	}
	return RuleChange{}, &RuleConflictError{
		Fault: fault.New(fault.PreconditionFailed, "%s is at version %d", rule.Key, rule.Version), Rule: rule,
	}
}
