package houserule

import (
	"slices"
	"strings"

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

// The options of the rules that are not numbers.
const (
	SeatOrder = "seat_order" // FirstPlayer: seat 1 starts the first game
	Random    = "random"     // FirstPlayer: drawn once, for the first game
	CPUMove   = "cpu_move"   // OnTimeout: the CPU makes this one move
	Loss      = "loss"       // OnTimeout: the game is lost
	Easy      = "easy"       // CoverLevel, and the level of a CPU seat; so are the next three
	Medium    = "medium"
	Hard      = "hard"
	Perfect   = "perfect"
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

// Rule is one line of the catalogue.
type Rule struct {
	Key        Key
	Options    []string // on offer, in the order they are shown
	Default    string   // one of Options
	Changeable bool     // whether a host may choose for a table
	Origin     Origin
}

// Catalogue is the rules of the service at one moment.
type Catalogue struct{ rules []Rule }

// Standard returns the catalogue a new service starts with.
func Standard() Catalogue {
	return Catalogue{rules: []Rule{
		{Key: AlternateFirstMove, Options: []string{On, Off}, Default: On, Changeable: true, Origin: Published},
		{Key: FirstPlayer, Options: []string{SeatOrder, Random}, Default: SeatOrder, Changeable: true, Origin: Published},
		{Key: MoveTimeLimit, Options: []string{"0", "30", "60"}, Default: "0", Changeable: true, Origin: Service},
		{Key: EndDeadPositions, Options: []string{On, Off}, Default: On, Changeable: true, Origin: Service},
		{Key: OnTimeout, Options: []string{CPUMove, Loss}, Default: CPUMove, Changeable: true, Origin: Service},
		{Key: CPUCover, Options: []string{On, Off}, Default: On, Changeable: true, Origin: Service},
		{Key: CoverGrace, Options: []string{"20", "30", "60", "120"}, Default: "30", Changeable: false, Origin: Service},
		{Key: CoverLevel, Options: []string{Easy, Medium, Hard, Perfect}, Default: Medium, Changeable: false, Origin: Service},
	}}
}

// Rules returns the rules in the order they are shown.
func (c Catalogue) Rules() []Rule { return slices.Clone(c.rules) }

// Default returns the value of a rule at tables that do not choose, and "" for an unknown rule.
func (c Catalogue) Default(key Key) string {
	rule, _ := c.find(key)
	return rule.Default
}

// Choose checks a host's choice. The fault is rule_not_changeable or option_not_offered and points to the rule's
// place in a request's settings.
func (c Catalogue) Choose(key Key, option string) error {
	rule, found := c.find(key)
	pointer := "/settings/" + string(key)
	if !found || !rule.Changeable {
		return fault.At(pointer, fault.Refused, fault.RuleNotChangeable, "a host may not change %s", key)
	}
	if !slices.Contains(rule.Options, option) {
		return fault.At(pointer, fault.Refused, fault.OptionNotOffered, "%s offers %s", key, strings.Join(rule.Options, ", "))
	}
	return nil
}

// Levels returns the levels of the CPU on offer.
func (c Catalogue) Levels() []string {
	rule, _ := c.find(CoverLevel)
	return slices.Clone(rule.Options)
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
