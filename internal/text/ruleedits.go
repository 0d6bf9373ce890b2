package text

import "strings"

// RuleEdit is what an edit of a house rule comes to, for whoever has to put it into words.
type RuleEdit struct {
	Nothing    bool // it changes nothing
	Default    string
	Options    []string // on offer; at least one
	Changeable bool
	Kept       []KeptOption // what tables go on with that are open; those with the new default are left out
}

// KeptOption is how many open tables go on with an option.
type KeptOption struct {
	Option string
	Tables int
}

// editTexts is how edits are put into words in one language.
type editTexts struct {
	nothing                     string
	choice, oneChoice, noChoice message
	or                          message
	keep, keepToo               message // count tables
}

func editsOf(r *reader) editTexts {
	return editTexts{
		nothing:   r.text("rule_edit.nothing"),
		choice:    r.message("rule_edit.choice", "Default", "Options"),
		oneChoice: r.message("rule_edit.one_choice", "Default"), noChoice: r.message("rule_edit.no_choice", "Default"),
		or:   r.message("rule_edit.or", "Others", "Last"),
		keep: r.message("rule_edit.keep", countPlaceholder, "Option"), keepToo: r.message("rule_edit.keep_too", countPlaceholder, "Option"),
	}
}

// RuleEditMeaning says what an edit means for tables: those opened from now on, and those that are open. Options are
// called by their codes, which is what an admin writes.
func RuleEditMeaning(l Language, e RuleEdit) string {
	t := in(l).edits
	if e.Nothing {
		return t.nothing
	}
	said := t.fromNowOn(e)
	kept := make([]string, 0, len(e.Kept))
	for i, k := range e.Kept {
		clause := t.keepToo
		if i == 0 {
			clause = t.keep
		}
		kept = append(kept, clause.countWith(k.Tables, map[string]any{"Option": k.Option}))
	}
	if len(kept) > 0 {
		said += " " + strings.Join(kept, ", ") + "."
	}
	return said
}

func (t editTexts) fromNowOn(e RuleEdit) string {
	values := map[string]string{"Default": e.Default}
	last := len(e.Options) - 1
	switch {
	case !e.Changeable:
		return t.noChoice.with(values)
	case last == 0:
		return t.oneChoice.with(values)
	default:
		values["Options"] = t.or.with(map[string]string{"Others": strings.Join(e.Options[:last], ", "), "Last": e.Options[last]})
		return t.choice.with(values)
	}
}
