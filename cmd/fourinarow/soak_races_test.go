//go:build soak

package main_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

func TestSoakTwoDevicesRaceForOnePly(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, r *replica) {
		devices := []line{newLine(1), newLine(1)}
		var p pair
		var moved string
		for round := range soak.Scaled(t, 1000) {
			if len(moved)%6 == 0 { // before a line is possible
				p, moved = r.pairs(t, 1, public)[0], ""
			}
			ply, owner := len(moved)+1, p.owners[len(moved)%2]
			answers := race(t, len(devices), func(i int) (answer, error) {
				column := 1 + (round+i)%7
				return devices[i].ask(t.Context(), owner.token, http.MethodPost, moves(r.base(), p.game), move(ply, column))
			})
			winner := onlyWinner(t, answers, "stale_ply")
			moved += strconv.Itoa(1 + (round+winner)%7)

			stored, _, err := asked(t, devices[0], owner, r.base()+"/v1/games/"+p.game).read()
			require.NoError(t, err)
			require.Equal(t, moved, stored.Moves, "one disc, the winner's")
		}
	})
}

func TestSoakFiftyTokensRaceForOneSeat(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, r *replica) {
		devices, guests := newLine(50), r.guests(t, 50)
		for range soak.Scaled(t, 200) {
			host := r.guests(t, 1)[0]
			var open, taken tableSeen
			require.NoError(t, devices.want(t.Context(), http.StatusCreated, host.token, http.MethodPost, r.base()+"/v1/tables", public, &open))

			winner := onlyWinner(t, race(t, len(guests), func(i int) (answer, error) {
				return devices.ask(t.Context(), guests[i].token, http.MethodPost, r.base()+"/v1/tables/"+open.ID+"/seats", `{}`)
			}), "seat_taken")

			require.NoError(t, json.Unmarshal(asked(t, devices, host, r.base()+"/v1/tables/"+open.ID).body, &taken))
			require.Equal(t, guests[winner].id, taken.Seats[1].ProfileID)
		}
	})
}

// race sends requests at the same moment and returns their answers.
func race(t *testing.T, number int, send func(i int) (answer, error)) []answer {
	t.Helper()
	var (
		runners sync.WaitGroup
		gun     = make(chan struct{})
		answers = make([]answer, number)
		fails   = make([]error, number)
	)
	for i := range number {
		runners.Go(func() {
			<-gun
			answers[i], fails[i] = send(i)
		})
	}
	close(gun)
	runners.Wait()
	for _, err := range fails {
		require.NoError(t, err)
	}
	return answers
}

// onlyWinner is the one whose request was accepted; all others must have been refused with a code.
func onlyWinner(t *testing.T, answers []answer, code string) int {
	t.Helper()
	winner := -1
	for i, a := range answers {
		if a.status == http.StatusOK {
			require.Equal(t, -1, winner, "two have won")
			winner = i
			continue
		}
		require.Equal(t, http.StatusConflict, a.status, "%s", a.body)
		_, p, err := a.read()
		require.NoError(t, err)
		require.Equal(t, code, p.Code)
	}
	require.NotEqual(t, -1, winner, "nobody has won")
	return winner
}

// asked reads something that must be there.
func asked(t *testing.T, l line, who guest, url string) answer {
	t.Helper()
	a, err := l.ask(t.Context(), who.token, http.MethodGet, url, "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	return a
}
