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
	onBoth(t, func(t *testing.T, w *world) {
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
			"":                                     {"on", "60", "off", "30"},
			"actor=ola":                            {"on", "30"},
			"actor=" + url.QueryEscape(jan.name):   {"60", "off"},
			"actor=o":                              nil,
			"key=" + limit:                         {"60", "30"},
			"key=gravity":                          nil,
			"since=" + later:                       {"on", "60"},
			"until=" + later:                       {"off", "30"},
			"since=" + begun + "&until=" + later:   {"off", "30"},
			"since=" + later + "&until=" + begun:   nil,
			"actor=ola&key=cpu_cover":              {"on"},
			"actor=ola&since=" + later + "&key=x":  nil,
			"since=2026-03-17T13:01:00%2B01:00":    {"on", "60"},
			"until=0001-01-01T00:00:00Z":           nil,
			"since=0001-01-01T00:00:00Z":           {"on", "60", "off", "30"},
			"since=9999-12-31T23:59:59.999999999Z": nil,
			"until=9999-12-31T23:59:59-23:59":      {"on", "60", "off", "30"},
			"since=0000-01-01T00:00:00%2B23:59":    {"on", "60", "off", "30"},
			"actor=%27%3B+DROP+TABLE+audit_log+--": nil,
		} {
			for _, size := range []string{"", "&limit=1"} {
				var got []string
				for _, e := range audited(t, ola, query+size) {
					got = append(got, e.after.Default)
				}
				assert.Equal(t, want, got, query+size)
			}
		}
	})
}

func TestABadQueryOfTheAuditLogIsRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
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
			"2026-02-30T00:00:00Z", "2026-03-17T23:59:60Z", "2026-03-17T24:00:00Z", "2026-03-17T12:00:00", "2026-03-17 12:00:00Z",
			"2026-03-17T12:00Z", "2026-03-17T1:00:00Z", "2026-03-17T12:00:00,5Z", "2026-03-17T12:00:00+24:00", "1773748800", "", "2026-03-17",
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
