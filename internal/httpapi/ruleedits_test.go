package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

const limit = "move_time_limit_seconds"

var allLimits = []string{"0", "30", "60"}

// listed returns a rule as everybody reads it.
func (w *world) listed(t *testing.T, key string) api.HouseRule {
	t.Helper()
	for _, rule := range decode[api.HouseRuleList](t, w.get(t, "/v1/house-rules"), http.StatusOK).Items {
		if rule.Key == key {
			return rule
		}
	}
	require.Fail(t, "there is no such rule", key)
	return api.HouseRule{}
}

func TestAnAdminEditsARule(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.admin(t, "ola")
		for range 2 {
			w.guest(t, "Ola").opens(t, public)
		}
		before, tag := ola.rule(t, limit)
		assert.Equal(t, `"1"`, tag)
		answered := ola.send(t, http.MethodPut, rulePath(limit), request(t, "30", []string{"60", "30"}, false, " Too slow. "), ifMatch(tag))
		change := decode[api.HouseRuleChange](t, answered, http.StatusOK)
		assert.Equal(t, `"2"`, answered.header.Get("ETag"))
		assert.Equal(t, before, change.Before)
		assert.Equal(t, "30", change.After.Default)
		assert.Equal(t, []string{"30", "60"}, change.After.Options, "in the order they are shown")
		assert.Equal(t, allLimits, change.After.AllOptions)
		assert.False(t, change.After.Changeable)
		assert.EqualValues(t, 2, change.After.Version)
		assert.False(t, change.DryRun)
		assert.Equal(t, []api.OpenTables{{Option: "0", Tables: 2}}, change.OpenTables)
		assert.Equal(t, "Tables opened from now on play by 30, and hosts may not choose. 2 open tables keep 0.", change.Meaning)

		now, tag := ola.rule(t, limit)
		assert.Equal(t, change.After, now)
		assert.Equal(t, `"2"`, tag)
		assert.Equal(t, now, w.listed(t, limit), "everybody reads it at once")
		entries := decode[api.AuditEntryList](t, ola.get(t, "/v1/admin/audit"), http.StatusOK).Items
		require.Len(t, entries, 1)
		assert.Equal(t, api.AuditEntry{
			ID: entries[0].ID, At: entries[0].At, Actor: "ola", Key: limit, Version: 2, Action: "edit", RestoredVersion: nil,
			Before: api.HouseRuleTerms{Default: "0", Options: allLimits, Changeable: true},
			After:  api.HouseRuleTerms{Default: "30", Options: []string{"30", "60"}, Changeable: false},
			Reason: "Too slow.",
		}, entries[0])
		assert.Equal(t, now.UpdatedAt, entries[0].At)
	})
}

