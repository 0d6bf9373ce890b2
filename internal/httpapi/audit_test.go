package httpapi_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

func TestTheAuditLogIsReadByWhoWhatAndWhen(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, jan := w.admin(t, "ola"), w.admin(t, "Żółw@four.example")
		at := func() string { return url.QueryEscape(w.db.Clock.Now().Format(time.RFC3339)) }
		begun := at()
		ola.edits(t, limit, "30", allLimits, true)
		jan.edits(t, "cpu_cover", "off", []string{"on", "off"}, true)
		w.db.Clock.Advance(time.Minute)
		later := at()
		jan.edits(t, limit, "60", allLimits, true)
		ola.edits(t, "cpu_cover", "on", []string{"on"}, false)
		for query, want := range map[string][]string{
			"":                                         {"on", "60", "off", "30"},
			"actor=ola":                                {"on", "30"},
			"actor=" + url.QueryEscape(jan.name):       {"60", "off"},
			"actor=o":                                  nil,
			"key=" + limit:                             {"60", "30"},
			"key=gravity":                              nil,
			"since=" + later:                           {"on", "60"},
			"until=" + later:                           {"off", "30"},
			"since=" + begun + "&until=" + later:       {"off", "30"},
			"since=" + later + "&until=" + begun:       nil,
			"actor=ola&key=cpu_cover":                  {"on"},
			"actor=ola&since=" + later + "&key=x":      nil,
			"since=2026-03-17T13:01:00%2B01:00":        {"on", "60"},
			"until=0001-01-01T00:00:00Z":               nil,
			"since=0001-01-01T00:00:00Z":               {"on", "60", "off", "30"},
			"since=9999-12-31T23:59:59.999999999Z":     nil,
			"until=9999-12-31T23:59:59-23:59":          {"on", "60", "off", "30"},
			"since=0000-01-01T00:00:00%2B23:59":        {"on", "60", "off", "30"},
			"actor=%27%3BDROP/**/TABLE/**/audit_log--": nil,
		} {
			for _, size := range []string{"", "&limit=1"} {
				assert.Equal(t, want, defaultsIn(t, ola, query+size), query+size)
			}
		}
	})
}

// What generated clients send, and what is left of a plus that nobody escaped.
func TestAMomentIsReadInEveryWriting(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.admin(t, "ola")
		ola.edits(t, limit, "30", allLimits, true)
		w.db.Clock.Advance(time.Date(2026, 3, 17, 12, 1, 0, 0, time.UTC).Sub(w.db.Clock.Now()))
		ola.edits(t, limit, "60", allLimits, true)
		for _, moment := range []string{
			"2026-03-17T12:01:00Z", "2026-03-17t12:01:00z", "2026-03-17T12:01Z", "2026-03-17T12:01:00.000Z", "2026-03-17T12:01:00.0000000000000z",
			"2026-03-17T13:01:00%2B01:00", "2026-03-17T13:01:00+01:00", "2026-03-17T13:01:00%2001:00", "2026-03-17T12:01:00%2B0000",
			"2026-03-17T12:01:00+0000", "2026-03-17T12:01+00:00", "2026-03-17T12:01+0000", "2026-03-17T07:01-0500", "2026-03-17T12:01:00-00:00",
			"2026-03-17%2012:01:00Z", "2026-03-17+12:01:00%2B00:00",
		} {
			assert.Equal(t, []string{"60"}, defaultsIn(t, ola, "since="+moment), moment)
			assert.Equal(t, []string{"30"}, defaultsIn(t, ola, "until="+moment+"&key="+limit), moment)
			assert.Equal(t, http.StatusOK, ola.send(t, http.MethodHead, "/v1/admin/audit?since="+moment, "").status, moment)
		}
		assert.Equal(t, []string{"60"}, defaultsIn(t, ola, "since=2026-03-17T12:00:59.999999Z"))
		assert.Empty(t, defaultsIn(t, ola, "since=2026-03-17T12:01:01.5%2B0000"))
		assert.Equal(t, []string{"60"}, defaultsIn(t, ola, "since=2016-12-31T23:59:60Z&until=2026-03-17T12:02Z")[:1], "a leap second")
	}, standingStill)
}

// defaultsIn returns what the edits made of their rules, the last first.
func defaultsIn(t *testing.T, c chief, query string) []string {
	t.Helper()
	var got []string
	for _, e := range audited(t, c, query) {
		got = append(got, e.after.Default)
	}
	return got
}

func TestABadQueryOfTheAuditLogIsRefused(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.admin(t, "ola")
		ola.edits(t, limit, "30", allLimits, true)
		ola.edits(t, limit, "60", allLimits, true)
		first := decode[api.AuditEntryList](t, ola.get(t, "/v1/admin/audit?limit=1"), http.StatusOK)
		require.NotNil(t, first.NextCursor)
		for query, pointers := range map[string][]string{
			"since=yesterday":                       {"/query/since"},
			"until=2026-13-01T00:00:00Z":            {"/query/until"},
			"since=2026-02-01":                      {"/query/since"},
			"limit=0":                               {"/query/limit"},
			"limit=101":                             {"/query/limit"},
			"actor=two+words":                       {"/query/actor"},
			"actor=":                                {"/query/actor"},
			"actor=" + strings.Repeat("x", 65):      {"/query/actor"},
			"order=up":                              {"/query/order"},
			"cursor=x":                              {"/query/cursor"},
			"actor=ola&cursor=" + *first.NextCursor: {"/query/cursor"},
			"until=0001-01-01T00:00:00Z&cursor=" + *first.NextCursor: {"/query/cursor"},
			"actor=ola&actor=jan":                       {"/query/actor"},
			"key=" + strings.Repeat("x", 65):            {"/query/key"},
			"since=2026-01-01T00:00:00Z&until=" + "now": {"/query/until"},
		} {
			refused := ola.get(t, "/v1/admin/audit?"+query)
			assert.Equal(t, http.StatusBadRequest, refused.status, "%s: %s", query, refused.body)
			assert.Equal(t, pointers, pointersOf(refused.problem(t)), query)
		}
		for _, moment := range []string{
			"2026-02-30T00:00:00Z", "2026-03-17T12:00:60Z", "2026-03-17T24:00:00Z", "2026-03-17T12:00:00",
			"2026-03-17T1:00:00Z", "2026-03-17T12:00:00,5Z", "2026-03-17T12:00:00+24:00", "1773748800", "", "2026-03-17",
			"2026-03-17T12:00", "2026-03-17t12z", "2026-03-17T12:00:00+2400", "2026-03-17T12:00:00+01", "2026-03-17T12:00:00  01:00",
			"2026-03-17T12:00:00 Z", "2026-03-17T12:00:00.Z", "2026-03-17T12:00.5Z", "2026-03-17T12:00:00-0160", " 2026-03-17T12:00:00Z",
		} {
			for _, name := range []string{"since", "until"} {
				refused := ola.get(t, "/v1/admin/audit?"+name+"="+url.QueryEscape(moment))
				assert.Equal(t, http.StatusBadRequest, refused.status, "%s: %s", moment, refused.body)
				wrong := refused.problem(t).Errors
				if assert.Len(t, wrong, 1, moment) {
					assert.Equal(t, "/query/"+name, wrong[0].Pointer, moment)
					assert.Contains(t, wrong[0].Detail, "RFC 3339", moment)
				}
			}
		}
		history := ola.get(t, rulePath("cpu_cover")+"/history?cursor="+*first.NextCursor)
		assert.Equal(t, []string{"/query/cursor"}, pointersOf(history.problem(t)), "a cursor is of its list")
	})
}
