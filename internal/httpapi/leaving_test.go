package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// leavesForGood deletes the player.
func (p player) leavesForGood(t *testing.T) {
	t.Helper()
	require.Equal(t, http.StatusNoContent, p.send(t, http.MethodDelete, "/v1/me", "").status)
}

func (w *world) erases(t *testing.T) {
	t.Helper()
	require.NoError(t, w.Leaving.Erase(t.Context()))
}

func TestADeletedPlayerIsGoneEverywhere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		other := serve(t, w.db)
		m := w.match(t, public)
		old := w.match(t, public)
		finished := old.play(t, redWins)
		m.play(t, "44")
		waiting := m.red.opens(t, public)
		phone := m.red.another(t)
		code := m.red.code(t)
		waits := later(t, w, func() answer { return phone.get(t, gamePath(m.game)+"?wait=30&after_version=3") })
		hears := later(t, w, func() answer { return m.yellow.get(t, gamePath(m.game)+"?wait=30&after_version=3") })

		m.red.leavesForGood(t)
		old.red.leavesForGood(t)

		assert.Equal(t, "unauthenticated", within(t, waits).problem(t).Code)
		heard := decode[api.Game](t, within(t, hears), http.StatusOK)
		assert.Equal(t, "deleted", heard.Red.Kind)
		assert.Nil(t, heard.Red.ProfileID)
		assert.Nil(t, heard.Red.DisplayName)
		assert.Equal(t, controllerCPU, *heard.Red.Controller, "the game goes to cover")
		for _, gone := range []player{m.red, phone} {
			assert.Equal(t, http.StatusUnauthorized, gone.get(t, "/v1/me").status)
			assert.Equal(t, http.StatusUnauthorized, gone.move(t, m.game, 1, 3).status)
		}
		assert.Equal(t, http.StatusNotFound, w.get(t, "/v1/profiles/"+m.red.id.String()).status)
		assert.Equal(t, "code_expired", w.comesIn(t, code.Code).problem(t).Code)
		closed := decode[api.GameTable](t, w.get(t, tablePath(waiting.ID)), http.StatusOK)
		assert.Equal(t, "profile_deleted", *closed.CloseReason)
		assert.Nil(t, closed.HostProfileID)
		w.db.Clock.Advance(2 * time.Second)
		for _, refused := range []answer{
			m.red.at(other).get(t, "/v1/me"), m.red.at(other).triesToOpen(t), m.red.at(other).send(t, http.MethodPatch, "/v1/me", nameBody(t, "Ola")),
		} {
			assert.Equal(t, http.StatusUnauthorized, refused.status)
		}

		w.erases(t)
		after := old.yellow.reads(t, old.game)
		assert.Equal(t, "deleted", after.Red.Kind)
		assert.Greater(t, after.Version, finished.Version, "a deletion grows the version")
		for _, path := range []string{gamePath(m.game), gamePath(old.game), tablePath(m.table.ID), tablePath(old.table.ID), tablePath(waiting.ID)} {
			for _, id := range []string{m.red.id.String(), old.red.id.String(), `"Ola"`} {
				assert.NotContains(t, string(w.get(t, path).body), id, path)
			}
		}
	}, standingStill, configured("RATE_LIMIT=off"))
}

// triesToOpen tries to open a table.
func (p player) triesToOpen(t *testing.T) answer {
	t.Helper()
	return p.post(t, "/v1/tables", public)
}

func TestADeletedPlayerBlocksNobody(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		covered, alone := w.match(t, public), w.match(t, `{"visibility":"public","settings":{"cpu_cover":false}}`)
		covered.play(t, "1")
		alone.play(t, "1212121")
		covered.red.leavesForGood(t)
		alone.yellow.leavesForGood(t)
		resigned := alone.red.looks(t, alone.table.ID)
		assert.Equal(t, "profile_deleted", *resigned.CloseReason)
		assert.EqualValues(t, 1, resigned.Score.Games)
		w.erases(t)
		w.db.Clock.Advance(time.Second)
		ply := 2
		for g := covered.yellow.plays(t, covered.game, 2, ply); g.Status == "in_progress"; g = covered.yellow.reads(t, covered.game) {
			w.Work(t)
			w.db.Clock.Advance(time.Second)
			if g.CanMove {
				covered.yellow.plays(t, covered.game, int(g.LegalColumns[0]), int(g.Ply)+1)
			}
		}
		table := covered.yellow.looks(t, covered.table.ID)
		assert.Equal(t, "profile_deleted", *table.CloseReason)
		assert.Equal(t, "deleted", *table.Seats[0].Kind)
		won := decode[api.Profile](t, w.get(t, "/v1/profiles/"+alone.red.id.String()), http.StatusOK)
		assert.EqualValues(t, 1, won.Record.People.Games, "counts stay")
	}, calm)
}

