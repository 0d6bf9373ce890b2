package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// pageTexts is what the page of the rules is made of, in one language. Its Rules are those that no catalogue changes.
type pageTexts struct {
	Rules

	numbers              []countedNumber
	origins              map[houserule.Origin]string
	reasons              map[houserule.Key]string
	players, rankedDraws namedText
	leavingName, alone   string
	covered              message // counts seconds
	headings             Headings
	legend               message
}

type namedText struct{ name, text string }

type countedNumber struct {
	id    string
	value int
	text  message
}

// Headings stand over the parts of the page where it is shown whole.
type Headings struct {
	FirstGame, Numbers, Terms, Mistakes, Questions, Defaults, House, Sources, ReviewedBy, Operator, Updated string
}

// HeadingsOf returns the headings of the page.
func HeadingsOf(l Language) Headings { return in(l).page.headings }

// LegendOf says what the discs and marks in drawn examples are.
func LegendOf(l Language, red, yellow string) string {
	return in(l).page.legend.with(map[string]string{"Red": red, "Yellow": yellow})
}

// The sections in the order they are read in, each with its examples.
var ruleSections = []struct {
	id       string
	examples []RuleExample
}{
	{"aim", nil},
	{"board", nil},
	{"dropping", []RuleExample{
		{ID: "first_disc", Before: "", After: "4", Fields: []BoardField{{4, 1}}},
		{ID: "on_top", Before: "4", After: "44", Fields: []BoardField{{4, 2}}},
		{ID: "full_column", Before: "44444", After: "444444", Fields: []BoardField{{4, 6}}},
	}},
	{"winning", []RuleExample{
		{ID: "horizontal", Before: "112233", After: "1122334", Fields: []BoardField{{1, 1}, {2, 1}, {3, 1}, {4, 1}}},
		{ID: "vertical", Before: "3121212", After: "31212121", Fields: []BoardField{{1, 1}, {1, 2}, {1, 3}, {1, 4}}},
		{ID: "rising", Before: "1223433474", After: "12234334744", Fields: []BoardField{{1, 1}, {2, 2}, {3, 3}, {4, 4}}},
		{ID: "falling", Before: "7665455414", After: "76654554144", Fields: []BoardField{{4, 4}, {5, 3}, {6, 2}, {7, 1}}},
		{ID: "five", Before: "41216755", After: "412167553", Fields: []BoardField{{2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}},
	}},
	{"threats", []RuleExample{
		{ID: "block", Before: "51617", After: "516174", Fields: []BoardField{{4, 1}}},
		{ID: "two_threats", Before: "4455", After: "44553", Fields: []BoardField{{2, 1}, {6, 1}}},
	}},
	{"draw", []RuleExample{{
		ID: "full_board", Before: "52555577625274243742611123113674714333664", After: "525555776252742437426111231136747143336646",
		Fields: []BoardField{{6, 6}},
	}}},
	{"early_draw", []RuleExample{{
		ID: "dead", Before: "776426446246222466427715315331135", After: "7764264462462224664277153153311355",
		Fields: []BoardField{{5, 4}},
	}}},
	{"series", nil},
	{"away", nil},
}

// ruleNumbers is what is counted on the board.
var ruleNumbers = []struct {
	id    string
	value int
}{
	{"columns", 7},
	{"rows", 6},
	{"fields", 42},
	{"lines", 69},
	{"horizontal", 24},
	{"vertical", 21},
	{"diagonal", 24},
	{"discs", 21},
}

var ruleTerms = []string{"column", "row", "disc", "line", "threat", "dead_line", "cover", "draw"}

// ruleMistakes are what people often get wrong, each with the section that says more.
var ruleMistakes = []struct{ id, section string }{
	{"diagonals", "winning"},
	{"field", "dropping"},
	{"extra_turn", "dropping"},
	{"early_draw", "early_draw"},
	{"five", "winning"},
}

func pageOf(r *reader) pageTexts {
	p := pageTexts{
		Rules:   rulesTextOf(r),
		origins: make(map[houserule.Origin]string), reasons: make(map[houserule.Key]string),
		players:     namedText{r.text("rules.default.players.name"), r.text("rules.default.players.text")},
		rankedDraws: namedText{r.text("rules.default.ranked_draws.name"), r.text("rules.default.ranked_draws.text")},
		leavingName: r.text("rules.default.leaving.name"), alone: r.text("rules.default.leaving.alone"),
		covered:  r.message("rules.default.leaving.covered", countPlaceholder, "Level"),
		headings: headingsOf(r),
		legend:   r.message("rules.legend", "Red", "Yellow"),
	}
	for _, n := range ruleNumbers {
		p.numbers = append(p.numbers, countedNumber{n.id, n.value, r.message("rules.number."+n.id, countPlaceholder)})
	}
	for _, origin := range []houserule.Origin{houserule.Published, houserule.Service} {
		p.origins[origin] = r.text("rules.origin." + string(origin))
		p.Sources = append(p.Sources, RuleSource{
			Origin: origin, Title: r.text("rules.source." + string(origin) + ".title"), Text: r.text("rules.source." + string(origin) + ".text"),
		})
	}
	p.reasons[houserule.EndDeadPositions] = r.text("rules.reason." + string(houserule.EndDeadPositions))
	return p
}

func rulesTextOf(r *reader) Rules {
	page := Rules{
		Summary: r.text("rules.summary"), AtAGlance: atAGlance(r),
		Trademarks: r.text("rules.trademarks"), ReviewedBy: r.text("rules.reviewed_by"), Updated: r.date("rules.updated"),
	}
	for step := 1; step <= 4; step++ {
		page.FirstGame = append(page.FirstGame, r.text("rules.first_game.step_"+strconv.Itoa(step)))
	}
	for _, s := range ruleSections {
		at := "rules.section." + s.id
		section := RuleSection{ID: s.id, Title: r.text(at + ".title"), Paragraphs: strings.Split(r.text(at+".text"), "\n")}
		for _, e := range s.examples {
			e.Caption = r.text("rules.example." + e.ID)
			section.Examples = append(section.Examples, e)
		}
		page.Sections = append(page.Sections, section)
	}
	for _, id := range ruleTerms {
		at := "rules.term." + id
		page.Terms = append(page.Terms, RuleTerm{ID: id, Term: r.text(at + ".word"), Meaning: r.text(at + ".meaning")})
	}
	for _, m := range ruleMistakes {
		page.Mistakes = append(page.Mistakes, RuleMistake{ID: m.id, Text: r.text("rules.mistake." + m.id), Section: m.section})
	}
	const first = "rules.question.first_move."
	page.Questions = []RuleQuestion{{ID: "first_move", Question: r.text(first + "question"), Answer: r.text(first + "answer")}}
	return page
}

func atAGlance(r *reader) string {
	players := r.message("rules.players", countPlaceholder).count(Players)
	minutes := r.message("rules.minutes", "From", "To").with(map[string]string{"From": strconv.Itoa(MinutesFrom), "To": strconv.Itoa(MinutesTo)})
	return players + ", " + minutes
}

func headingsOf(r *reader) Headings {
	at := func(part string) string { return r.text("rules.heading." + part) }
	return Headings{
		FirstGame: at("first_game"), Numbers: at("numbers"), Terms: at("terms"), Mistakes: at("mistakes"), Questions: at("questions"),
		Defaults: at("defaults"), House: at("house_rules"), Sources: at("sources"), ReviewedBy: at("reviewed_by"),
		Operator: at("operator"), Updated: at("updated"),
	}
}

// numbersOf counts in words.
func (p pageTexts) numbersOf() []RuleNumber {
	all := make([]RuleNumber, 0, len(p.numbers))
	for _, n := range p.numbers {
		all = append(all, RuleNumber{ID: n.id, Value: n.value, Text: n.text.count(n.value)})
	}
	return all
}

// date reads a text that is a day.
func (r *reader) date(key string) time.Time {
	day, err := time.Parse(time.DateOnly, r.text(key))
	if err != nil {
		r.errs = append(r.errs, fmt.Errorf("text %s: %w", key, err))
	}
	return day
}
