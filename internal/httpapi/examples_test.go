package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestExamplesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	spec := contract(t)
	everyOperation(t, func(op *openapi3.Operation) {
		for at, content := range contentsOf(op) {
			for name, example := range content.Examples {
				at := op.OperationID + " " + at + " " + name
				assert.NotEmpty(t, example.Value.Summary, at)
				assert.NoError(t, content.Schema.Value.VisitJSON(example.Value.Value, strictly()...), at)
				assert.Empty(t, undeclared("", content.Schema.Value, example.Value.Value), at)
			}
		}
	})
	for name, p := range spec.Components.Parameters {
		assert.NoError(t, p.Value.Schema.Value.VisitJSON(p.Value.Example, strictly()...), name)
	}
	for name, h := range spec.Components.Headers {
		assert.NoError(t, h.Value.Schema.Value.VisitJSON(h.Value.Example, strictly()...), name)
	}
}

// everyExample returns the examples of the contract by name.
func everyExample(t *testing.T) map[string]any {
	t.Helper()
	all := map[string]any{}
	for name, example := range contract(t).Components.Examples {
		all[name] = example.Value.Value
	}
	return all
}

// find visits every object in a value.
func find(value any, visit func(object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		visit(value)
		for _, field := range value {
			find(field, visit)
		}
	case []any:
		for _, item := range value {
			find(item, visit)
		}
	}
}

// as reads an example as the type it is one of.
func as[T any](t *testing.T, value any) T {
	t.Helper()
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	var typed T
	require.NoError(t, json.Unmarshal(encoded, &typed))
	return typed
}

func TestTheTablesInTheExamplesAreTrue(t *testing.T) {
	t.Parallel()
	found := 0
	for name, example := range everyExample(t) {
		find(example, func(object map[string]any) {
			if _, isTable := object["seats"]; !isTable {
				return
			}
			found++
			table := as[api.GameTable](t, object)
			assert.EqualValues(t, []int32{1, 2}, []int32{table.Seats[0].Seat, table.Seats[1].Seat}, name)
			assert.Equal(t, table.HostProfileID, table.Seats[0].ProfileID, name)
			assert.Equal(t, table.Seats[1].State == seatFree, table.Status == "waiting", name)
			assert.Equal(t, table.CurrentGame != nil, table.Status != "waiting", name)
			if table.CurrentGame != nil {
				assert.Equal(t, table.CurrentGame.ID, *table.CurrentGameID, name)
				assert.Equal(t, table.Status == "playing", table.CurrentGame.Status == "in_progress", name)
				assert.Equal(t, table.Status == "playing", table.CurrentGame.TurnSeat != nil, name)
				assert.EqualValues(t, table.Score.Games, table.CurrentGame.Number-map[bool]int32{true: 1}[table.Status == "playing"], name)
			}
			assert.Equal(t, table.Score.Games, table.Score.Seat1Wins+table.Score.Seat2Wins+table.Score.Draws, name)
			open := table.Status == "waiting" || table.Status == "between_games"
			assert.Equal(t, open, table.ExpiresAt != nil, name)
			assert.Equal(t, open, table.NextFirstSeat != nil, name)
			assert.Equal(t, table.Status == "closed", table.CloseReason != nil, name)
			assert.Equal(t, table.Status == "closed", table.PollAfterMs == nil, name)
			assert.Equal(t, table.Visibility == visibilityPrivate && table.MySeat != nil, table.InviteCode != nil, name)
		})
	}
	assert.GreaterOrEqual(t, found, 5)
}

func TestTheProblemsInTheExamplesAreOfTheCatalogue(t *testing.T) {
	t.Parallel()
	for name, example := range everyExample(t) {
		object, isObject := example.(map[string]any)
		if _, isProblem := object["request_id"]; !isObject || !isProblem {
			continue
		}
		p := as[api.Problem](t, example)
		line, known := text.ProblemOf(fault.Code(p.Code), text.English)
		require.True(t, known, name)
		assert.EqualValues(t, httpapi.StatusOf(line.Code), p.Status, name)
		assert.Equal(t, line.Title, p.Title, name)
		assert.Equal(t, "/docs#"+p.Code, p.Type, name)
		assert.NotNil(t, contract(t).Paths.Value(p.Instance), "%s: %s", name, p.Instance)
	}
}

