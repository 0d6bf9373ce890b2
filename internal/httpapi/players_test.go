package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// problem reads the answer as a problem.
func (a answer) problem(t *testing.T) api.Problem {
	t.Helper()
	var p api.Problem
	require.NoError(t, json.Unmarshal(a.body, &p), "%d: %s", a.status, a.body)
	return p
}

// header is one header of a request.
type header struct{ name, value string }

// send sends a request with a body; empty: none. A body is JSON unless a header says otherwise.
func (w *world) send(t *testing.T, method, path, body string, headers ...header) answer {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, w.url+path, reader)
	require.NoError(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		if h.value == "" {
			r.Header.Del(h.name)
			continue
		}
		if h.name == "Content-Type" {
			r.Header.Del(h.name)
		}
		r.Header.Add(h.name, h.value)
	}
	return w.do(t, r)
}

func (w *world) do(t *testing.T, r *http.Request) answer {
	t.Helper()
	w.db.Clock.Advance(w.tick)
	response, err := w.http.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{status: response.StatusCode, header: response.Header, body: read}
}

// get reads something without a token.
func (w *world) get(t *testing.T, path string, headers ...header) answer {
	t.Helper()
	return w.send(t, http.MethodGet, path, "", headers...)
}

// decode reads an answer of a status.
func decode[T any](t *testing.T, a answer, status int) T {
	t.Helper()
	require.Equal(t, status, a.status, "%s", a.body)
	var value T
	require.NoError(t, json.Unmarshal(a.body, &value), "%s", a.body)
	return value
}

// player is somebody with a token.
type player struct {
	world *world
	id    uuid.UUID
	token string
}

// guest opens a profile.
func (w *world) guest(t *testing.T, name string) player {
	t.Helper()
	body, err := json.Marshal(map[string]string{"display_name": name})
	require.NoError(t, err)
	opened := decode[api.OpenedProfile](t, w.send(t, http.MethodPost, "/v1/profiles", string(body)), http.StatusCreated)
	return player{world: w, id: opened.Profile.ID, token: opened.Token}
}

func bearer(token string) header { return header{"Authorization", "Bearer " + token} }

// send sends a request with the player's token.
func (p player) send(t *testing.T, method, path, body string, headers ...header) answer {
	t.Helper()
	return p.world.send(t, method, path, body, append([]header{bearer(p.token)}, headers...)...)
}

func (p player) get(t *testing.T, path string, headers ...header) answer {
	t.Helper()
	return p.send(t, http.MethodGet, path, "", headers...)
}

func (p player) post(t *testing.T, path, body string) answer {
	t.Helper()
	return p.send(t, http.MethodPost, path, body)
}

// opens opens a table.
func (p player) opens(t *testing.T, request string) api.GameTable {
	t.Helper()
	return decode[api.GameTable](t, p.post(t, "/v1/tables", request), http.StatusCreated)
}

// joins takes a seat at a table; with a code where there is one.
func (p player) joins(t *testing.T, table api.GameTable) api.GameTable {
	t.Helper()
	body := ""
	if table.InviteCode != nil {
		body = `{"invite_code":"` + *table.InviteCode + `"}`
	}
	return decode[api.GameTable](t, p.post(t, "/v1/tables/"+table.ID.String()+"/seats", body), http.StatusOK)
}

// plays makes a move and wants it accepted.
func (p player) plays(t *testing.T, game uuid.UUID, column, ply int) api.Game {
	t.Helper()
	return decode[api.Game](t, p.move(t, game, column, ply), http.StatusOK)
}

// move makes a move.
func (p player) move(t *testing.T, game uuid.UUID, column, ply int) answer {
	t.Helper()
	return p.post(t, gamePath(game)+"/moves", moveBody(column, ply))
}

func moveBody(column, ply int) string {
	return `{"column":` + strconv.Itoa(column) + `,"ply":` + strconv.Itoa(ply) + `}`
}

func gamePath(id uuid.UUID) string  { return "/v1/games/" + id.String() }
func tablePath(id uuid.UUID) string { return "/v1/tables/" + id.String() }

// match is a game between two guests, whoever began.
type match struct {
	red, yellow player
	table       api.GameTable
	game        uuid.UUID
}

// match lets two guests sit down at a table opened with a request.
func (w *world) match(t *testing.T, request string) match {
	t.Helper()
	red, yellow := w.guest(t, "Ola"), w.guest(t, "Иван")
	table := yellow.joins(t, red.opens(t, request))
	return match{red: red, yellow: yellow, table: table, game: *table.CurrentGameID}
}

const (
	public  = `{"visibility":"public"}`
	private = `{"visibility":"private"}`
)

// still returns a game without what changes by the clock alone.
func still(g api.Game) api.Game {
	g.ServerTimeMs, g.RemainingMs = 0, nil
	return g
}

// play plays moves, each by the side whose turn it is, and returns the game after the last one, still.
func (m match) play(t *testing.T, moves string) api.Game {
	t.Helper()
	var g api.Game
	for i, digit := range []byte(moves) {
		mover := m.red
		if i%2 == 1 {
			mover = m.yellow
		}
		g = mover.plays(t, m.game, int(digit-'0'), i+1)
	}
	return still(g)
}

// now reads the game as red does, still.
func (m match) now(t *testing.T) api.Game {
	t.Helper()
	return still(m.red.reads(t, m.game))
}

// reads reads a game.
func (p player) reads(t *testing.T, game uuid.UUID) api.Game {
	t.Helper()
	return decode[api.Game](t, p.get(t, gamePath(game)), http.StatusOK)
}

// looks reads a table.
func (p player) looks(t *testing.T, table uuid.UUID) api.GameTable {
	t.Helper()
	return decode[api.GameTable](t, p.get(t, tablePath(table)), http.StatusOK)
}
