//go:build soak

package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// answer is what the service said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// line is the connections of one device.
type line struct{ http *http.Client }

// newLine returns a line that keeps so many connections.
func newLine(connections int) line {
	return line{http: &http.Client{
		Timeout:   3 * time.Minute,
		Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true},
	}}
}

// ask sends a request. An error means that nobody knows what became of it.
func (l line) ask(ctx context.Context, token, method, url, body string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body == "" {
		request.Body = http.NoBody
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := l.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, err
	}
	return answer{status: response.StatusCode, header: response.Header, body: text}, nil
}

// want sends a request that must be answered with a status, and reads the answer into a value.
func (l line) want(ctx context.Context, status int, token, method, url, body string, into any) error {
	a, err := l.ask(ctx, token, method, url, body)
	switch {
	case err != nil:
		return err
	case a.status != status:
		return fmt.Errorf("%s %s: %d, not %d: %s", method, url, a.status, status, a.body)
	default:
		return json.Unmarshal(a.body, into)
	}
}

// gameSeen is a game as the service shows it.
type gameSeen struct {
	ID           string `json:"id"`
	Version      int64  `json:"version"`
	Status       string `json:"status"`
	Moves        string `json:"moves"`
	Movers       string `json:"movers"`
	Ply          int    `json:"ply"`
	Turn         string `json:"turn"`
	LegalColumns []int  `json:"legal_columns"`
	CanMove      bool   `json:"can_move"`
	RemainingMs  int64  `json:"remaining_ms"`
	Result       struct {
		EndedBy string `json:"ended_by"`
	} `json:"result"`
}

func (g gameSeen) over() bool { return g.Status == "finished" }

// problem is why a request was refused, with the game where it is about one.
type problem struct {
	Code string   `json:"code"`
	Game gameSeen `json:"game"`
}

// read is the answer as a game, or as a problem.
func (a answer) read() (gameSeen, problem, error) {
	var g gameSeen
	var p problem
	if a.status == http.StatusOK {
		return g, p, json.Unmarshal(a.body, &g)
	}
	err := json.Unmarshal(a.body, &p)
	return p.Game, p, err
}

// guest is a player.
type guest struct{ id, token string }

// tableSeen is a table as the service shows it.
type tableSeen struct {
	ID     string `json:"id"`
	GameID string `json:"current_game_id"`
	Seats  []struct {
		ProfileID string `json:"profile_id"`
	} `json:"seats"`
}

// guest opens a profile.
func (l line) guest(ctx context.Context, base string) (guest, error) {
	var opened struct {
		Profile struct {
			ID string `json:"id"`
		} `json:"profile"`
		Token string `json:"token"`
	}
	err := l.want(ctx, http.StatusCreated, "", http.MethodPost, base+"/v1/profiles", `{}`, &opened)
	return guest{id: opened.Profile.ID, token: opened.Token}, err
}

// pair is a game of two guests. The first one has seat 1 and is red.
type pair struct {
	table, game string
	owners      [2]guest
}

// public is the body that opens a public table without settings.
const public = `{"visibility":"public"}`

// pair opens a table for the first of two guests and seats the second.
func (l line) pair(ctx context.Context, base, table string, owners [2]guest) (pair, error) {
	var opened, taken tableSeen
	if err := l.want(ctx, http.StatusCreated, owners[0].token, http.MethodPost, base+"/v1/tables", table, &opened); err != nil {
		return pair{}, err
	}
	err := l.want(ctx, http.StatusOK, owners[1].token, http.MethodPost, base+"/v1/tables/"+opened.ID+"/seats", `{}`, &taken)
	return pair{table: opened.ID, game: taken.GameID, owners: owners}, err
}

func moves(base, game string) string { return base + "/v1/games/" + game + "/moves" }

func move(ply, column int) string { return fmt.Sprintf(`{"column":%d,"ply":%d}`, column, ply) }
