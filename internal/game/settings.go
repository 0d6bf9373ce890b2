package game

import (
	"fmt"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// Settings are the house rules a game is played by. A game keeps those it started with. Two that are equal by == say
// the same.
type Settings struct {
	AlternateFirstMove bool
	FirstPlayer        string        // houserule.SeatOrder or houserule.Random
	MoveTimeLimit      time.Duration // whole seconds; 0: none but the long stop
	EndDeadPositions   bool          // whether a dead position is a draw at once
	OnTimeout          string        // houserule.CPUMove or houserule.Loss
	CPUCover           bool          // whether the CPU plays for an owner who is away
	CoverGrace         time.Duration // silence after which an owner is away; whole seconds, at least one
	CoverLevel         string        // of the CPU that covers

	// foreign is what another release wrote and this one doesn't know, as the members of a JSON object in the order of
	// their keys: rules, and values of rules that are known. Such a rule's own field has the standard default.
	foreign string
}

// Equal reports whether two settings say the same, as == does; what compares fields one by one can't see all of them.
func (s Settings) Equal(other Settings) bool { return s == other }

// rules are all house rules, in the order of the catalogue: where each stands in Settings. Everything that goes through
// the rules one by one goes through this table, so that a rule is named here and nowhere else.
var rules = []rule{
	toggle(houserule.AlternateFirstMove, func(s *Settings) *bool { return &s.AlternateFirstMove }),
	choice(houserule.FirstPlayer, func(s *Settings) *string { return &s.FirstPlayer }),
	seconds(houserule.MoveTimeLimit, 0, func(s *Settings) *time.Duration { return &s.MoveTimeLimit }),
	toggle(houserule.EndDeadPositions, func(s *Settings) *bool { return &s.EndDeadPositions }),
	choice(houserule.OnTimeout, func(s *Settings) *string { return &s.OnTimeout }),
	toggle(houserule.CPUCover, func(s *Settings) *bool { return &s.CPUCover }),
	seconds(houserule.CoverGrace, 1, func(s *Settings) *time.Duration { return &s.CoverGrace }),
	choice(houserule.CoverLevel, func(s *Settings) *string { return &s.CoverLevel }),
}

// Defaults returns the settings of a table whose host chose nothing.
func Defaults(catalogue houserule.Catalogue) Settings {
	s := standard
	for _, r := range rules {
		r.set(&s, catalogue.Default(r.key)) // the catalogue has options that are known, and no others
	}
	return s
}

// standard are the settings by the catalogue that a new service starts with.
var standard = func() (s Settings) {
	catalogue := houserule.Standard()
	for _, r := range rules {
		r.set(&s, catalogue.Default(r.key))
	}
	return s
}()

// RuleKeys returns the keys of all house rules, in the order of the catalogue.
func RuleKeys() []houserule.Key {
	keys := make([]houserule.Key, 0, len(rules))
	for _, r := range rules {
		keys = append(keys, r.key)
	}
	return keys
}

// Value returns the option that stands for a rule, as the catalogue writes it; "" for a rule that there isn't. One that
// this release doesn't know is returned as it is stored.
func (s Settings) Value(key houserule.Key) string {
	r, known := ruleOf(key)
	if !known {
		return ""
	}
	if value, foreign := s.foreignValue(key); foreign {
		return value
	}
	return r.get(&s)
}

// With returns the settings with another value of a rule. The error says that there is no such rule, or that it doesn't
// know the value; whether a host may choose it is houserule.Catalogue.Choose's to say.
func (s Settings) With(key houserule.Key, value string) (Settings, error) {
	r, known := ruleOf(key)
	if !known || !r.set(&s, value) {
		return Settings{}, fmt.Errorf("there is no house rule %s that knows %q", key, value)
	}
	return s.withoutForeign(key), nil
}

func ruleOf(key houserule.Key) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.key == key })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}
