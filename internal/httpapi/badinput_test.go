package httpapi_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// secretInput stands in bad requests where a value may be made up. No answer may repeat it.
const secretInput = "s3cret-value"

func TestABadMoveIsRefusedWithAPointerAndChangesNothing(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		before := m.play(t, "4")
		for _, row := range []struct {
			what, body string
			code       string
			pointers   []string
		}{
			{"nothing", "", "invalid_request", []string{""}},
			{"an empty object", `{}`, "invalid_request", []string{"/column", "/ply"}},
			{"no ply", `{"column":4}`, "invalid_request", []string{"/ply"}},
			{"no column", `{"ply":2}`, "invalid_request", []string{"/column"}},
			{"null for a column", `{"column":null,"ply":2}`, "invalid_request", []string{"/column"}},
			{"null for a ply", `{"column":4,"ply":null}`, "invalid_request", []string{"/ply"}},
			{"column 0", `{"column":0,"ply":2}`, "invalid_request", []string{"/column"}},
			{"column 8", `{"column":8,"ply":2}`, "invalid_request", []string{"/column"}},
			{"column -1", `{"column":-1,"ply":2}`, "invalid_request", []string{"/column"}},
			{"a huge column", `{"column":1e20,"ply":2}`, "invalid_request", []string{"/column"}},
			{"a column beyond all numbers", `{"column":1e999,"ply":2}`, "invalid_request", []string{"/column"}},
			{"a column of 20 digits", `{"column":99999999999999999999,"ply":2}`, "invalid_request", []string{"/column"}},
			{"text for a column", `{"column":"3","ply":2}`, "invalid_request", []string{"/column"}},
			{"true for a column", `{"column":true,"ply":2}`, "invalid_request", []string{"/column"}},
			{"a list for a column", `{"column":[],"ply":2}`, "invalid_request", []string{"/column"}},
			{"an object for a column", `{"column":{},"ply":2}`, "invalid_request", []string{"/column"}},
			{"half a column", `{"column":3.5,"ply":2}`, "invalid_request", []string{"/column"}},
			{"a column with a point", `{"column":4.0,"ply":2}`, "invalid_request", []string{"/column"}},
			{"a column with an exponent", `{"column":4e0,"ply":2}`, "invalid_request", []string{"/column"}},
			{"ply 0", `{"column":4,"ply":0}`, "invalid_request", []string{"/ply"}},
			{"ply 43", `{"column":4,"ply":43}`, "invalid_request", []string{"/ply"}},
			{"both wrong", `{"column":9,"ply":99}`, "invalid_request", []string{"/column", "/ply"}},
			{"an unknown field", `{"column":4,"ply":2,"x/y~z":"` + secretInput + `"}`, "invalid_request", []string{"/x~1y~0z"}},
			{"two unknown fields", `{"column":4,"ply":2,"a":1,"b":2}`, "invalid_request", []string{"/a", "/b"}},
			{"a misspelt field", `{"Column":4,"ply":2}`, "invalid_request", []string{"/Column", "/column"}},
			{"a repeated field", `{"column":3,"ply":2,"column":4}`, "invalid_request", []string{"/column"}},
			{"a field repeated in disguise", `{"column":3,"ply":2,"\u0063olumn":4}`, "invalid_request", []string{"/column"}},
			{"null", `null`, "invalid_request", []string{""}},
			{"a list", `[{"column":4,"ply":2}]`, "invalid_request", []string{""}},
			{"a number", `4`, "invalid_request", []string{""}},
			{"a second document", `{"column":4,"ply":2}{"column":5,"ply":3}`, "malformed_json", nil},
			{"something after it", `{"column":4,"ply":2} x`, "malformed_json", nil},
			{"half a document", `{"column":4,`, "malformed_json", nil},
			{"no quotes", `{column:4,ply:2}`, "malformed_json", nil},
			{"a comma too many", `{"column":4,"ply":2,}`, "malformed_json", nil},
			{"a comment", `{"column":4,/*x*/"ply":2}`, "malformed_json", nil},
			{"not a number", `{"column":NaN,"ply":2}`, "malformed_json", nil},
			{"a leading zero", `{"column":04,"ply":2}`, "malformed_json", nil},
			{"bad UTF-8", "{\"column\":4,\"ply\":2,\"\xff\":1}", "malformed_json", nil},
			{"a NUL", "{\"column\":4,\"ply\":2}\x00", "malformed_json", nil},
			{"an escaped NUL", `{"column":"\u0000","ply":2}`, "invalid_request", []string{"/column"}},
			{"an escaped NUL in a name", `{"column":4,"ply":2,"\u0000":1}`, "malformed_json", nil},
			{"a byte order mark", "\ufeff" + `{"column":4,"ply":2}`, "malformed_json", nil},
			{"only spaces", "   ", "malformed_json", nil},
			{"nested too deep", strings.Repeat("[", 4000) + strings.Repeat("]", 4000), "malformed_json", nil},
			{"more values than a body holds", "[" + strings.Repeat("1,", 256) + "1]", "malformed_json", nil},
			{"text", secretInput, "malformed_json", nil},
		} {
			refused := m.yellow.post(t, gamePath(m.game)+"/moves", row.body)
			if refused.status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", row.what, refused.status, refused.body)
				continue
			}
			p := refused.problem(t)
			assert.Equal(t, row.code, p.Code, row.what)
			assert.Equal(t, row.pointers, pointersOf(p), row.what)
			assert.NotContains(t, string(refused.body), secretInput, row.what)
		}
		after := decode[api.Game](t, m.yellow.get(t, gamePath(m.game)), http.StatusOK)
		assert.Equal(t, before.Version, after.Version, "nothing has changed")
		assert.Equal(t, before.Moves, after.Moves)
		assert.EqualValues(t, 2, m.yellow.plays(t, m.game, 4, 2).Ply)
	})
}