func TestTwoDeletedOpponentsStayTwo(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		m.red.leavesForGood(t)
		m.yellow.leavesForGood(t)
		w.erases(t)
		g := decode[api.Game](t, w.get(t, gamePath(m.game)), http.StatusOK)
		assert.Equal(t, []string{"deleted", "deleted"}, []string{g.Red.Kind, g.Yellow.Kind})
		assert.NotEqual(t, g.Red.Seat, g.Yellow.Seat)
		table := decode[api.GameTable](t, w.get(t, tablePath(m.table.ID)), http.StatusOK)
		assert.Equal(t, []string{"deleted", "deleted"}, []string{*table.Seats[0].Kind, *table.Seats[1].Kind})
		assert.EqualValues(t, 1, table.Score.Games)
	})
}

// What opponents have played and won is as it was, but for who it was against.
func TestOpponentsOfADeletedPlayerKeepWhatTheyHave(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, `{"visibility":"public","ranked":true}`)
		m.play(t, redWins)
		path := "/v1/profiles/" + m.yellow.id.String()
		profile := decode[api.Profile](t, w.get(t, path), http.StatusOK)
		games := decode[api.PlayedGameList](t, w.get(t, path+"/games"), http.StatusOK)
		ratings := decode[api.RatingStepList](t, w.get(t, path+"/ratings"), http.StatusOK)
		require.Len(t, games.Items, 1)
		m.red.leavesForGood(t)
		w.erases(t)
		assert.Equal(t, profile, decode[api.Profile](t, w.get(t, path), http.StatusOK))
		assert.Equal(t, ratings, decode[api.RatingStepList](t, w.get(t, path+"/ratings"), http.StatusOK))
		opponent := &games.Items[0].Opponent
		opponent.Kind, opponent.ProfileID, opponent.DisplayName = "deleted", nil, nil
		assert.Equal(t, games, decode[api.PlayedGameList](t, w.get(t, path+"/games"), http.StatusOK))
		assert.Equal(t, http.StatusNotFound, w.get(t, path+"/record?against="+m.red.id.String()).status)
		assert.Empty(t, listed(t, w.get(t, path+"/games?opponent="+m.red.id.String())), "nor does a filter tell")
	})
}

func TestAnExportHoldsEverything(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		secret := w.match(t, private)
		secret.play(t, "4")
		m.red.code(t)
		phone := m.red.another(t)
		waiting := m.red.opens(t, `{"client_ref":"01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12"}`)
		got := m.red.get(t, "/v1/me/export")
		all := decode[api.PlayerExport](t, got, http.StatusOK)
		assert.Equal(t, decode[api.OwnProfile](t, m.red.get(t, "/v1/me"), http.StatusOK), all.Profile)
		assert.Len(t, all.Devices, 2)
		assert.Len(t, all.DeviceCodes, 1, "one is used")
		require.Len(t, all.Games, 1)
		assert.Equal(t, redWins, all.Games[0].Moves)
		shown := decode[api.MoveList](t, m.red.get(t, gamePath(m.game)+"/moves"), http.StatusOK).Items
		assert.Equal(t, []api.ExportedMoves{{GameID: m.game, Items: shown}}, all.Moves, "with their times")
		require.Len(t, all.Tables, 2)
		assert.Equal(t, waiting.ID, all.Tables[0].Table.ID)
		assert.Equal(t, "01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12", all.Tables[0].ClientRef.String())
		assert.NotNil(t, all.Tables[1].LastSeenAt)
		assert.NotContains(t, string(got.body), phone.token)
		assert.NotContains(t, string(got.body), secret.table.ID.String(), "nobody else's")
		assert.Equal(t, http.StatusUnauthorized, w.get(t, "/v1/me/export").status)
	})
}

// Somebody who deletes itself sits down at the same time, again and again.
func TestNobodySitsDownWhoHasLeftForGood(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Zofia")
		for range 15 {
			p, table := w.guest(t, "Ola"), host.opens(t, public)
			sits := make(chan answer, 1)
			go func() { sits <- p.post(t, tablePath(table.ID)+"/seats", "") }()
			p.leavesForGood(t)
			sat := <-sits
			require.True(t, slices.Contains([]int{http.StatusOK, http.StatusUnauthorized}, sat.status), "%s", sat.body)
			now := host.looks(t, table.ID)
			if now.Status == "waiting" {
				require.Equal(t, http.StatusUnauthorized, sat.status)
			} else {
				require.Equal(t, "deleted", *now.Seats[1].Kind)
			}
			require.Equal(t, http.StatusNoContent, host.send(t, http.MethodDelete, tablePath(table.ID)+"/seats/me", "").status)
			if now.Status != "waiting" {
				w.db.Clock.Advance(time.Second)
			}
		}
		assert.NotContains(t, strings.ToLower(w.log.String()), "deadlock")
	}, configured("RATE_LIMIT=off", "OPEN_TABLES_PER_PROFILE=100"), standingStill)
}
