package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/text"
)

// printed runs the program and returns what it wrote and its exit code.
func printed(t *testing.T, environ []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs strings.Builder
	code = program{args: args, environ: environ, stdout: &out, stderr: &errs}.run(t.Context())
	return out.String(), errs.String(), code
}

func TestTheRulesArePrintedInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, l := range text.Languages() {
		page, _, code := printed(t, nil, "rules", "--lang", string(l))
		assert.Equal(t, exitOK, code)
		told := strings.Join(strings.Fields(page), " ")
		rules := text.RulesOf(l, houserule.Standard())
		boards := 0
		for _, s := range rules.Sections {
			assert.Contains(t, told, s.Title)
			for _, p := range s.Paragraphs {
				assert.Contains(t, told, p)
			}
			for _, e := range s.Examples {
				boards++
				assert.Contains(t, told, e.Caption)
			}
		}
		assert.Equal(t, boards, strings.Count(page, " 1  2  3  4  5  6  7 \n"), "a board for each example")
		for _, said := range []string{rules.Summary, rules.AtAGlance, rules.Trademarks, rules.ReviewedBy, rules.Numbers[3].Text, rules.Terms[4].Meaning, rules.Defaults[1].Text} {
			assert.Contains(t, told, said)
		}
		for line := range strings.Lines(page) {
			assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), lineLength, line)
		}
		assert.NotContains(t, page, "\n\n\n")
		assert.NotContains(t, page, "\x1b", "no colours for a file")
	}
}

func TestAPrintedExampleIsDrawn(t *testing.T) {
	t.Parallel()
	page, _, _ := printed(t, nil, "rules")
	assert.Contains(t, page, `
| .  .  .  .  .  .  . |
| Y  Y  Y  .  .  .  . |
|[R][R][R][R] .  .  . |
+---------------------+
Four in a row, horizontal. Red wins.
`)
}

func TestTheRulesSpeakTheLanguageOfTheTerminal(t *testing.T) {
	t.Parallel()
	for environ, want := range map[string]text.Language{
		"LANG=pl_PL.UTF-8": "pl", "LC_ALL=ru": "ru", "LANG=C.UTF-8": text.English, "LANG=vo": text.English, "TERM=dumb": text.English,
	} {
		page, _, _ := printed(t, []string{environ}, "rules")
		assert.True(t, strings.HasPrefix(page, text.GameName(want)+"\n"), environ)
	}
	page, _, _ := printed(t, []string{"LANG=pl_PL.UTF-8"}, "rules", "--lang=de")
	assert.True(t, strings.HasPrefix(page, text.GameName("de")+"\n"), "what is asked for comes first")
}

func TestRulesInALanguageThereIsNot(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"rules", "--lang", "vo"}, {"rules", "--lang"}, {"rules", "pl"}, {"rules", "--language=pl"}} {
		page, complaint, code := printed(t, nil, args...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, page, args)
		assert.NotEmpty(t, complaint, args)
	}
	page, _, code := printed(t, nil, "rules", "--help")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, page, "the language: "+listed(text.Languages())+";")
}