// pointersOf returns where a problem sees what is wrong; nil where it doesn't say.
func pointersOf(p api.Problem) []string {
	var pointers []string
	for _, e := range p.Errors {
		pointers = append(pointers, e.Pointer)
	}
	return pointers
}

func TestABadBodyIsRefused(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		big := `{"display_name":"` + strings.Repeat("x", 17_000) + `"}`
		for _, row := range []struct {
			what, method, path, body string
			headers                  []header
			status                   int
			code                     string
			pointers                 []string
		}{
			{"a form", "POST", "/v1/tables", "visibility=public", []header{{"Content-Type", "application/x-www-form-urlencoded"}}, 415, "unsupported_media_type", nil},
			{"no content type", "POST", "/v1/tables", public, []header{{"Content-Type", ""}}, 415, "unsupported_media_type", nil},
			{"text", "POST", "/v1/tables", public, []header{{"Content-Type", "text/plain"}}, 415, "unsupported_media_type", nil},
			{"another charset", "POST", "/v1/tables", public, []header{{"Content-Type", "application/json; charset=latin1"}}, 415, "unsupported_media_type", nil},
			{"another JSON", "POST", "/v1/tables", public, []header{{"Content-Type", "application/merge-patch+json"}}, 415, "unsupported_media_type", nil},
			{"a compressed body", "POST", "/v1/tables", public, []header{{"Content-Encoding", "gzip"}}, 415, "unsupported_media_type", nil},
			{"a body said to be compressed in a second line", "POST", "/v1/tables", public, []header{{"Content-Encoding", "identity"}, {"Content-Encoding", "gzip"}}, 415, "unsupported_media_type", nil},
			{"a body compressed after all", "POST", "/v1/tables", public, []header{{"Content-Encoding", "identity, br"}}, 415, "unsupported_media_type", nil},
			{"a broken content type", "POST", "/v1/tables", public, []header{{"Content-Type", "application/json; charset"}}, 415, "unsupported_media_type", nil},
			{"a body too large", "PATCH", "/v1/me", big, nil, 413, "body_too_large", nil},
			{"a body too large without a token needed", "POST", "/v1/profiles", big, nil, 413, "body_too_large", nil},
			{"a body too large where none is read", "POST", "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12/resignation", big, nil, 413, "body_too_large", nil},
			{"an unknown visibility", "POST", "/v1/tables", `{"visibility":"` + secretInput + `"}`, nil, 400, "invalid_request", []string{"/visibility"}},
			{"an unknown rule", "POST", "/v1/tables", `{"settings":{"` + "gravity" + `":"` + secretInput + `"}}`, nil, 400, "invalid_request", []string{"/settings/gravity"}},
			{"a rule of the wrong type", "POST", "/v1/tables", `{"settings":{"end_dead_positions":"on"}}`, nil, 400, "invalid_request", []string{"/settings/end_dead_positions"}},
			{"a rule named twice", "POST", "/v1/tables", `{"settings":{"first_player":"random","first_player":"seat_order"}}`, nil, 400, "invalid_request", []string{"/settings/first_player"}},
			{"a reference that is no UUID", "POST", "/v1/tables", `{"client_ref":"` + secretInput + `"}`, nil, 400, "invalid_request", []string{"/client_ref"}},
			{"a reference in braces", "POST", "/v1/tables", `{"client_ref":"{5b0e7c1a-6f55-4c0e-9d57-2f1f0a4c9b1}"}`, nil, 400, "invalid_request", []string{"/client_ref"}},
			{"no change", "PATCH", "/v1/me", `{}`, nil, 400, "invalid_request", []string{""}},
			{"no body where one is needed", "PATCH", "/v1/me", "", nil, 400, "invalid_request", []string{""}},
			{"no name but null", "PATCH", "/v1/me", `{"display_name":null}`, nil, 400, "invalid_request", []string{""}},
			{"half of a pair of surrogates", "PATCH", "/v1/me", `{"display_name":"Jan \ud83d"}`, nil, 400, "invalid_request", []string{"/display_name"}},
			{"the other half", "POST", "/v1/profiles", `{"device_name":"\ude00"}`, nil, 400, "invalid_request", []string{"/device_name"}},
			{"an unknown language", "PATCH", "/v1/me", `{"locale":"` + secretInput + `"}`, nil, 400, "invalid_request", []string{"/locale"}},
			{"a short code", "POST", "/v1/tables/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12/seats", `{"invite_code":"short"}`, nil, 400, "invalid_request", []string{"/invite_code"}},
			{"another's fields", "POST", "/v1/profiles", `{"visibility":"public"}`, nil, 400, "invalid_request", []string{"/visibility"}},
		} {
			refused := p.send(t, row.method, row.path, row.body, row.headers...)
			assert.Equal(t, row.status, refused.status, "%s: %s", row.what, refused.body)
			assert.Equal(t, row.code, refused.problem(t).Code, row.what)
			assert.Equal(t, row.pointers, pointersOf(refused.problem(t)), row.what)
			assert.NotContains(t, string(refused.body), secretInput, row.what)
		}
		assert.Equal(t, "Ola", decode[api.OwnProfile](t, p.get(t, "/v1/me"), http.StatusOK).DisplayName, "nothing has changed")
		assert.Empty(t, decode[api.TableList](t, p.get(t, "/v1/tables"), http.StatusOK).Items)
	})
}

