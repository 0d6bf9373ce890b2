package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/terminal"
	"github.com/fourinarow/fourinarow/internal/text"
)

// rules prints the page of the rules. It asks no database: its house rules are those a new service starts with.
func rules(p program, args []string) int {
	flags := flag.NewFlagSet("rules", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "fourinarow rules: the rules of the game, with pictures.\n\n")
		flags.PrintDefaults()
	}
	lang := flags.String("lang", "", "the language: "+listed(text.Languages())+"; without it that of LANG, or "+string(text.English))
	others, err := p.parse(flags, args)
	switch {
	case errors.Is(err, errHelp):
		return exitOK
	case err != nil:
		return p.misused("%v", err)
	case len(others) > 0:
		return p.misused("rules takes no %q", others[0])
	case *lang != "" && !slices.Contains(text.Languages(), text.Language(*lang)):
		return p.misused("--lang %q: want one of %s", *lang, listed(text.Languages()))
	}
	language := text.Language(*lang)
	if language == "" {
		language = text.Choose("", p.localeTag(), "")
	}
	screen := p.screen()
	page := rulesPage{
		screen: screen, headings: text.HeadingsOf(language), rules: text.RulesOf(language, houserule.Standard()),
		legend: text.LegendOf(language, screen.Disc(board.Red), screen.Disc(board.Yellow)),
	}
	if err = page.print(p.stdout); err != nil {
		return p.failed(err)
	}
	return exitOK
}

// localeTag returns the language of the terminal: "de-AT" for LANG=de_AT.UTF-8.
func (p program) localeTag() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := p.variable(name); locale != "" {
			locale, _, _ = strings.Cut(locale, ".")
			return strings.ReplaceAll(locale, "_", "-")
		}
	}
	return ""
}

// rulesPage is the rules on their way to a terminal.
type rulesPage struct {
	screen   terminal.Screen
	headings text.Headings
	rules    text.Rules
	legend   string
	out      strings.Builder
}

// print writes the whole page.
func (p *rulesPage) print(w io.Writer) error {
	r := p.rules
	p.heading(r.Name, "=")
	p.paragraph(r.Summary)
	p.paragraph(r.AtAGlance)
	p.heading(p.headings.FirstGame, "-")
	for i, step := range r.FirstGame {
		p.item(fmt.Sprintf("%d. ", i+1), step)
	}
	p.out.WriteByte('\n')
	p.paragraph(p.legend)
	for _, section := range r.Sections {
		if err := p.section(section); err != nil {
			return err
		}
	}
	p.lists()
	p.heading(p.headings.Sources, "-")
	for _, source := range r.Sources {
		p.item("- ", source.Title+": "+source.Text)
	}
	p.out.WriteByte('\n')
	p.paragraph(r.Trademarks)
	p.heading(p.headings.ReviewedBy, "-")
	p.paragraph(r.ReviewedBy)
	p.paragraph(p.headings.Updated + ": " + r.Updated.Format("2006-01-02"))
	_, err := io.WriteString(w, p.out.String())
	if err != nil {
		return fmt.Errorf("print the rules: %w", err)
	}
	return nil
}

// section prints a rule and draws its examples.
func (p *rulesPage) section(s text.RuleSection) error {
	p.heading(s.Title, "-")
	for _, paragraph := range s.Paragraphs {
		p.paragraph(paragraph)
	}
	for _, example := range s.Examples {
		position, err := board.Parse(example.After)
		if err != nil {
			return fmt.Errorf("draw example %s: %w", example.ID, err)
		}
		var marked []board.Field
		for _, f := range example.Fields {
			marked = append(marked, board.Field{Column: board.Column(f.Column), Row: f.Row})
		}
		p.out.WriteString(p.screen.Marked(position, marked))
		p.paragraph(example.Caption)
	}
	return nil
}

// lists prints what is told in short.
func (p *rulesPage) lists() {
	p.heading(p.headings.Numbers, "-")
	for _, n := range p.rules.Numbers {
		p.item("- ", n.Text)
	}
	p.heading(p.headings.Terms, "-")
	for _, t := range p.rules.Terms {
		p.item("- ", t.Term+": "+t.Meaning)
	}
	p.heading(p.headings.Mistakes, "-")
	for _, m := range p.rules.Mistakes {
		p.item("- ", m.Text)
	}
	p.heading(p.headings.Questions, "-")
	for _, q := range p.rules.Questions {
		p.paragraph(q.Question)
		p.paragraph(q.Answer)
	}
	p.heading(p.headings.Defaults, "-")
	for _, d := range p.rules.Defaults {
		p.item("- ", d.Name+": "+d.Text)
	}
	p.heading(p.headings.House, "-")
	for _, rule := range p.rules.House {
		p.item("- ", strings.TrimSpace(rule.Said.Name+" ("+rule.OriginText+"). "+rule.Said.Description+" "+rule.Reason))
	}
}

func (p *rulesPage) heading(title, line string) {
	if p.out.Len() > 0 && !strings.HasSuffix(p.out.String(), "\n\n") {
		p.out.WriteByte('\n')
	}
	fmt.Fprintf(&p.out, "%s\n%s\n\n", title, strings.Repeat(line, len([]rune(title))))
}

func (p *rulesPage) paragraph(said string) { p.out.WriteString(wrapped(said, "", "") + "\n\n") }

func (p *rulesPage) item(mark, said string) {
	p.out.WriteString(wrapped(said, mark, strings.Repeat(" ", len(mark))) + "\n")
}

// lineLength is how many characters a printed line has at most, a long word aside.
const lineLength = 78

// wrapped breaks a text into lines; the first begins with one indent, the others with another.
func wrapped(said, first, others string) string {
	var b strings.Builder
	line := first
	filled := false
	for word := range strings.FieldsSeq(said) {
		switch {
		case !filled:
			line += word
		case len([]rune(line))+1+len([]rune(word)) > lineLength:
			b.WriteString(line + "\n")
			line = others + word
		default:
			line += " " + word
		}
		filled = true
	}
	return b.String() + line
}
