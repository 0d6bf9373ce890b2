package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

func TestWhoTriesToMoveIsBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		goes := map[string]func(p player, m match){
			"said away": func(p player, m match) { p.says(t, m.table.ID, api.PresenceChoiceAway) },
			"left":      func(p player, m match) { p.leaves(t, m.table.ID) },
		}
		for what, row := range map[string]struct {
			column, ply int
			status      int
			code        string
		}{
			"a stale ply":            {4, 8, http.StatusConflict, "stale_ply"},
			"a ply that lies ahead":  {4, 12, http.StatusConflict, "stale_ply"},
			"a ply of the other's":   {1, 9, http.StatusConflict, "not_your_turn"},
			"a move sent once more":  {4, 6, http.StatusOK, ""},
			"a ply that cannot be":   {4, 0, http.StatusBadRequest, "invalid_request"},
			"a column there is none": {8, 10, http.StatusBadRequest, "invalid_request"},
		} {
			for how, away := range goes {
				m := w.match(t, public)
				m.play(t, "44444455") // the next ply is red's
				away(m.yellow, m)
				require.Equal(t, presenceAway, *m.red.reads(t, m.game).Yellow.Presence)

				tried := m.yellow.move(t, m.game, row.column, row.ply)

				require.Equal(t, row.status, tried.status, "%s after %s", what, how)
				now := m.red.reads(t, m.game)
				if row.status == http.StatusBadRequest {
					assert.Equal(t, presenceAway, *now.Yellow.Presence, "%s after %s is no try", what, how)
					continue
				}
				assert.Equal(t, presenceHere, *now.Yellow.Presence, "%s after %s", what, how)
				if row.code != "" {
					assert.Equal(t, row.code, tried.problem(t).Code)
					assert.Equal(t, presenceHere, *tried.problem(t).Game.Yellow.Presence, "the answer says so too")
				}
				m.red.post(t, gamePath(m.game)+"/resignation", "")
				assert.Equal(t, "between_games", m.red.looks(t, m.table.ID).Status, "it has not left any more")
			}
		}
	}, configured("RATE_LIMIT=off"), standingStill)
}

func TestWhoTriesAFullColumnIsBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "444444")
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		tried := m.red.move(t, m.game, 4, 7)
		require.Equal(t, http.StatusUnprocessableEntity, tried.status)
		assert.Equal(t, "column_full", tried.problem(t).Code)
		assert.Equal(t, presenceHere, *tried.problem(t).Game.Red.Presence)
		assert.Equal(t, presenceHere, *m.yellow.reads(t, m.game).Red.Presence)
		assert.Equal(t, http.StatusOK, m.red.move(t, m.game, 3, 7).status)
	}, standingStill)
}

func TestWhoTriesToMoveAfterTheEndIsBackForTheNextGame(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		m.yellow.agrees(t, m.table.ID, m.game)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		m.yellow.agrees(t, m.table.ID, m.game)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		before := m.now(t)
		assert.Equal(t, "game_finished", m.yellow.move(t, m.game, 1, 8).problem(t).Code)
		assert.Equal(t, before, m.now(t), "an agreement that was taken back is not given by it")
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		m.yellow.agrees(t, m.table.ID, m.game)
		assert.Equal(t, "game_finished", m.red.move(t, m.game, 1, 8).problem(t).Code)
		m.red.agrees(t, m.table.ID, m.game)
		next := m.red.looks(t, m.table.ID)
		require.Equal(t, "playing", next.Status)
		assert.Equal(t, presenceHere, *m.red.reads(t, *next.CurrentGameID).Yellow.Presence)
	}, standingStill)
}

func TestAtAClosedTableNobodyComesBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		m.yellow.leaves(t, m.table.ID)
		closed := m.red.looks(t, m.table.ID)
		assert.Equal(t, "game_finished", m.yellow.move(t, m.game, 1, 8).problem(t).Code)
		assert.Equal(t, "player_left", *closed.CloseReason)
		assert.Equal(t, closed.Version, m.red.looks(t, m.table.ID).Version)
	}, standingStill)
}

func TestWhoHasLeftAndResignsHasStillLeft(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for reason, who := range map[string]func(m match) player{
			"host_left":   func(m match) player { return m.red },
			"player_left": func(m match) player { return m.yellow },
		} {
			m := w.match(t, public)
			who(m).leaves(t, m.table.ID)
			w.db.Clock.Advance(time.Second)
			over := decode[api.Game](t, who(m).post(t, gamePath(m.game)+"/resignation", ""), http.StatusOK)
			assert.Equal(t, "resignation", *over.Result.EndedBy)
			closed := m.red.looks(t, m.table.ID)
			assert.Equal(t, "closed", closed.Status)
			assert.Equal(t, reason, *closed.CloseReason)
			assert.Nil(t, over.PollAfterMs, "nothing follows")
		}
	}, standingStill)
}