func TestTheServiceAnswersAsItsExamplesSay(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("OPERATOR_NAME=The board game club", "OPERATOR_CONTACT=mailto:play@four.example"))
	examples := everyExample(t)
	service := decode[api.ServiceInfo](t, w.get(t, "/v1/service"), http.StatusOK)
	service.Version = "1.0.0"
	example := as[api.ServiceInfo](t, examples["Service"])
	assert.Subset(t, service.Languages, example.Languages, "there may be more by now")
	example.Languages = service.Languages
	assert.Equal(t, example, service)
	problems := decode[api.ProblemKindList](t, w.get(t, "/v1/problems"), http.StatusOK)
	for _, line := range as[api.ProblemKindList](t, examples["Problems"]).Items {
		assert.Contains(t, problems.Items, line)
	}
	assert.Len(t, problems.Items, len(text.Problems(text.English)))
	assert.JSONEq(t, string(jsonOf(t, examples["Healthy"])), string(w.get(t, "/healthz").body))
	assert.JSONEq(t, string(jsonOf(t, examples["Ready"])), string(w.get(t, "/readyz").body))
	drawn := contract(t).Paths.Value("/v1/games/{game_id}/board.svg").Get.Responses.Status(http.StatusOK).Value.Content["image/svg+xml"]
	assert.True(t, strings.HasPrefix(string(w.get(t, gamePath(w.match(t, public).game)+"/board.svg").body), as[string](t, drawn.Examples["firstElement"].Value.Value)))
	for path, media := range map[string]string{"/openapi.yaml": "application/yaml"} {
		content := contract(t).Paths.Value(path).Get.Responses.Status(http.StatusOK).Value.Content[media]
		first := as[string](t, content.Examples["firstLines"].Value.Value)
		assert.True(t, strings.HasPrefix(string(w.get(t, path).body), strings.TrimSpace(first)+"\n"), path)
	}
}

func jsonOf(t *testing.T, value any) []byte {
	t.Helper()
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	return encoded
}

func TestTheCursorsInTheExamplesAreOfTheirLists(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	// The lists of a player are those of the player in the examples.
	shown, err := w.db.Store.Profile(t.Context(), profile.ID(w.guest(t, "Ola").id.String()))
	require.NoError(t, err)
	shown.ID = profile.ID(as[api.OpenedProfile](t, everyExample(t)["OpenedProfile"]).Profile.ID.String())
	device := profile.Device{ID: profile.DeviceID(uuid.NewString()), Profile: shown.ID, Hash: profile.Token("x").Hash(), Created: shown.Created}
	require.NoError(t, w.db.Store.OpenProfile(t.Context(), shown, device))
	p, chief := w.guest(t, "Иван"), w.admin(t, "Ada")
	found := 0
	for _, o := range operations(t) {
		cursor := contract(t).Paths.Value(o.pattern).GetOperation(o.method).Parameters.GetByInAndName("query", "cursor")
		if cursor == nil {
			continue
		}
		found++
		answered := sender(p, chief, o)(t, o.method, o.path+"?cursor="+fmt.Sprint(cursor.Example), "")
		assert.Equal(t, http.StatusOK, answered.status, "%s: %s", o.id, answered.body)
	}
	assert.Equal(t, 6, found)
}

func TestThePageDescribesEverything(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	answered := w.get(t, "/docs")
	page := string(answered.body)
	for _, o := range operations(t) {
		assert.Contains(t, page, `<article id="`+o.id+`">`)
	}
	for _, p := range text.Problems(text.English) {
		assert.Contains(t, page, `<article id="`+string(p.Code)+`">`)
	}
	for name := range contract(t).Components.Schemas {
		assert.Contains(t, page, `<article id="type-`+name+`">`)
	}
	for _, forbidden := range []string{"<script", "src=", "http-equiv", "ZgotmplZ", "url(", "@import"} {
		assert.NotContains(t, page, forbidden)
	}
	for _, needed := range []string{`name="viewport"`, "prefers-color-scheme", `<html lang="en">`, "<title>"} {
		assert.Contains(t, page, needed)
	}
}