func TestABadParameterIsRefused(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		game := gamePath(m.game)
		for _, row := range []struct {
			path     string
			pointers []string
		}{
			{"/v1/games/" + secretInput, []string{"/path/game_id"}},
			{"/v1/games/4", []string{"/path/game_id"}},
			{"/v1/games/%00", []string{"/path/game_id"}},
			{"/v1/games/a%2Fb", []string{"/path/game_id"}},
			{"/v1/games/%ff", []string{"/path/game_id"}},
			{"/v1/games/01990c2e7a107d4f8a2c6b7c8d9e0f12", []string{"/path/game_id"}},
			{"/v1/games/urn:uuid:01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12", []string{"/path/game_id"}},
			{"/v1/tables/x?nix=1", []string{"/path/table_id", "/query/nix"}},
			{"/v1/profiles/x", []string{"/path/profile_id"}},
			{"/v1/invites/short", []string{"/path/invite_code"}},
			{"/v1/invites/7GQ2M9XKP%21", []string{"/path/invite_code"}},
			{game + "?nix=" + secretInput, []string{"/query/nix"}},
			{"/v1/me/tables?after_state=%00", []string{"/query/after_state"}},
			{"/v1/rules?lang=p%0Al", []string{"/query/lang"}},
			{"/v1/tables?cursor=%20", []string{"/query/cursor"}},
			{game + "?wait=-1", []string{"/query/wait"}},
			{game + "?wait=3601", []string{"/query/wait"}},
			{game + "?wait=1.5", []string{"/query/wait"}},
			{game + "?wait=1e1", []string{"/query/wait"}},
			{game + "?wait=", []string{"/query/wait"}},
			{game + "?wait=" + secretInput, []string{"/query/wait"}},
			{game + "?wait=%2B1", []string{"/query/wait"}},
			{game + "?wait=+1", []string{"/query/wait"}},
			{game + "?wait=01", []string{"/query/wait"}},
			{game + "?after_version=007", []string{"/query/after_version"}},
			{"/v1/tables?ranked=1", []string{"/query/ranked"}},
			{"/v1/tables?ranked=T", []string{"/query/ranked"}},
			{"/v1/tables?ranked=TRUE", []string{"/query/ranked"}},
			{"/v1/tables?ranked=", []string{"/query/ranked"}},
			{game + "?wait=1&wait=2", []string{"/query/wait"}},
			{game + "?after_version=-1", []string{"/query/after_version"}},
			{game + "?after_version=99999999999999999999", []string{"/query/after_version"}},
			{game + "?after_version=0x10", []string{"/query/after_version"}},
			{game + "?after_version=x&wait=y", []string{"/query/after_version", "/query/wait"}},
			{game + "?lang=" + strings.Repeat("x", 36), []string{"/query/lang"}},
			{game + "?lang=%ff", []string{"/query/lang"}},
			{game + "?lang=%00", []string{"/query/lang"}},
			{game + "?%00=1", []string{"/query/\x00"}},
			{game + "?wait=%zz", []string{"/query"}},
			{game + "?wait=1;after_version=2", []string{"/query"}},
			{game + "/moves?after_ply=43", []string{"/query/after_ply"}},
			{game + "/moves?after_version=1", []string{"/query/after_version"}},
			{"/v1/tables?limit=0", []string{"/query/limit"}},
			{"/v1/tables?limit=101", []string{"/query/limit"}},
			{"/v1/tables?status=closed", []string{"/query/status"}},
			{"/v1/tables?cursor=" + strings.Repeat("x", 201), []string{"/query/cursor"}},
			{"/v1/me?x=1", []string{"/query/x"}},
			{"/healthz?x=1", []string{"/query/x"}},
		} {
			refused := m.red.get(t, row.path)
			assert.Equal(t, http.StatusBadRequest, refused.status, "%s: %s", row.path, refused.body)
			assert.Equal(t, "invalid_request", refused.problem(t).Code, row.path)
			assert.Equal(t, row.pointers, pointersOf(refused.problem(t)), row.path)
			assert.NotContains(t, string(refused.body), secretInput, row.path)
		}
		long := m.red.get(t, game, header{"If-None-Match", strings.Repeat("x", 1025)})
		assert.Equal(t, []string{"/header/If-None-Match"}, pointersOf(long.problem(t)))
	})
}

