package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/api"
)

// nobodysGame is the id of no game.
var nobodysGame = uuid.MustParse("01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12")

// asking is a request about a table.
type asking struct{ what, method, path, body string }

// askings are the requests about presence, rematch and settings, for a game.
func askings(game uuid.UUID) []asking {
	return []asking{
		{"here", http.MethodPut, "/presence", `{"state":"here"}`},
		{"away", http.MethodPut, "/presence", `{"state":"away"}`},
		{"agree", http.MethodPut, "/rematch", fmt.Sprintf(`{"game_id":"%s"}`, game)},
		{"take back", http.MethodDelete, "/rematch?game_id=" + game.String(), ""},
		{"edit", http.MethodPatch, "", `{"settings_version":1,"settings":{"cpu_cover":false}}`},
	}
}

// refused checks that a request is refused with a code and changes neither the table nor its game.
func (m match) refused(t *testing.T, by player, a asking, code string) api.Problem {
	t.Helper()
	table := m.red.looks(t, m.table.ID)
	game := still(m.red.reads(t, *table.CurrentGameID))
	p := by.send(t, a.method, tablePath(m.table.ID)+a.path, a.body).problem(t)
	assert.Equal(t, code, p.Code, "%s: %s", a.what, a.body)
	assert.Equal(t, table, m.red.looks(t, m.table.ID), "%s: %s", a.what, a.body)
	assert.Equal(t, game, still(m.red.reads(t, *table.CurrentGameID)), "%s: %s", a.what, a.body)
	return p
}

func TestStrangersSayNothingAboutATable(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		open, hidden := w.match(t, public), w.match(t, private)
		stranger := w.guest(t, "Zofia")
		for _, over := range []bool{false, true} {
			if over {
				open.play(t, redWins)
				hidden.play(t, redWins)
			}
			for _, a := range askings(open.game) {
				assert.Nil(t, open.refused(t, stranger, a, "not_seated").Table)
			}
			for _, a := range askings(hidden.game) {
				assert.Nil(t, hidden.refused(t, stranger, a, "not_found").Table)
			}
		}
		for _, a := range askings(open.game) {
			assert.Equal(t, "unauthenticated", w.send(t, a.method, tablePath(open.table.ID)+a.path, a.body).problem(t).Code, a.what)
			assert.Equal(t, "not_found", stranger.send(t, a.method, tablePath(nobodysGame)+a.path, a.body).problem(t).Code, a.what)
		}
	}, configured("RATE_LIMIT=off"))
}

func TestTheOtherSeatIsNoHost(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		edit := askings(m.game)[4]
		m.refused(t, m.yellow, edit, "not_host")
		m.play(t, redWins)
		m.refused(t, m.yellow, edit, "not_host")
		assert.Equal(t, http.StatusForbidden, m.yellow.edits(t, m.table.ID, edit.body).status)
	})
}

func TestWhileTheGameRunsNothingOfTheSeriesIsDecided(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "4")
		for _, a := range askings(m.game)[2:] {
			p := m.refused(t, m.red, a, "game_running")
			assert.EqualValues(t, http.StatusConflict, p.Status)
			assert.Equal(t, "playing", p.Table.Status, "a conflict carries the table")
		}
	})
}

func TestAnAgreementIsForTheLastGameOfItsTable(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m, other := w.match(t, public), w.match(t, public)
		m.play(t, redWins)
		other.play(t, redWins)
		other.again(t)
		for _, game := range []uuid.UUID{nobodysGame, other.game} {
			for _, a := range askings(game)[2:4] {
				p := m.refused(t, m.red, a, "stale_game")
				assert.Equal(t, m.game, *p.Table.CurrentGameID)
			}
		}
		waiting := m.red.opens(t, public)
		assert.Equal(t, "stale_game", m.red.agree(t, waiting.ID, m.game).problem(t).Code)
		assert.Equal(t, "stale_game", m.red.takesBack(t, waiting.ID, m.game).problem(t).Code)
		assert.Equal(t, waiting, m.red.looks(t, waiting.ID))
	}, configured("RATE_LIMIT=off"))
}

func TestAtAClosedTableNothingIsSaid(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for _, request := range []string{public, private} {
			m := w.match(t, request)
			m.play(t, redWins)
			m.yellow.leaves(t, m.table.ID)
			for _, a := range askings(m.game) {
				p := m.refused(t, m.red, a, "table_closed")
				assert.Equal(t, "closed", p.Table.Status)
				if a.what != "edit" {
					m.refused(t, m.yellow, a, "table_closed")
				}
			}
			back := m.yellow.sits(t, m.table.ID)
			assert.Equal(t, "closed", back.Status, "one's seat is one's seat; nothing begins")
		}
	}, configured("RATE_LIMIT=off"))
}

func TestWhatIsMalformedChangesNothing(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		id := m.game.String()
		for _, row := range []struct {
			method, path, body string
			pointers           []string
		}{
			{"PUT", "/presence", ``, []string{""}},
			{"PUT", "/presence", `{}`, []string{"/state"}},
			{"PUT", "/presence", `{"state":null}`, []string{"/state"}},
			{"PUT", "/presence", `{"state":"asleep"}`, []string{"/state"}},
			{"PUT", "/presence", `{"state":"AWAY"}`, []string{"/state"}},
			{"PUT", "/presence", `{"state":true}`, []string{"/state"}},
			{"PUT", "/presence", `{"state":"away","until":1}`, []string{"/until"}},
			{"PUT", "/presence", `{"state":"away","state":"here"}`, []string{"/state"}},
			{"PUT", "/presence?x=1", `{"state":"away"}`, []string{"/query/x"}},
			{"PUT", "/rematch", ``, []string{""}},
			{"PUT", "/rematch", `{}`, []string{"/game_id"}},
			{"PUT", "/rematch", `{"game_id":null}`, []string{"/game_id"}},
			{"PUT", "/rematch", `{"game_id":"` + secretInput + `"}`, []string{"/game_id"}},
			{"PUT", "/rematch", `{"game_id":1}`, []string{"/game_id"}},
			{"PUT", "/rematch", `{"game_id":"` + id + `","settings_version":0}`, []string{"/settings_version"}},
			{"PUT", "/rematch", `{"game_id":"` + id + `","settings_version":1.5}`, []string{"/settings_version"}},
			{"PUT", "/rematch", `{"game_id":"` + id + `","agree":true}`, []string{"/agree"}},
			{"PUT", "/rematch?game_id=" + id, `{"game_id":"` + id + `"}`, []string{"/query/game_id"}},
			{"DELETE", "/rematch", ``, []string{"/query/game_id"}},
			{"DELETE", "/rematch?game_id=", ``, []string{"/query/game_id"}},
			{"DELETE", "/rematch?game_id=" + secretInput, ``, []string{"/query/game_id"}},
			{"DELETE", "/rematch?game_id=" + id + "&game_id=" + id, ``, []string{"/query/game_id"}},
		} {
			p := m.refused(t, m.yellow, asking{"", row.method, row.path, row.body}, "invalid_request")
			assert.Equal(t, row.pointers, pointersOf(p), "%s %s %s", row.method, row.path, row.body)
		}
		for _, body := range []string{`{"state":"away"}{`, `{"state":"away"`, "x"} {
			m.refused(t, m.yellow, asking{"", http.MethodPut, "/presence", body}, "malformed_json")
		}
	}, configured("RATE_LIMIT=off"))
}
