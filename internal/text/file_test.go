package text_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestMain(m *testing.M) {
	if err := text.Broken(); err != nil { // said once, before every test panics
		panic(err)
	}
	m.Run()
}

// Translators read this test's output: it says in words what a file lacks.
func TestEveryLanguageHasAWholeFile(t *testing.T) {
	t.Parallel()
	english := written(t, text.English)
	for _, l := range text.Languages() {
		t.Run(string(l), func(t *testing.T) {
			t.Parallel()
			f := languageFile{language: l, texts: written(t, l), english: english}
			for _, complaint := range slices.Concat(f.checkName(), f.checkKeys(), f.checkForms(), f.checkContract(), f.checkSetting()) {
				t.Errorf("languages/%s.yaml: %s", l, complaint)
			}
		})
	}
}

// languageFile is the file of a language, beside the English one.
type languageFile struct {
	language       text.Language
	texts, english map[string]*i18n.Message
}

// checkName looks for the file under a name by which its language is found.
func (f languageFile) checkName() []string {
	_, err := profile.ParseLocale(string(f.language))
	if err != nil || text.Choose(string(f.language), "", "") != f.language {
		return []string{"its name must be the tag of a language alone, like de.yaml"}
	}
	return nil
}

// checkKeys compares the keys of the file with those the program asks for.
func (f languageFile) checkKeys() []string {
	asked, missing := text.Asked(f.language)
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(asked)) {
		switch english := f.english[key]; {
		case f.texts[key] != nil:
		case english == nil:
			wrong = append(wrong, "lacks "+key)
		default:
			wrong = append(wrong, fmt.Sprintf("lacks %s, in English %q", key, english.Other))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f.texts)) {
		if _, read := asked[key]; !read {
			wrong = append(wrong, "has "+key+", which nothing reads")
		}
	}
	if missing != nil && len(wrong) == 0 {
		wrong = append(wrong, missing.Error())
	}
	return wrong
}

// checkForms compares the placeholders and the forms of each text with what fills them.
func (f languageFile) checkForms() []string {
	counted, err := text.PluralForms(f.language)
	if err != nil {
		return []string{err.Error()}
	}
	asked, _ := text.Asked(f.language)
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(f.texts)) {
		forms, need := formsOf(f.texts[key]), map[string]int{"other": 0}
		if slices.Contains(asked[key], "Count") {
			need = counted
		}
		for form, number := range need {
			if forms[form] == "" {
				wrong = append(wrong, fmt.Sprintf("%s lacks the form %q, as for %d", key, form, number))
			}
		}
		for form, said := range forms {
			wrong = append(wrong, checkForm(key, form, said, need, asked[key])...)
		}
	}
	return wrong
}

func checkForm(key, form, said string, need map[string]int, asked []string) []string {
	var wrong []string
	if _, has := need[form]; !has {
		wrong = append(wrong, fmt.Sprintf("%s has the form %q, and no number takes it", key, form))
	}
	if holds := placeholdersOf(said); !slices.Equal(asked, holds) {
		wrong = append(wrong, fmt.Sprintf("%s (%s) has the placeholders %v, not %v", key, form, holds, asked))
	}
	return wrong
}

// checkContract compares the texts with the English ones: what stands between backticks is of the contract, the same in
// every language.
func (f languageFile) checkContract() []string {
	var wrong []string
	for key, english := range f.english {
		said := f.texts[key]
		if said == nil {
			continue
		}
		if want, has := codes(english.Other), codes(said.Other); !slices.Equal(want, has) {
			wrong = append(wrong, fmt.Sprintf("%s names %v of the contract, and must name %v", key, has, want))
		}
		if strings.Count(english.Other, "\n") != strings.Count(said.Other, "\n") {
			wrong = append(wrong, key+" has other paragraphs than in English")
		}
		prose := asWritten.ReplaceAllString(said.Other, "")
		if f.language != text.English && said.Other == english.Other && key != day && strings.Count(prose, " ") > 1 {
			wrong = append(wrong, key+" is not translated")
		}
	}
	return wrong
}

// day is the one text that is no prose, quotes is the one that only tests read.
const (
	day    = "rules.updated"
	quotes = "writing.quotes"
)

var (
	careless  = regexp.MustCompile(` {2}| [,.;:!?]|\.\.\.|^\s|\s$|--`)
	quoting   = regexp.MustCompile(`["'“”„«»‘’‚‹›]`)
	asWritten = regexp.MustCompile("`[^`]*`|{{[^}]*}}")
)

// checkSetting looks for typing mistakes, and for other quotation marks and letters than the language has.
func (f languageFile) checkSetting() []string {
	if f.texts[quotes] == nil {
		return nil // checkKeys says so
	}
	var wrong []string
	scripts := scriptsIn(f.texts["game.name"])
	for key, message := range f.texts {
		if key == day || key == quotes {
			continue
		}
		for _, said := range formsOf(message) {
			for _, complaint := range f.checkProse(said, scripts) {
				wrong = append(wrong, key+" "+complaint)
			}
		}
	}
	return wrong
}

