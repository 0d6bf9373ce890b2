package text

import (
	"strconv"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// HouseRule is what is said about a house rule.
type HouseRule struct {
	Name        string // at most 64 characters
	Description string // what it means, at most 1,024 characters
}

// ruleWording is what is said about a rule in one language.
type ruleWording struct {
	HouseRule

	options map[string]string
}

// HouseRuleOf returns what is said about a house rule, and false for one that is not known.
func HouseRuleOf(key houserule.Key, l Language) (HouseRule, bool) {
	said, known := in(l).rules[key]
	return said.HouseRule, known
}

// OptionOf returns what an option of a house rule is called. One that has no name is a number of seconds, or is called
// as it is written.
func OptionOf(key houserule.Key, option string, l Language) string {
	return in(l).optionOf(key, option)
}

// secondsOf reads an option that is a number of seconds.
func secondsOf(option string) (int, bool) {
	seconds, err := strconv.Atoi(option)
	return seconds, err == nil
}

// hasName tells options that are called something from those that are a number of seconds.
func hasName(option string) bool {
	seconds, isNumber := secondsOf(option)
	return !isNumber || seconds == 0
}

func rulesOf(r *reader) map[houserule.Key]ruleWording {
	rules := houserule.Standard().Rules()
	all := make(map[houserule.Key]ruleWording, len(rules))
	for _, rule := range rules {
		at := "house_rule." + string(rule.Key)
		said := ruleWording{
			HouseRule: HouseRule{Name: r.text(at + ".name"), Description: r.text(at + ".meaning")},
			options:   make(map[string]string),
		}
		for _, option := range rule.Known() {
			if hasName(option) {
				said.options[option] = r.text(at + ".option." + option)
			}
		}
		all[rule.Key] = said
	}
	return all
}
