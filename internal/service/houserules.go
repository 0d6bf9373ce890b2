package service

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// RuleStore keeps the catalogue of house rules.
type RuleStore interface {
	// AddRules stores those of the rules that aren't there, in their first version. What is there stays as it is.
	AddRules(ctx context.Context, rules []houserule.Rule, at time.Time) error
	// HouseRules returns the rules as they are, in any order.
	HouseRules(ctx context.Context) ([]houserule.Rule, error)
	// HouseRule returns a rule as it is. The fault is not_found.
	HouseRule(ctx context.Context, key houserule.Key) (houserule.Rule, error)
	// SaveEdit puts a rule under other terms and stores the edit in the log, in one transaction, if the rule has the
	// version before the entry's; else ErrChanged.
	SaveEdit(ctx context.Context, e houserule.Entry) error
	// RuleVersions returns the versions of a rule below one, newest first.
	RuleVersions(ctx context.Context, key houserule.Key, below int64, limit int) ([]houserule.Past, error)
	// AuditEntries returns edits after a place in the log, newest first.
	AuditEntries(ctx context.Context, f AuditFilter, after Place, limit int) ([]houserule.Entry, error)
	// OpenTables counts the open tables by the option of a rule that they play by, the most first.
	OpenTables(ctx context.Context, key houserule.Key) ([]houserule.Kept, error)
}

// catalogueFresh is how old what this process knows of the catalogue may be: the longest that an edit on another replica
// goes unnoticed. A worker reads it more often, so that a request needn't.
const catalogueFresh = 900 * time.Millisecond

// Catalogue knows the house rules as they are now, without a query for each who asks.
type Catalogue struct {
	store RuleStore
	clock func() time.Time

	known   atomic.Pointer[knownRules]
	reading chan struct{} // holds one while the store is read, and while what is known changes
}

// knownRules is the catalogue as it was at a moment.
type knownRules struct {
	rules houserule.Catalogue
	at    time.Time
}

// NewCatalogue returns one that has read nothing yet.
func NewCatalogue(store RuleStore, clock func() time.Time) *Catalogue {
	return &Catalogue{store: store, clock: clock, known: atomic.Pointer[knownRules]{}, reading: make(chan struct{}, 1)}
}

// Start stores the rules of this release that the database doesn't have yet, and reads the house rules. What another
// release has stored stays as it is.
func (c *Catalogue) Start(ctx context.Context) error {
	if err := c.store.AddRules(ctx, houserule.Standard().Rules(), c.clock()); err != nil {
		return wrap(err, "add the house rules of this release")
	}
	return c.Read(ctx)
}

// Now returns the house rules as they are now, at most catalogueFresh old.
func (c *Catalogue) Now(ctx context.Context) (houserule.Catalogue, error) {
	if known, fresh := c.fresh(); fresh {
		return known.rules, nil
	}
	if err := c.lock(ctx); err != nil {
		return houserule.Catalogue{}, err
	}
	defer c.unlock()
	if known, fresh := c.fresh(); fresh { // somebody else has read them meanwhile
		return known.rules, nil
	}
	return c.read(ctx)
}

func (c *Catalogue) fresh() (*knownRules, bool) {
	known := c.known.Load()
	if known == nil {
		return nil, false
	}
	age := c.clock().Sub(known.at)
	return known, age >= 0 && age <= catalogueFresh
}

// Read reads the house rules anew.
func (c *Catalogue) Read(ctx context.Context) error {
	if err := c.lock(ctx); err != nil {
		return err
	}
	defer c.unlock()
	_, err := c.read(ctx)
	return err
}

// lock waits until nobody else reads, or the caller has no time left.
func (c *Catalogue) lock(ctx context.Context) error {
	select {
	case c.reading <- struct{}{}:
		return nil
	case <-ctx.Done():
		return wrap(ctx.Err(), "wait for the house rules")
	}
}

func (c *Catalogue) unlock() { <-c.reading }

// read reads the house rules while c.reading is held. They count as of before the question.
func (c *Catalogue) read(ctx context.Context) (houserule.Catalogue, error) {
	asked := c.clock()
	kept, err := c.store.HouseRules(ctx)
	if err != nil {
		return houserule.Catalogue{}, wrap(err, "read the house rules")
	}
	rules := houserule.Restore(kept)
	c.known.Store(&knownRules{rules: rules, at: asked})
	return rules, nil
}

// edited takes note of an edit that this process has stored. A reader at the same time has begun before the edit
// and is waited for, or will find it.
func (c *Catalogue) edited(rule houserule.Rule) {
	c.reading <- struct{}{}
	defer c.unlock()
	if known := c.known.Load(); known != nil {
		c.known.Store(&knownRules{rules: known.rules.With(rule), at: known.at})
	}
}

// HouseRules is what a caller may ask about the house rules.
type HouseRules struct {
	store  RuleStore
	rules  *Catalogue
	clock  func() time.Time
	random io.Reader
}

// Catalogue returns the house rules as they are now.
func (s *HouseRules) Catalogue(ctx context.Context) (houserule.Catalogue, error) {
	return s.rules.Now(ctx)
}
