package httpapi

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/text"
)

// statuses are those of the kinds of faults.
var statuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.Missing:         http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.Refused:         http.StatusUnprocessableEntity,
	fault.Limited:         http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Broken:          http.StatusInternalServerError,
}

// ownStatuses are those of the codes for which HTTP has a status of their own.
var ownStatuses = map[fault.Code]int{
	fault.MethodNotAllowed:     http.StatusMethodNotAllowed,
	fault.RequestTimeout:       http.StatusRequestTimeout,
	fault.PreconditionFailed:   http.StatusPreconditionFailed,
	fault.BodyTooLarge:         http.StatusRequestEntityTooLarge,
	fault.UnsupportedMediaType: http.StatusUnsupportedMediaType,
	fault.VersionRequired:      http.StatusPreconditionRequired,
}

// statusOf returns the status of a code.
func statusOf(code fault.Code) int {
	if status, own := ownStatuses[code]; own {
		return status
	}
	return statuses[code.Kind()]
}

// catalogued is a line of the error catalogue, with its status.
type catalogued struct {
	text.Problem
	Status int
}

// catalogueOf returns the error catalogue by status and code.
func catalogueOf(language text.Language) []catalogued {
	said := text.Problems(language)
	all := make([]catalogued, 0, len(said))
	for _, p := range said {
		all = append(all, catalogued{Problem: p, Status: statusOf(p.Code)})
	}
	slices.SortFunc(all, func(a, b catalogued) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return all
}
