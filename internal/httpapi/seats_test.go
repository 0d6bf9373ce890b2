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

func urlEscape(text string) string { return url.QueryEscape(text) }

// Fifty tokens for one free seat: one gets it, the others are told so, nobody is displaced.
func TestASeatIsTakenOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		table := w.guest(t, "Ola").opens(t, public)
		const many = 50
		guests := make([]player, many)
		for i := range guests {
			guests[i] = w.guest(t, "Ola") // the same name is no matter
		}
		answers := make(chan answer, many)
		for _, g := range guests {
			go func() { answers <- g.post(t, tablePath(table.ID)+"/seats", "") }()
		}
		got := map[int]int{}
		for range many {
			a := <-answers
			got[a.status]++
			if a.status == http.StatusConflict {
				p := a.problem(t)
				assert.Equal(t, "seat_taken", p.Code)
				require.NotNil(t, p.Table, "the table as it is comes along")
				assert.Equal(t, "playing", p.Table.Status)
			}
		}
		assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: many - 1}, got)
	}, configured("RATE_LIMIT=off"))
}

func TestASeatTakenAgainIsTheSameSeat(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, private)
		m.play(t, "44")
		back := m.yellow.joins(t, m.table)
		assert.EqualValues(t, 2, *back.MySeat)
		assert.Equal(t, m.game, *back.CurrentGameID)
		back = decode[api.GameTable](t, m.yellow.post(t, tablePath(m.table.ID)+"/seats", ""), http.StatusOK)
		assert.EqualValues(t, 2, *back.MySeat, "who sits there needs no code")
		host := decode[api.GameTable](t, m.red.post(t, tablePath(m.table.ID)+"/seats", "{}"), http.StatusOK)
		assert.EqualValues(t, 1, *host.MySeat, "the host has seat 1")
		assert.EqualValues(t, 2, m.now(t).Ply)
	})
}

func TestAnInviteOpensThePrivateSeat(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host, guest, stranger := w.guest(t, "Ola"), w.guest(t, "Иван"), w.guest(t, "Zofia")
		table := host.opens(t, private)
		code := *table.InviteCode

		looked := decode[api.GameTable](t, w.get(t, "/v1/invites/"+strings.ToLower(code)), http.StatusOK)
		assert.Equal(t, table.ID, looked.ID)
		assert.Nil(t, looked.InviteCode, "shown to the seated alone")
		assert.Nil(t, looked.MySeat)
		assert.Equal(t, "waiting", decode[api.GameTable](t, guest.get(t, "/v1/invites/"+code), http.StatusOK).Status, "looking takes no seat")
		assert.Equal(t, code, *decode[api.GameTable](t, host.get(t, "/v1/invites/"+code), http.StatusOK).InviteCode)

		seats := tablePath(table.ID) + "/seats"
		assert.Equal(t, "not_found", guest.post(t, seats, "").problem(t).Code)
		assert.Equal(t, "not_found", guest.post(t, seats, `{"invite_code":"0000000000"}`).problem(t).Code)
		seated := guest.joins(t, table)
		assert.EqualValues(t, 2, *seated.MySeat)
		assert.Equal(t, code, *seated.InviteCode)

		assert.Equal(t, http.StatusOK, guest.get(t, "/v1/invites/"+code).status, "it works again for the seated")
		assert.Equal(t, "not_found", stranger.get(t, "/v1/invites/"+code).problem(t).Code)
		assert.Equal(t, "not_found", w.get(t, "/v1/invites/"+code).problem(t).Code)
		taken := stranger.post(t, seats, `{"invite_code":"`+code+`"}`).problem(t)
		assert.Equal(t, "seat_taken", taken.Code, "right but used")
		assert.Nil(t, taken.Table, "a stranger is not shown a private table")
	})
}

