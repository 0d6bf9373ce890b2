package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestANullWhereAFieldMayBeLeftOutIsAbsent(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for _, body := range []string{
			`{"display_name":null}`, `{"display_name":null,"locale":null,"device_name":null}`, ` { "locale" : null } `, "null", " null\n",
		} {
			opened := decode[api.OpenedProfile](t, w.send(t, http.MethodPost, "/v1/profiles", body), http.StatusCreated)
			assert.True(t, strings.HasPrefix(opened.Profile.DisplayName, "Guest "), "%s: %s", body, opened.Profile.DisplayName)
			assert.Nil(t, opened.Profile.Locale, body)
		}
		p := w.speaking(t, "pl")
		renamed := decode[api.OwnProfile](t, p.send(t, http.MethodPatch, "/v1/me", `{"display_name":"Zofia","locale":null}`), http.StatusOK)
		assert.Equal(t, "Zofia", renamed.DisplayName)
		assert.Equal(t, "pl", *renamed.Locale, "null clears nothing")

		usual := p.opens(t, "")
		for _, body := range []string{
			"null", `{"ranked":null}`, `{"settings":null}`, `{"opponent":null}`, `{"settings":{"first_player":null,"cpu_cover":null}}`,
			`{"visibility":null,"opponent":null,"cpu_level":null,"ranked":null,"settings":null,"client_ref":null}`,
		} {
			opened := p.opens(t, body)
			assert.Equal(t, usual.Settings, opened.Settings, body)
			assert.Equal(t, usual.Visibility, opened.Visibility, body)
			assert.Equal(t, usual.Ranked, opened.Ranked, body)
		}
		edited := decode[api.GameTable](t, p.send(t, http.MethodPatch, tablePath(usual.ID), `{"settings_version":1,"settings":{"cpu_cover":null}}`), http.StatusOK)
		assert.Equal(t, usual.Settings, edited.Settings, "null changes nothing")
		unranked := decode[api.GameTable](t, p.post(t, "/v1/quick-match", `{"ranked":null}`), http.StatusOK)
		assert.False(t, unranked.Ranked, "a field with a default has it")
		chosen := p.opens(t, `{"settings":{"first_player":null,"move_time_limit_seconds":30}}`)
		assert.EqualValues(t, 30, chosen.Settings.MoveTimeLimitSeconds, "what stands beside a null counts")
	})
}

func TestANullAnywhereElseIsRefusedAndSaidToBeNull(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		moves, rule := gamePath(m.game)+"/moves", rulePath("cpu_cover")
		ada := w.admin(t, "Ada")
		version := header{"If-Match", ada.get(t, rule).header.Get("ETag")}
		for _, row := range []struct {
			what    string
			refused answer
			details map[string]string // what each pointer's detail says
		}{
			{"a field that has to be there", m.red.post(t, moves, `{"column":null,"ply":1}`), map[string]string{"/column": "null"}},
			{"one of a list of values", m.red.send(t, http.MethodPut, tablePath(m.table.ID)+"/presence", `{"state":null}`), map[string]string{"/state": "null"}},
			{"two of them", m.red.post(t, moves, `{"column":null,"ply":null}`), map[string]string{"/column": "null", "/ply": "null"}},
			{"the whole body", m.red.post(t, moves, "null"), map[string]string{"": "null"}},
			{"all there is", m.red.send(t, http.MethodPatch, "/v1/me", `{"display_name":null}`), map[string]string{"": "null"}},
			{"an unknown field", w.send(t, http.MethodPost, "/v1/profiles", `{"name":null}`), map[string]string{"/name": "no such field"}},
			{"a field sent twice", w.send(t, http.MethodPost, "/v1/profiles", `{"locale":null,"locale":"de"}`), map[string]string{"/locale": "twice"}},
			{"a null sent twice", w.send(t, http.MethodPost, "/v1/profiles", `{"locale":null,"locale":null}`), map[string]string{"/locale": "twice"}},
			{
				"an item of a list",
				ada.send(t, http.MethodPut, rule, `{"default":"on","options":["on",null],"changeable":true,"reason":"x"}`, version),
				map[string]string{"/options/1": "null"},
			},
		} {
			require.Equal(t, http.StatusBadRequest, row.refused.status, "%s: %s", row.what, row.refused.body)
			p := row.refused.problem(t)
			assert.Equal(t, "invalid_request", p.Code, row.what)
			assert.Len(t, p.Errors, len(row.details), row.what)
			for _, e := range p.Errors {
				assert.Contains(t, row.details, e.Pointer, row.what)
				assert.Contains(t, e.Detail, row.details[e.Pointer], row.what)
			}
		}
		assert.Equal(t, []string{"/column"}, pointersOf(m.red.post(t, moves, `{"ply":1}`).problem(t)), "a field that is missing")
	})
}

