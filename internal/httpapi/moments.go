package httpapi

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// writtenMoment is a date-time as people and programs write it in a query: all that RFC 3339 allows, and two things that it
// doesn't, no seconds and an offset without its colon. A plus that wasn't escaped is a space.
var writtenMoment = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:[Zz]|([+ -])(\d\d):?(\d\d))$`)

// canonicalMoment returns a date-time in the form that the contract names, at the offset it came with; what is none
// comes back as it is.
func canonicalMoment(text string) string {
	part := writtenMoment.FindStringSubmatch(text)
	if part == nil {
		return text
	}
	date, minute, second, sign, hours, minutes := part[1], part[2], part[3], part[4], part[5], part[6]
	if second == "" {
		second = ":00"
	}
	if leap, is := strings.CutPrefix(second, ":60"); is && strings.HasSuffix(minute, ":59") { // a leap second: the one before it again
		second = ":59" + leap
	}
	if sign == "" {
		return date + "T" + minute + second + "Z"
	}
	return date + "T" + minute + second + strings.Replace(sign, " ", "+", 1) + hours + ":" + minutes
}

// oneForm brings the times of a query into one form, for the validator and for the binder behind it.
func oneForm(r *http.Request, o operation, query url.Values) {
	changed := false
	for _, name := range o.moments {
		for i, sent := range query[name] {
			query[name][i] = canonicalMoment(sent)
			changed = changed || query[name][i] != sent
		}
	}
	if !changed {
		return
	}
	address := *r.URL // not in its place: a HEAD request shares it with the server's
	address.RawQuery = query.Encode()
	r.URL = &address
}

// momentForm is how RFC 3339 writes a date-time; time.Parse is content with less.
var momentForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

var errNoMoment = errors.New("no date-time")

// checkMoment accepts the date-times of RFC 3339 that are in the calendar; leap seconds have been taken out before.
func checkMoment(text string) error {
	if _, err := time.Parse(time.RFC3339, text); err != nil || !momentForm.MatchString(text) {
		return errNoMoment
	}
	return nil
}
