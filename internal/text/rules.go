package text

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// Rules is the page that explains the game, in one language.
type Rules struct {
	Name      string // of the game
	Summary   string // the game in two sentences
	AtAGlance string // for how many, and how long
	FirstGame []string
	Sections  []RuleSection
	Numbers   []RuleNumber
	Terms     []RuleTerm
	Mistakes  []RuleMistake
	Questions []RuleQuestion
	Defaults  []RuleDefault
	House     []PlayedRule
	Sources   []RuleSource
	// Trademarks says whose the names of boxed editions are.
	Trademarks string
	// ReviewedBy says how the page was checked.
	ReviewedBy string
	// Updated is when the texts or the catalogue were changed last.
	Updated time.Time
}

// Players is how many play a game, MinutesFrom and MinutesTo how long it takes.
const (
	Players     = 2
	MinutesFrom = 3
	MinutesTo   = 5
)

// RuleSection is a rule with its examples.
type RuleSection struct {
	ID         string
	Title      string
	Paragraphs []string
	Examples   []RuleExample
}

// RuleExample is a position and what becomes of it.
type RuleExample struct {
	ID            string
	Before, After string // moves strings
	Fields        []BoardField
	Caption       string
}

// BoardField is a field by its column and row, from 1.
type BoardField struct{ Column, Row int }

// RuleNumber is something that is counted.
type RuleNumber struct {
	ID    string
	Value int
	Text  string // with the value
}

// RuleTerm is a word and what it means.
type RuleTerm struct{ ID, Term, Meaning string }

// RuleMistake is what people often get wrong, put right, and the section that says more about it.
type RuleMistake struct{ ID, Text, Section string }

// RuleQuestion is a question and its answer.
type RuleQuestion struct{ ID, Question, Answer string }

// RuleDefault is how something is played where nobody has chosen otherwise. Key and Value are those of the house rule
// behind it, empty when there is none.
type RuleDefault struct {
	ID         string
	Name, Text string
	Key        houserule.Key
	Value      string
}

// PlayedRule is a house rule as the catalogue has it now, in words.
type PlayedRule struct {
	Rule       houserule.Rule
	Said       HouseRule
	OriginText string
	Reason     string // why there is the rule; empty where it needs none
	Options    []NamedOption
}

// NamedOption is an option and what it is called.
type NamedOption struct{ Option, Name string }

// RuleSource is where rules come from.
type RuleSource struct {
	Origin      houserule.Origin
	Title, Text string
}

// RulesOf returns the page, with the house rules of a catalogue.
func RulesOf(l Language, catalogue houserule.Catalogue) Rules {
	t := in(l)
	page := t.page.Rules
	page.Name = t.gameName
	page.Numbers = t.page.numbersOf()
	page.Defaults = t.defaultsOf(catalogue)
	for _, rule := range catalogue.Rules() {
		page.House = append(page.House, t.played(rule))
		if rule.Updated.After(page.Updated) {
			page.Updated = rule.Updated
		}
	}
	return page
}

// optionOf returns what an option of a rule is called.
func (t *texts) optionOf(key houserule.Key, option string) string {
	if called := t.rules[key].options[option]; called != "" {
		return called
	}
	if seconds, isNumber := secondsOf(option); isNumber {
		return t.seconds.count(seconds)
	}
	return option
}

func (t *texts) played(rule houserule.Rule) PlayedRule {
	played := PlayedRule{
		Rule: rule, Said: t.rules[rule.Key].HouseRule, OriginText: t.page.origins[rule.Origin], Reason: t.page.reasons[rule.Key],
		Options: make([]NamedOption, 0, len(rule.Options)),
	}
	for _, option := range rule.Options {
		played.Options = append(played.Options, NamedOption{Option: option, Name: t.optionOf(rule.Key, option)})
	}
	return played
}

// defaultsOf says how it is played at a table whose host has chosen nothing: first what people ask about, then the
// catalogue.
func (t *texts) defaultsOf(catalogue houserule.Catalogue) []RuleDefault {
	leaving := t.page.alone
	if catalogue.Default(houserule.CPUCover) == houserule.On {
		seconds, _ := secondsOf(catalogue.Default(houserule.CoverGrace))
		leaving = t.page.covered.countWith(seconds, map[string]any{
			"Level": t.optionOf(houserule.CoverLevel, catalogue.Default(houserule.CoverLevel)),
		})
	}
	defaults := []RuleDefault{
		{ID: "players", Name: t.page.players.name, Text: t.page.players.text},
		t.defaultOf("time_for_a_move", houserule.MoveTimeLimit, catalogue),
		{ID: "leaving", Name: t.page.leavingName, Text: leaving},
		{ID: "ranked_draws", Name: t.page.rankedDraws.name, Text: t.page.rankedDraws.text},
	}
	for _, rule := range catalogue.Rules() {
		if rule.Key != houserule.MoveTimeLimit {
			defaults = append(defaults, t.defaultOf(string(rule.Key), rule.Key, catalogue))
		}
	}
	return defaults
}

func (t *texts) defaultOf(id string, key houserule.Key, catalogue houserule.Catalogue) RuleDefault {
	value := catalogue.Default(key)
	return RuleDefault{ID: id, Name: t.rules[key].Name, Text: t.optionOf(key, value), Key: key, Value: value}
}