func TestAnEditNamesTheVersionItWasMadeFor(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, jan := w.admin(t, "ola"), w.admin(t, "jan")
		put := func(c chief, body string, headers ...header) answer {
			return c.send(t, http.MethodPut, rulePath(limit), body, headers...)
		}
		thirty := request(t, "30", allLimits, true, "faster")
		for _, headers := range [][]header{
			nil,
			{ifMatch("*")},
			{ifMatch("1")},
			{ifMatch(`"x"`)},
			{ifMatch(`W/`)},
			{ifMatch(`"1", "7"`)},
			{ifMatch(`"1", "1"`)},
			{ifMatch(`"1",`)},
			{ifMatch(`"1"`), ifMatch(`"1"`)},
			{ifMatch(`"01"`)},
			{ifMatch(`"+1"`)},
			{ifMatch(`"-1"`)},
			{ifMatch(`"0"`)},
			{ifMatch(`" 1"`)},
			{ifMatch(`"`)},
			{ifMatch(`""`)},
			{ifMatch(`w/"1"`)},
			{ifMatch(`"1`)},
			{ifMatch(`"99999999999999999999"`)},
		} {
			refused := put(ola, thirty, headers...)
			assert.Equal(t, http.StatusPreconditionRequired, refused.status, "%v", headers)
			assert.Equal(t, "version_required", refused.problem(t).Code)
		}
		assert.Equal(t, http.StatusOK, put(ola, thirty, ifMatch(`W/"1-gzip"`)).status, "as a proxy weakened it")
		sixty := request(t, "60", allLimits, true, "slower")
		stale := put(jan, sixty, ifMatch(`"1"`))
		assert.Equal(t, http.StatusPreconditionFailed, stale.status)
		assert.Equal(t, "precondition_failed", stale.problem(t).Code)
		assert.Equal(t, w.listed(t, limit), *stale.problem(t).HouseRule, "with the rule as it is")
		assert.Equal(t, "2", put(ola, thirty, ifMatch(`"1"`)).header.Get("ETag")[1:2], "one's own last edit again")
		again := decode[api.HouseRuleChange](t, put(ola, thirty, ifMatch(`"1"`)), http.StatusOK)
		assert.EqualValues(t, []int64{1, 2}, []int64{again.Before.Version, again.After.Version})
		assert.Equal(t, []string{"0", "30"}, []string{again.Before.Default, again.After.Default})
		for what, other := range map[string]answer{
			"another's":           put(jan, thirty, ifMatch(`"1"`)),
			"for another reason":  put(ola, request(t, "30", allLimits, true, "why not"), ifMatch(`"1"`)),
			"to something else":   put(ola, sixty, ifMatch(`"1"`)),
			"only tried":          ola.send(t, http.MethodPut, rulePath(limit)+"?dry_run=true", thirty, ifMatch(`"1"`)),
			"from another before": put(ola, thirty, ifMatch(`"9"`)),
		} {
			assert.Equal(t, http.StatusPreconditionFailed, other.status, what)
		}
		assert.Equal(t, http.StatusOK, put(jan, sixty, ifMatch(`"2"`)).status)
		assert.Equal(t, http.StatusPreconditionFailed, put(ola, thirty, ifMatch(`"1"`)).status, "it is not the last any more")
		assert.Len(t, decode[api.AuditEntryList](t, ola.get(t, "/v1/admin/audit"), http.StatusOK).Items, 2)
	})
}

func TestAnEditThatChangesNothingIsNone(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.admin(t, "ola")
		change := ola.edits(t, limit, "0", []string{"60", "0", "30"}, true)
		assert.Equal(t, change.Before, change.After)
		assert.Equal(t, "Nothing changes.", change.Meaning)
		assert.Empty(t, decode[api.AuditEntryList](t, ola.get(t, "/v1/admin/audit"), http.StatusOK).Items)
	})
}

// rowFields is an edit with what only the service says about a rule.
const rowFields = `{"default":"30","options":["30"],"changeable":true,"reason":"x","version":9,"updated_at":"2026-01-01T00:00:00Z",
"key":"x","origin":"x","kind":"x","created":1}`

