package houserule

import (
	"slices"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/fault"
)

// Key names a rule.
type Key string

// The rules there are.
const (
	AlternateFirstMove Key = "alternate_first_move"
	FirstPlayer        Key = "first_player"
	MoveTimeLimit      Key = "move_time_limit_seconds"
	EndDeadPositions   Key = "end_dead_positions"
	OnTimeout          Key = "on_timeout"
	CPUCover           Key = "cpu_cover"
	CoverGrace         Key = "cover_grace_seconds"
	CoverLevel         Key = "cover_level"
)

// The options of the rules that are neither numbers nor levels of the CPU.
const (
	SeatOrder = "seat_order" // FirstPlayer: seat 1 starts the first game
	Random    = "random"     // FirstPlayer: drawn once, for the first game
	CPUMove   = "cpu_move"   // OnTimeout: the CPU makes this one move
	Loss      = "loss"       // OnTimeout: the game is lost
	On        = "on"
	Off       = "off"
)

// Origin says where a rule comes from.
type Origin string

// The origins.
const (
	Published Origin = "published" // as in the published rules of the game
	Service   Origin = "service"   // this service's own
)

// Kind says what a rule decides between.
type Kind string

// The kinds.
const (
	Toggle Kind = "switch" // on and off
	Choice Kind = "choice" // other options
)

// Rule is one line of the catalogue.
type Rule struct {
	Key        Key
	Options    []string // on offer, in the order they are shown
	Default    string   // one of Options
	Changeable bool     // whether a host may choose for a table
	Origin     Origin
	Version    int64     // grows with every edit, from 1
	Updated    time.Time // when the last edit was; zero in the Standard catalogue
}

// Known returns every option that the service understands, on offer or not, in the order they are shown.
func (r Rule) Known() []string {
	standard, _ := Standard().find(r.Key)
	return standard.Options
}

// Kind returns what the rule decides between.
func (r Rule) Kind() Kind {
	if slices.Equal(r.Known(), []string{On, Off}) {
		return Toggle
	}
	return Choice
}

// Catalogue is the rules of the service at one moment. Each rule the service knows is in it once.
type Catalogue struct{ rules []Rule }

// Standard returns the catalogue a new service starts with. Its options are all there are.
func Standard() Catalogue {
	return Catalogue{rules: []Rule{
		{Key: AlternateFirstMove, Options: []string{On, Off}, Default: On, Changeable: true, Origin: Published, Version: 1},
		{Key: FirstPlayer, Options: []string{SeatOrder, Random}, Default: SeatOrder, Changeable: true, Origin: Published, Version: 1},
		{Key: MoveTimeLimit, Options: []string{"0", "30", "60"}, Default: "0", Changeable: true, Origin: Service, Version: 1},
		{Key: EndDeadPositions, Options: []string{On, Off}, Default: On, Changeable: true, Origin: Service, Version: 1},
		{Key: OnTimeout, Options: []string{CPUMove, Loss}, Default: CPUMove, Changeable: true, Origin: Service, Version: 1},
		{Key: CPUCover, Options: []string{On, Off}, Default: On, Changeable: true, Origin: Service, Version: 1},
		{Key: CoverGrace, Options: []string{"20", "30", "60", "120"}, Default: "30", Changeable: false, Origin: Service, Version: 1},
		{Key: CoverLevel, Options: level.Names(), Default: level.Medium, Changeable: false, Origin: Service, Version: 1},
	}}
}

// Restore returns the catalogue of rules that were kept. What the service doesn't understand is left out: a rule or an
// option of another release. A rule that nothing is left of, or that was not kept, is the standard one.
func Restore(kept []Rule) Catalogue {
	c := Standard()
	for i, standard := range c.rules {
		for _, rule := range kept {
			if rule.Key == standard.Key {
				c.rules[i] = standard.restored(rule)
			}
		}
	}
	return c
}

// restored returns a kept rule as far as a standard one knows it.
func (r Rule) restored(kept Rule) Rule {
	known := inOrder(r.Options, kept.Options)
	switch {
	case len(known) == 0:
	case slices.Contains(known, kept.Default):
		r.Options, r.Default = known, kept.Default
	default:
		r.Options, r.Default = known, known[0]
	}
	r.Changeable, r.Version, r.Updated = kept.Changeable, kept.Version, kept.Updated
	return r
}

// inOrder returns the options that are among the known ones, in their order.
func inOrder(known, options []string) []string {
	return slices.DeleteFunc(slices.Clone(known), func(option string) bool { return !slices.Contains(options, option) })
}

// Rules returns the rules in the order they are shown.
func (c Catalogue) Rules() []Rule { return slices.Clone(c.rules) }

// Default returns the value of a rule at tables that do not choose, and "" for an unknown rule.
func (c Catalogue) Default(key Key) string {
	rule, _ := c.find(key)
	return rule.Default
}

// Rule returns a rule. The fault is not_found.
func (c Catalogue) Rule(key Key) (Rule, error) {
	rule, found := c.find(key)
	if !found {
		return Rule{}, fault.New(fault.NotFound, "there is no such rule")
	}
	return rule, nil
}

// With returns the catalogue with a rule as it is now, unless it has a newer version of it already.
func (c Catalogue) With(rule Rule) Catalogue {
	rules := c.Rules()
	for i, had := range rules {
		if had.Key == rule.Key && had.Version < rule.Version {
			rules[i] = rule
		}
	}
	return Catalogue{rules: rules}
}

// Choose checks a host's choice. The fault is rule_not_changeable or option_not_offered and points to the rule's
// place in a request's settings.
func (c Catalogue) Choose(key Key, option string) error {
	rule, found := c.find(key)
	pointer := "/settings/" + string(key)
	if !found || !rule.Changeable {
		return fault.At(pointer, fault.RuleNotChangeable, "a host may not change %s", key)
	}
	if !slices.Contains(rule.Options, option) {
		return fault.At(pointer, fault.OptionNotOffered, "%s offers %s", key, strings.Join(rule.Options, ", "))
	}
	return nil
}

func (c Catalogue) find(key Key) (Rule, bool) {
	for _, rule := range c.rules {
		if rule.Key == key {
			return rule, true
		}
	}
	return Rule{}, false
}

// Switch returns the option that stands for on or off.
func Switch(on bool) string {
	if on {
		return On
	}
	return Off
}