// What is unusual but right.
func TestAnUnusualRequestIsAnswered(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		for _, contentType := range []string{"application/json", "application/json;charset=UTF-8", "Application/JSON; charset=\"utf-8\""} {
			answered := p.send(t, http.MethodPost, "/v1/tables", public, header{"Content-Type", contentType})
			assert.Equal(t, http.StatusCreated, answered.status, contentType)
		}
		for _, codings := range [][]header{{{"Content-Encoding", "identity"}}, {{"Content-Encoding", "Identity"}, {"Content-Encoding", "identity , identity"}}} {
			assert.Equal(t, http.StatusCreated, p.send(t, http.MethodPost, "/v1/tables", public, codings...).status, "no coding at all")
		}
		assert.Equal(t, http.StatusCreated, p.send(t, http.MethodPost, "/v1/tables", "", header{"Content-Type", "text/plain"}).status, "no body has no type")
		assert.Equal(t, http.StatusOK, p.send(t, http.MethodGet, "/v1/me", `{"body":"on a GET"}`).status)
		table := p.opens(t, public)
		assert.Equal(t, http.StatusOK, p.get(t, "/v1/tables/"+strings.ToUpper(table.ID.String())).status, "ids may be in capitals")
		assert.Equal(t, http.StatusOK, p.get(t, "/v1/rules?lang=xx").status, "a language nobody speaks here is passed over")
		chunked, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/v1/tables", struct{ *bytes.Reader }{bytes.NewReader([]byte(public))})
		require.NoError(t, err)
		chunked.Header.Set("Content-Type", "application/json")
		chunked.Header.Set("Authorization", "Bearer "+p.token)
		assert.Equal(t, http.StatusCreated, w.do(t, chunked).status)
	})
}

