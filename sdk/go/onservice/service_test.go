package onservice_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api/client"
	"github.com/fourinarow/fourinarow/internal/testkit/served"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// serve is the URL of a service.
func serve(t *testing.T) string {
	t.Helper()
	return served.New(t).URL
}

// guest is a new player.
func guest(t *testing.T, url string, options ...fourinarow.Option) *fourinarow.Client {
	t.Helper()
	four, err := fourinarow.New(url, options...)
	require.NoError(t, err)
	_, err = four.SignIn(t.Context(), fourinarow.Guest{})
	require.NoError(t, err)
	return four
}

// seated is a public table of two with a game.
func seated(t *testing.T, red, yellow *fourinarow.Client) *fourinarow.Table {
	t.Helper()
	public := client.VisibilityChoicePublic
	opened, err := red.Tables.Open(t.Context(), client.OpenTableRequest{Visibility: &public})
	require.NoError(t, err)
	table, err := yellow.Tables.Join(t.Context(), opened.ID)
	require.NoError(t, err)
	return table
}

// current is the game of a table as a player sees it.
func current(t *testing.T, four *fourinarow.Client, table *fourinarow.Table) *fourinarow.Game {
	t.Helper()
	game, err := four.Games.Get(t.Context(), *table.CurrentGameID)
	require.NoError(t, err)
	return game
}

// refused says that a call ended with a problem of this code.
func refused(t *testing.T, code string, err error) {
	t.Helper()
	_ = problem(t, code, err) // it is checked
}

// problem is what a call ended with.
func problem(t *testing.T, code string, err error) *fourinarow.Problem {
	t.Helper()
	var p *fourinarow.Problem
	require.ErrorAs(t, err, &p)
	assert.Equal(t, code, p.Code, err)
	return p
}

// transport makes an HTTP client of a function.
type transport func(*http.Request) (*http.Response, error)

func (do transport) RoundTrip(r *http.Request) (*http.Response, error) { return do(r) }

func through(do transport) fourinarow.Option {
	return fourinarow.HTTPClient(&http.Client{Transport: do})
}

// losesOnce is a network that loses the first answer to each request with this method, after the service has acted.
func losesOnce(method string) (option fourinarow.Option, lost func() int) {
	var mu sync.Mutex
	seen := map[string]bool{}
	option = through(func(r *http.Request) (*http.Response, error) {
		answer, err := http.DefaultTransport.RoundTrip(r)
		mu.Lock()
		defer mu.Unlock()
		if request := r.URL.String() + r.Header.Get("Authorization"); err == nil && r.Method == method && !seen[request] {
			seen[request] = true
			_ = answer.Body.Close()
			return nil, assert.AnError
		}
		return answer, err
	})
	return option, func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(seen)
	}
}
