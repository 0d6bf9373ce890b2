package text

import (
	"cmp"
	"slices"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// Problem is a line of the error catalogue: one code, one status.
type Problem struct {
	Code        fault.Code
	Status      int
	Title       string // what happened, at most 256 characters
	Description string // what it means and what to do next, at most 1,024 characters
}

// wording is what is said about a code in one language.
type wording struct{ title, description string }

// ProblemOf returns what is said about a code, and false for a code that is not in the catalogue. A language
// without a translation is answered in English.
func ProblemOf(code fault.Code, language Language) (Problem, bool) {
	status, known := statuses[code]
	if !known {
		return Problem{}, false
	}
	said := in(language).problems[code]
	return Problem{Code: code, Status: status, Title: said.title, Description: said.description}, true
}

// Problems returns the whole catalogue, by status and code.
func Problems(language Language) []Problem {
	all := make([]Problem, 0, len(statuses))
	for code := range statuses {
		p, _ := ProblemOf(code, language)
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return all
}

var statuses = map[fault.Code]int{
	fault.InvalidRequest:       400,
	fault.MalformedJSON:        400,
	fault.InvalidName:          400,
	fault.NoToken:              401,
	fault.NotAllowed:           403,
	fault.NotSeated:            403,
	fault.NotHost:              403,
	fault.RankedGameRunning:    403,
	fault.NotFound:             404,
	fault.CodeExpired:          404,
	fault.MethodNotAllowed:     405,
	fault.RequestTimeout:       408,
	fault.StalePly:             409,
	fault.NotYourTurn:          409,
	fault.TimeIsUp:             409,
	fault.GameFinished:         409,
	fault.GameRunning:          409,
	fault.StaleGame:            409,
	fault.StaleVersion:         409,
	fault.SeatTaken:            409,
	fault.TableClosed:          409,
	fault.TooManyTables:        409,
	fault.TooManyDevices:       409,
	fault.AlreadyMatched:       409,
	fault.QuickMatchWaiting:    409,
	fault.BodyTooLarge:         413,
	fault.UnsupportedMediaType: 415,
	fault.ColumnFull:           422,
	fault.ImpossibleMoves:      422,
	fault.RuleNotChangeable:    422,
	fault.OptionNotOffered:     422,
	fault.CPUTableNotRanked:    422,
	fault.ClientRefReused:      422,
	fault.InvalidRule:          422,
	fault.PreconditionFailed:   412,
	fault.VersionRequired:      428,
	fault.RateLimited:          429,
	fault.Internal:             500,
	fault.Away:                 503,
	fault.OutcomeUnknown:       503,
}

func problemsOf(r *reader) map[fault.Code]wording {
	all := make(map[fault.Code]wording, len(statuses))
	for code := range statuses {
		at := "problem." + string(code)
		all[code] = wording{title: r.text(at + ".title"), description: r.text(at + ".meaning")}
	}
	return all
}
