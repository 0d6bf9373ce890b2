package houserule

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// Terms are what an admin decides about a rule; what the rule means is never among it.
type Terms struct {
	Default    string
	Options    []string // on offer
	Changeable bool
}

// Terms returns what an admin has decided about the rule.
func (r Rule) Terms() Terms {
	return Terms{Default: r.Default, Options: slices.Clone(r.Options), Changeable: r.Changeable}
}

// Equal reports whether two terms say the same.
func (t Terms) Equal(other Terms) bool {
	return t.Default == other.Default && t.Changeable == other.Changeable && slices.Equal(t.Options, other.Options)
}

// Check returns terms for the rule with the options in the order they are shown. The fault is invalid_rule: no option is
// left, the rule doesn't know one, one is named twice, or the default isn't among them.
func (r Rule) Check(t Terms) (Terms, error) {
	known := r.Known()
	if len(t.Options) == 0 {
		return Terms{}, invalid("/options", "%s needs at least one option on offer", r.Key)
	}
	for i, option := range t.Options {
		pointer := fmt.Sprintf("/options/%d", i)
		switch {
		case !slices.Contains(known, option):
			return Terms{}, invalid(pointer, "%s knows the options %s", r.Key, strings.Join(known, ", "))
		case slices.Contains(t.Options[:i], option):
			return Terms{}, invalid(pointer, "an option is named once")
		}
	}
	if !slices.Contains(t.Options, t.Default) {
		return Terms{}, invalid("/default", "the default must be on offer: %s", strings.Join(t.Options, ", "))
	}
	t.Options = inOrder(known, t.Options)
	return t, nil
}

// Under returns the rule under other terms, one version on.
func (r Rule) Under(t Terms, at time.Time) Rule {
	r.Default, r.Options, r.Changeable = t.Default, t.Options, t.Changeable
	r.Version, r.Updated = r.Version+1, at
	return r
}

func invalid(pointer, format string, args ...any) error {
	return fault.At(pointer, fault.InvalidRule, format, args...)
}