func (f languageFile) checkProse(said string, scripts []*unicode.RangeTable) []string {
	prose := asWritten.ReplaceAllString(said, "x")
	var wrong []string
	if found := careless.FindString(prose); found != "" {
		wrong = append(wrong, fmt.Sprintf("is set carelessly: %q", found))
	}
	for _, mark := range quoting.FindAllString(prose, -1) {
		if !strings.Contains(f.texts[quotes].Other, mark) {
			wrong = append(wrong, fmt.Sprintf("has %s, which isn't among %s", mark, quotes))
		}
	}
	if word := twoAlphabets(asWritten.ReplaceAllString(said, " ")); word != "" {
		wrong = append(wrong, fmt.Sprintf("mixes letters that look alike: %q", word))
	}
	if len(scripts) > 0 && !strings.ContainsFunc(said, func(r rune) bool { return unicode.In(r, scripts...) }) {
		wrong = append(wrong, "has no letter of the kind that the name of the game is written in")
	}
	return wrong
}

// alike are the scripts that have letters which look the same, like а and a.
var alike = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek}

// twoAlphabets returns a word that has letters of two such scripts; empty: there is none.
func twoAlphabets(prose string) string {
	for word := range strings.FieldsFuncSeq(prose, func(r rune) bool { return !unicode.IsLetter(r) }) {
		scripts := slices.DeleteFunc(slices.Clone(alike), func(script *unicode.RangeTable) bool {
			return !strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(script, r) })
		})
		if len(scripts) > 1 {
			return word
		}
	}
	return ""
}

// scriptsIn returns the scripts a text is written in.
func scriptsIn(m *i18n.Message) []*unicode.RangeTable {
	if m == nil {
		return nil
	}
	var scripts []*unicode.RangeTable
	for name, script := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && strings.ContainsFunc(m.Other, func(r rune) bool { return unicode.Is(script, r) }) {
			scripts = append(scripts, script)
		}
	}
	return scripts
}

func codes(said string) []string {
	return slices.Sorted(slices.Values(codesIn.FindAllString(said, -1)))
}

var codesIn = regexp.MustCompile("`[^`]*`")

func written(t *testing.T, l text.Language) map[string]*i18n.Message {
	t.Helper()
	messages, err := text.Written(l)
	require.NoError(t, err)
	require.NotEmpty(t, messages)
	return messages
}

// formsOf returns the forms of a text that are there.
func formsOf(m *i18n.Message) map[string]string {
	forms := map[string]string{"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many, "other": m.Other}
	maps.DeleteFunc(forms, func(_, said string) bool { return said == "" })
	return forms
}

var placeholder = regexp.MustCompile(`{{\s*\.(\w+)\s*}}`)

func placeholdersOf(said string) []string {
	var names []string
	for _, found := range placeholder.FindAllStringSubmatch(said, -1) {
		names = append(names, found[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestAFileIsToldWhatItLacks(t *testing.T) {
	t.Parallel()
	english := written(t, text.English)
	texts := maps.Clone(written(t, "ru"))
	delete(texts, "game.name")
	texts["game.nickname"] = &i18n.Message{ID: "game.nickname", Other: "Игра"}
	texts["unit.seconds"] = &i18n.Message{ID: "unit.seconds", One: "{{.Count}} секунда", Two: "{{.Count}} секунды", Other: "секунд"}
	texts["problem.malformed_json.title"] = english["problem.malformed_json.title"]
	texts["problem.invalid_request.meaning"] = &i18n.Message{ID: "", Other: "Поле \"x\" ,  нет"}
	texts["picture.nobody"] = &i18n.Message{ID: "", Other: "Удалённый игpок"} // with a Latin p
	f := languageFile{language: "ru", texts: texts, english: english}
	said := strings.Join(slices.Concat(f.checkKeys(), f.checkForms(), f.checkContract(), f.checkSetting()), "\n")
	for _, complaint := range []string{
		`lacks game.name, in English "Four in a Row"`, "has game.nickname, which nothing reads",
		`unit.seconds lacks the form "few", as for 2`, `unit.seconds has the form "two", and no number takes it`,
		"unit.seconds (other) has the placeholders [], not [Count]", "problem.malformed_json.title is not translated",
		"problem.invalid_request.meaning names [] of the contract, and must name [`errors`]",
		"problem.invalid_request.meaning is set carelessly", `problem.invalid_request.meaning has ", which isn't among writing.quotes`,
		`picture.nobody mixes letters that look alike: "игpок"`,
	} {
		assert.Contains(t, said, complaint)
	}
	texts["game.name"] = written(t, "ru")["game.name"]
	assert.Contains(t, f.checkSetting(), "problem.malformed_json.title has no letter of the kind that the name of the game is written in")
	f.language = "ru-RU"
	assert.NotEmpty(t, f.checkName())
}