// What an example of a problem says is what the service says.
func TestTheServiceRefusesAsTheExamplesSay(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), calm)
	m := w.match(t, public)
	m.play(t, "4453")
	over, closed, late := w.match(t, public), w.match(t, public), w.match(t, clock30)
	over.play(t, redWins)
	closed.play(t, redWins)
	closed.yellow.leaves(t, closed.table.ID)
	late.play(t, "4453")
	edited := over.red.opens(t, private)
	over.red.edits(t, edited.ID, `{"settings_version":1,"ranked":true}`)
	edit := `{"settings_version":1,"settings":{"move_time_limit_seconds":60}}`
	moves := gamePath(m.game) + "/moves"
	full := w.match(t, public)
	full.play(t, "444444")
	limited := func(p player) answer {
		w.tick = 0
		for a := p.get(t, "/v1/me"); ; a = p.get(t, "/v1/me") {
			if a.status == http.StatusTooManyRequests {
				return a
			}
		}
	}
	for _, row := range []struct {
		example string
		answer  func() answer
	}{
		{"InvalidRequest", func() answer { return m.red.post(t, moves, `{"column":4}`) }},
		{"InvalidName", func() answer { return m.red.send(t, http.MethodPatch, "/v1/me", nameBody(t, "\u3164")) }},
		{"Unauthenticated", func() answer { return w.get(t, "/v1/me", bearer("fir_")) }},
		{"NotSeated", func() answer { return full.red.post(t, moves, moveBody(1, 5)) }},
		{"NotFound", func() answer { return w.get(t, "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12") }},
		{"StalePly", func() answer { return m.red.post(t, moves, moveBody(1, 4)) }},
		{"PlyAhead", func() answer { return m.red.get(t, gamePath(m.game)+"/board.svg?ply=20") }},
		{"GameNotOver", func() answer { return m.red.get(t, gamePath(m.game)+"/analysis") }},
		{"ImpossibleMoves", func() answer { return m.red.get(t, "/v1/positions/4444444") }},
		{"RankedGameRunning", func() answer {
			ranked := m.yellow.opens(t, rankedTable)
			w.guest(t, "Lei").joins(t, ranked)
			return m.yellow.get(t, "/v1/positions/4455")
		}},
		{"MalformedJson", func() answer { return m.red.post(t, moves, `{"column":4,`) }},
		{"CpuTableNotRanked", func() answer { return m.red.post(t, "/v1/tables", `{"opponent":"cpu","ranked":true}`) }},
		{"ClientRefReused", func() answer {
			const ref = `"client_ref":"01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12"`
			m.red.post(t, "/v1/tables", `{`+ref+`}`)
			return m.red.post(t, "/v1/tables", `{"visibility":"public",`+ref+`}`)
		}},
		{"ColumnFull", func() answer { return full.red.move(t, full.game, 4, 7) }},
		{"SeatTaken", func() answer { return full.red.post(t, tablePath(m.table.ID)+"/seats", "") }},
		{"RuleNotChangeable", func() answer { return m.red.post(t, "/v1/tables", `{"settings":{"cover_grace_seconds":60}}`) }},
		{"OptionNotOffered", func() answer { return m.red.post(t, "/v1/tables", `{"settings":{"move_time_limit_seconds":45}}`) }},
		{"NotHost", func() answer { return over.yellow.edits(t, over.table.ID, edit) }},
		{"GameRunning", func() answer { return m.red.edits(t, m.table.ID, edit) }},
		{"StaleVersion", func() answer { return over.red.edits(t, edited.ID, edit) }},
		{"StaleGame", func() answer { return over.yellow.agree(t, over.table.ID, m.game) }},
		{"TableClosed", func() answer {
			return closed.red.send(t, http.MethodPut, tablePath(closed.table.ID)+"/presence", `{"state":"here"}`)
		}},
		{"GameFinished", func() answer { return over.red.post(t, gamePath(over.game)+"/resignation", "") }},
		{"TimeIsUp", func() answer {
			w.db.Clock.Advance(time.Minute)
			return late.red.move(t, late.game, 4, 5)
		}},
		{"BodyTooLarge", func() answer { return w.send(t, http.MethodPost, "/v1/profiles", strings.Repeat(" ", 17_000)) }},
		{"UnsupportedMediaType", func() answer {
			return w.send(t, http.MethodPost, "/v1/profiles", "a=b", header{"Content-Type", "application/x-www-form-urlencoded"})
		}},
		{"RateLimited", func() answer { return limited(m.yellow) }},
	} {
		want := as[api.Problem](t, everyExample(t)[row.example])
		got := row.answer().problem(t)
		assert.Equal(t, want.Detail, got.Detail, row.example)
		assert.Equal(t, want.Errors, got.Errors, row.example)
		assert.Equal(t, want.Code, got.Code, row.example)
		assert.Equal(t, want.Game != nil, got.Game != nil, row.example)
		assert.Equal(t, want.Table != nil, got.Table != nil, row.example)
	}
}