func TestAnEditThatCannotBeHonouredIsRefused(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.admin(t, "ola")
		before := dump(t, w.db)
		for _, row := range []struct {
			what, key, body string
			status          int
			code            string
			pointers        []string
		}{
			{"no options", limit, `{"default":"0","options":[],"changeable":true,"reason":"x"}`, 422, "invalid_rule", []string{"/options"}},
			{"a default not on offer", limit, `{"default":"0","options":["30"],"changeable":true,"reason":"x"}`, 422, "invalid_rule", []string{"/default"}},
			{"an option nobody knows", limit, `{"default":"0","options":["0","90"],"changeable":true,"reason":"x"}`, 422, "invalid_rule", []string{"/options/1"}},
			{"an option twice", limit, `{"default":"0","options":["0","0"],"changeable":true,"reason":"x"}`, 422, "invalid_rule", []string{"/options/1"}},
			{"an unknown rule", "gravity", `{"default":"0","options":["0"],"changeable":true,"reason":"x"}`, 404, "not_found", nil},
			{"another case", "CPU_cover", `{"default":"on","options":["on"],"changeable":true,"reason":"x"}`, 404, "not_found", nil},
			{"no reason", limit, `{"default":"30","options":["30"],"changeable":true}`, 400, "invalid_request", []string{"/reason"}},
			{"an empty reason", limit, `{"default":"30","options":["30"],"changeable":true,"reason":""}`, 400, "invalid_request", []string{"/reason"}},
			{"a reason that says nothing", limit, `{"default":"30","options":["30"],"changeable":true,"reason":" \u200b "}`, 400, "invalid_request", []string{"/reason"}},
			{"a reason with a control character", limit, `{"default":"30","options":["30"],"changeable":true,"reason":"a\u001bb"}`, 400, "invalid_request", []string{"/reason"}},
			{"a reason with a carriage return at its end", limit, `{"default":"30","options":["30"],"changeable":true,"reason":"a\r"}`, 400, "invalid_request", []string{"/reason"}},
			{"an option with a NUL", limit, `{"default":"30","options":["30\u0000"],"changeable":true,"reason":"x"}`, 400, "invalid_request", []string{"/options/0"}},
			{"a long reason", limit, `{"default":"30","options":["30"],"changeable":true,"reason":"` + strings.Repeat("ж", 501) + `"}`, 400, "invalid_request", []string{"/reason"}},
			{"a number for an option", limit, `{"default":30,"options":["30"],"changeable":true,"reason":"x"}`, 400, "invalid_request", []string{"/default"}},
			{"no terms", limit, `{"reason":"x"}`, 400, "invalid_request", []string{"/changeable", "/default", "/options"}},
			{"null", limit, `{"default":null,"options":null,"changeable":null,"reason":null}`, 400, "invalid_request", []string{"/changeable", "/default", "/options", "/reason"}},
			{"fields of the stored row", limit, rowFields, 400, "invalid_request", []string{"/created", "/key", "/kind", "/origin", "/updated_at", "/version"}},
			{"no body", limit, "", 400, "invalid_request", []string{""}},
			{"a list", limit, "[]", 400, "invalid_request", []string{""}},
		} {
			refused := ola.send(t, http.MethodPut, rulePath(row.key), row.body, ifMatch(`"1"`))
			assert.Equal(t, row.status, refused.status, "%s: %s", row.what, refused.body)
			assert.Equal(t, row.code, refused.problem(t).Code, row.what)
			assert.Equal(t, row.pointers, pointersOf(refused.problem(t)), row.what)
		}
		for path, pointer := range map[string]string{
			rulePath(limit) + "?dry_run=yes": "/query/dry_run", rulePath(limit) + "?force=true": "/query/force",
		} {
			refused := ola.send(t, http.MethodPut, path, request(t, "30", allLimits, true, "x"), ifMatch(`"1"`))
			assert.Equal(t, []string{pointer}, pointersOf(refused.problem(t)))
		}
		assert.Equal(t, before, dump(t, w.db), "nothing has changed")
	}, configured("RATE_LIMIT=off"))
}

func TestADryRunChangesNothing(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, guest := w.admin(t, "ola"), w.guest(t, "Ola")
		guest.opens(t, public)
		guest.opens(t, `{"visibility":"public","settings":{"move_time_limit_seconds":60}}`)
		guest.opens(t, `{"visibility":"public","settings":{"move_time_limit_seconds":60}}`)
		ola.edits(t, limit, "60", allLimits, true)
		before := dump(t, w.db)
		for _, row := range []struct{ body, meaning string }{
			{request(t, "30", allLimits, true, "x"), "Tables opened from now on play by 30, and hosts may choose 0, 30 or 60. 2 open tables keep 60, 1 keeps 0."},
			{request(t, "60", []string{"60"}, true, "x"), "Tables opened from now on play by 60, and hosts may choose only 60. 1 open table keeps 0."},
			{request(t, "60", allLimits, true, "x"), "Nothing changes."},
		} {
			answered := ola.send(t, http.MethodPut, rulePath(limit)+"?dry_run=true", row.body, ifMatch(`"2"`))
			change := decode[api.HouseRuleChange](t, answered, http.StatusOK)
			assert.Equal(t, row.meaning, change.Meaning)
			assert.True(t, change.DryRun)
			assert.Equal(t, `"2"`, answered.header.Get("ETag"), "the rule's as it is")
			assert.Equal(t, []api.OpenTables{{Option: "60", Tables: 2}, {Option: "0", Tables: 1}}, change.OpenTables)
		}
		tried := ola.send(t, http.MethodPost, rulePath(limit)+"/rollback?dry_run=true", `{"version":1,"reason":"x"}`, ifMatch(`"2"`))
		assert.Equal(t, "0", decode[api.HouseRuleChange](t, tried, http.StatusOK).After.Default)
		assert.Equal(t, before, dump(t, w.db))
		assert.Equal(t, "60", w.listed(t, limit).Default)
	}, standingStill)
}