func TestAClosedTableTakesNobody(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host, guest := w.guest(t, "Ola"), w.guest(t, "Иван")
		open, hidden := host.opens(t, public), host.opens(t, private)
		for _, table := range []api.GameTable{open, hidden} {
			left := host.send(t, http.MethodDelete, tablePath(table.ID)+"/seats/me", "")
			assert.Equal(t, http.StatusNoContent, left.status)
			again := host.send(t, http.MethodDelete, tablePath(table.ID)+"/seats/me", "")
			assert.Equal(t, http.StatusNoContent, again.status, "leaving again changes nothing")
			closed := decode[api.GameTable](t, host.get(t, tablePath(table.ID)), http.StatusOK)
			assert.Equal(t, "closed", closed.Status)
			assert.Equal(t, "host_left", *closed.CloseReason)
		}
		refused := guest.post(t, tablePath(open.ID)+"/seats", "").problem(t)
		assert.Equal(t, "table_closed", refused.Code)
		assert.Equal(t, "closed", refused.Table.Status)
		body := `{"invite_code":"` + *hidden.InviteCode + `"}`
		assert.Equal(t, "not_found", guest.post(t, tablePath(hidden.ID)+"/seats", body).problem(t).Code)
		assert.Equal(t, "not_found", guest.get(t, "/v1/invites/"+*hidden.InviteCode).problem(t).Code)
	})
}

func TestAGameThatNobodyWouldPlayOnIsResignedByLeaving(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, `{"visibility":"public","settings":{"cpu_cover":false}}`)
		m.play(t, "4")
		assert.Equal(t, "not_seated", w.guest(t, "Zofia").leaves(t, m.table.ID).problem(t).Code)
		require.Equal(t, http.StatusNoContent, m.yellow.leaves(t, m.table.ID).status)
		over := m.now(t)
		assert.Equal(t, "resignation", *over.Result.EndedBy)
		assert.Equal(t, api.SideRed, *over.Result.Winner)
		assert.Nil(t, over.PollAfterMs, "nothing follows")
		table := m.red.looks(t, m.table.ID)
		assert.Equal(t, "closed", table.Status)
		assert.Equal(t, "player_left", *table.CloseReason)
		assert.EqualValues(t, 1, table.Score.Seat1Wins)
		require.Equal(t, http.StatusNoContent, m.yellow.leaves(t, m.table.ID).status, "leaving again changes nothing")
		assert.Equal(t, over, m.now(t))
		assert.EqualValues(t, 2, *m.yellow.sits(t, m.table.ID).MySeat, "the seat stays one's own")
	})
}

func TestAGameGoesOnWithoutWhoLeftIt(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "4")
		require.Equal(t, http.StatusNoContent, m.yellow.leaves(t, m.table.ID).status)
		left := m.now(t)
		assert.Equal(t, presenceAway, *left.Yellow.Presence)
		assert.Equal(t, controllerCPU, *left.Yellow.Controller)
		require.Equal(t, http.StatusNoContent, m.yellow.leaves(t, m.table.ID).status, "leaving again changes nothing")
		assert.Equal(t, left, m.now(t))
		w.Pass(t, time.Second)
		assert.Equal(t, "hc", m.now(t).Movers)
		assert.Equal(t, presenceAway, *m.yellow.reads(t, m.game).Yellow.Presence, "looking doesn't bring anybody back")

		back := m.yellow.sits(t, m.table.ID)
		assert.EqualValues(t, 2, *back.MySeat)
		assert.Equal(t, "playing", back.Status)
		returned := m.now(t)
		assert.Equal(t, presenceHere, *returned.Yellow.Presence)
		assert.Equal(t, controllerPlayer, *returned.Yellow.Controller)
		m.red.post(t, gamePath(m.game)+"/resignation", "")
		assert.Equal(t, "between_games", m.red.looks(t, m.table.ID).Status, "who came back hasn't left")
	})
}

func TestTheTableClosesWithTheGameOfWhoLeftIt(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for _, hostLeaves := range []bool{true, false} {
			m := w.match(t, public)
			goes, stays, reason := m.yellow, m.red, "player_left"
			if hostLeaves {
				goes, stays, reason = m.red, m.yellow, "host_left"
			}
			require.Equal(t, http.StatusNoContent, goes.leaves(t, m.table.ID).status)
			assert.Equal(t, "playing", stays.looks(t, m.table.ID).Status)
			stays.post(t, gamePath(m.game)+"/resignation", "")
			table := stays.looks(t, m.table.ID)
			assert.Equal(t, "closed", table.Status)
			assert.Equal(t, reason, *table.CloseReason)
			assert.Nil(t, stays.reads(t, m.game).NextFirstSeat, "nothing follows")
		}
	})
}