// Read from the contract, so that a new field is covered by itself: where everything is null, exactly the fields that
// have to be there are missed.
func TestEveryOperationTakesNullForWhatMayBeLeftOut(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_LIMIT=off"))
	p, ada := w.guest(t, "Ola"), w.admin(t, "Ada")
	for _, o := range operations(t) {
		if !o.takesBody {
			continue
		}
		send := p.send
		if strings.HasPrefix(o.pattern, "/v1/admin/") {
			send = ada.send
		}
		schema := contract(t).Paths.Value(o.pattern).GetOperation(o.method).RequestBody.Value.Content.Get("application/json").Schema.Value
		nulls := make(map[string]any, len(schema.Properties))
		for name := range schema.Properties {
			nulls[name] = nil
		}
		body, err := json.Marshal(nulls)
		require.NoError(t, err)
		var missed []string
		for _, name := range slices.Sorted(slices.Values(schema.Required)) {
			missed = append(missed, "/"+name)
		}
		if schema.MinProps > 0 && len(missed) == 0 {
			missed = []string{""}
		}
		answered := send(t, o.method, o.path, string(body))
		if len(missed) == 0 {
			assert.NotEqual(t, http.StatusBadRequest, answered.status, "%s: %s", o.id, answered.body)
			continue
		}
		assert.Equal(t, missed, pointersOf(answered.problem(t)), "%s: %s", o.id, answered.body)
	}
}

// The contract has no lists of objects and nothing composed in requests yet.
func TestNullsAreFoundAtEveryDepth(t *testing.T) {
	t.Parallel()
	disc := openapi3.NewObjectSchema().WithProperty("side", openapi3.NewStringSchema()).WithProperty("row", openapi3.NewInt32Schema())
	disc.Required = []string{"row"}
	composed := openapi3.NewAllOfSchema(disc, openapi3.NewObjectSchema().WithProperty("by", openapi3.NewStringSchema()))
	schema := openapi3.NewObjectSchema().WithProperty("discs", openapi3.NewArraySchema().WithItems(disc)).WithProperty("last", composed)
	for body, want := range map[string]string{
		`{"discs":[{"side":null,"row":1}]}`:                          `{"discs":[{"row":1}]}`,
		`{"discs":[{"side":"r","row":null}]}`:                        `{"discs":[{"side":"r","row":null}]}`,
		`{"discs":[null,[{"side":null}],1]}`:                         `{"discs":[null,[{"side":null}],1]}`,
		`{"discs":null,"last":{"by":null,"row":1}}`:                  `{"last":{"row":1}}`,
		`{"last":{"side":null,"row":null,"x":{"by":null}}}`:          `{"last":{"row":null,"x":{"by":null}}}`,
		`{"discs":null,"x":[1.0,1e400,12345678901234567890,"null"]}`: `{"x":[1.0,1e400,12345678901234567890,"null"]}`,
		`[{"discs":null}]`:                                           `[{"discs":null}]`,
		`"null"`:                                                     `"null"`,
		`null`:                                                       `null`,
	} {
		slimmer, err := httpapi.WithoutNulls([]byte(body), schema)
		require.NoError(t, err)
		assert.Equal(t, decoded(t, []byte(want)), decoded(t, slimmer), body)
	}
}

// decoded reads a document with its numbers as they were written.
func decoded(t *testing.T, document []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	return value
}