func TestAnAdminGoesBackToAnEarlierVersion(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, jan := w.admin(t, "ola"), w.admin(t, "jan")
		ola.edits(t, limit, "30", []string{"30"}, false)
		jan.edits(t, limit, "60", []string{"30", "60"}, true)
		back := func(c chief, version int, tag string) answer {
			return c.send(t, http.MethodPost, rulePath(limit)+"/rollback", fmt.Sprintf(`{"version":%d,"reason":"back"}`, version), ifMatch(tag))
		}
		for _, version := range []int{4, 99, 1 << 40} {
			refused := back(ola, version, `"3"`)
			assert.Equal(t, http.StatusUnprocessableEntity, refused.status)
			assert.Equal(t, "invalid_rule", refused.problem(t).Code)
			assert.Equal(t, []string{"/version"}, pointersOf(refused.problem(t)))
		}
		assert.Equal(t, http.StatusBadRequest, back(ola, 0, `"3"`).status)
		for range 2 { // sent again, it is still one edit
			restored := decode[api.HouseRuleChange](t, back(ola, 1, `"3"`), http.StatusOK).After
			assert.Equal(t, allLimits, restored.Options)
			assert.Equal(t, "0", restored.Default)
			assert.EqualValues(t, 4, restored.Version)
		}
		assert.Equal(t, http.StatusPreconditionFailed, back(jan, 1, `"3"`).status)
		assert.Equal(t, "0", w.listed(t, limit).Default)

		var versions []string
		for cursor := ""; ; {
			page := decode[api.HouseRuleVersionList](t, ola.get(t, rulePath(limit)+"/history?limit=1"+cursor), http.StatusOK)
			require.Len(t, page.Items, 1)
			v := page.Items[0]
			versions = append(versions, fmt.Sprintf("%d: %s of %v by %q from %d", v.Version, v.Default, v.Options, given(v.Actor), given(v.RestoredVersion)))
			if page.NextCursor == nil {
				break
			}
			cursor = "&cursor=" + *page.NextCursor
		}
		assert.Equal(t, []string{
			`4: 0 of [0 30 60] by "ola" from 1`, `3: 60 of [30 60] by "jan" from 0`, `2: 30 of [30] by "ola" from 0`, `1: 0 of [0 30 60] by "" from 0`,
		}, versions)
		untouched := decode[api.HouseRuleVersionList](t, ola.get(t, rulePath("cpu_cover")+"/history"), http.StatusOK)
		require.Len(t, untouched.Items, 1)
		assert.EqualValues(t, 1, untouched.Items[0].Version)
		assert.Equal(t, http.StatusNotFound, ola.get(t, rulePath("gravity")+"/history").status)
		assert.Equal(t, "rollback", decode[api.AuditEntryList](t, ola.get(t, "/v1/admin/audit?limit=1"), http.StatusOK).Items[0].Action)
	})
}

// given returns what there is, or a zero value.
func given[T any](p *T) T {
	if p == nil {
		p = new(T)
	}
	return *p
}

// A release that knew a rule by other options has left a version behind.
func TestAVersionThatIsNotValidAnyMoreStaysWhereItIs(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.admin(t, "ola")
		around := w.db.SQL(t)
		for _, statement := range []string{
			"UPDATE house_rules SET version = 2, default_option = '90', options = '0,90' WHERE rule = '" + limit + "'",
			`INSERT INTO audit_log (id, at, actor, token_id, rule, version, before_default, before_options, before_changeable,
after_default, after_options, after_changeable, reason) SELECT id, 1, name, id, '` + limit + `', 2, '0', '0,30,60', true, '90', '0,90', true, 'x' FROM admin_tokens`,
		} {
			_, err := around.ExecContext(t.Context(), statement)
			require.NoError(t, err)
		}
		w.db.Clock.Advance(time.Second)
		assert.Equal(t, []string{"0"}, w.listed(t, limit).Options, "what this release doesn't know is not on offer")
		ola.edits(t, limit, "30", allLimits, true)
		refused := ola.send(t, http.MethodPost, rulePath(limit)+"/rollback", `{"version":2,"reason":"x"}`, ifMatch(`"3"`))
		assert.Equal(t, http.StatusUnprocessableEntity, refused.status)
		p := refused.problem(t)
		assert.Equal(t, "invalid_rule", p.Code)
		assert.Contains(t, p.Detail, "version 2 is not valid any more")
		assert.Equal(t, "30", w.listed(t, limit).Default)
	})
}
