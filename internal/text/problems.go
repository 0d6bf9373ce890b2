package text

import "github.com/fourinarow/fourinarow/internal/fault"

// Problem is a line of the error catalogue: what is said about one code.
type Problem struct {
	Code        fault.Code
	Title       string // what happened, at most 256 characters
	Description string // what it means and what to do next, at most 1,024 characters
}

// wording is what is said about a code in one language.
type wording struct{ title, description string }

// ProblemOf returns what is said about a code, and false for a code that there isn't. A language without a translation is
// answered in English.
func ProblemOf(code fault.Code, language Language) (Problem, bool) {
	if code.Kind() == 0 {
		return Problem{}, false
	}
	said := in(language).problems[code]
	return Problem{Code: code, Title: said.title, Description: said.description}, true
}

// Problems returns the whole catalogue, by code.
func Problems(language Language) []Problem {
	codes := fault.Codes()
	all := make([]Problem, 0, len(codes))
	for _, code := range codes {
		p, _ := ProblemOf(code, language)
		all = append(all, p)
	}
	return all
}

func problemsOf(r *reader) map[fault.Code]wording {
	codes := fault.Codes()
	all := make(map[fault.Code]wording, len(codes))
	for _, code := range codes {
		at := "problem." + string(code)
		all[code] = wording{title: r.text(at + ".title"), description: r.text(at + ".meaning")}
	}
	return all
}