// Read from the contract, so that a new operation is covered by itself.
func TestEveryOperationRefusesWhatIsNotInTheContract(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_LIMIT=off"))
	p, chief := w.guest(t, "Ola"), w.admin(t, "Ada")
	for _, o := range operations(t) {
		send := p.send
		if strings.HasPrefix(o.pattern, "/v1/admin/") {
			send = chief.send
		}
		refused := send(t, o.method, o.path+"?nix=1", "")
		assert.Equal(t, "invalid_request", refused.problem(t).Code, o.id)
		assert.Contains(t, pointersOf(refused.problem(t)), "/query/nix", o.id)
		if strings.Contains(o.pattern, "{") {
			garbage := send(t, o.method, garbled.ReplaceAllString(o.pattern, "!"), "")
			assert.Equal(t, "invalid_request", garbage.problem(t).Code, o.id)
			assert.Contains(t, strings.Join(pointersOf(garbage.problem(t)), " "), "/path/", o.id)
		}
		if !o.takesBody {
			continue
		}
		for body, code := range map[string]string{
			"{": "malformed_json", "{}{}": "malformed_json", "\xff": "malformed_json", `{"nix":1}`: "invalid_request",
			"[]": "invalid_request", `{"a":1,"a":2}`: "invalid_request", strings.Repeat("[", 100) + strings.Repeat("]", 100): "malformed_json",
			strings.Repeat(" ", 16_385): "body_too_large",
		} {
			assert.Equal(t, code, send(t, o.method, o.path, body).problem(t).Code, "%s: %.20q", o.id, body)
		}
		if nothing := send(t, o.method, o.path, "null"); o.needsBody {
			assert.Equal(t, "invalid_request", nothing.problem(t).Code, o.id)
		} else {
			assert.NotEqual(t, http.StatusBadRequest, nothing.status, "%s: where none is needed, null is no body", o.id)
		}
		form := send(t, o.method, o.path, "{}", header{"Content-Type", "application/x-www-form-urlencoded"})
		assert.Equal(t, "unsupported_media_type", form.problem(t).Code, o.id)
	}
	assert.Equal(t, "Ola", decode[api.OwnProfile](t, p.get(t, "/v1/me"), http.StatusOK).DisplayName, "nothing has changed")
}

var garbled = regexp.MustCompile(`\{[^}]*\}`)
