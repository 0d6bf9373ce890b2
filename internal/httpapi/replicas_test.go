package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// at returns the player as a client of another replica.
func (p player) at(w *world) player {
	p.world = w
	return p
}

func TestAnyReplicaServesAnyRequest(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		other := serve(t, w.db)
		m := w.match(t, public)
		m.red.plays(t, m.game, 4, 1)
		assert.Equal(t, "44", m.yellow.at(other).plays(t, m.game, 4, 2).Moves)
		assert.Equal(t, "44", m.red.reads(t, m.game).Moves)
		m.yellow.at(other).says(t, m.table.ID, api.PresenceChoiceAway)
		assert.Equal(t, controllerCPU, *m.red.reads(t, m.game).Yellow.Controller)
		m.red.plays(t, m.game, 3, 3)
		other.Pass(t, time.Second)
		assert.Equal(t, "hhhc", m.red.reads(t, m.game).Movers, "either does what is due")
	})
}

func TestAWaitIsEndedByAnotherReplica(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		other := serve(t, w.db)
		m := w.match(t, public)
		state := m.yellow.mine(t, "").State
		atGame := later(t, w, func() answer { return m.yellow.get(t, gamePath(m.game)+"?after_version=1&wait=30") })
		atTable := later(t, w, func() answer { return w.get(t, tablePath(m.table.ID)+"?wait=30", ifNoneMatch(`W/"2.1"`)...) })
		atAll := later(t, w, func() answer { return m.yellow.get(t, "/v1/me/tables?wait=30&after_state="+state) })
		require.NoError(t, w.Changes.Compare(t.Context(), w.Hub, w.Hub.Watched()))
		assert.Equal(t, 3, w.Hub.Waiting(), "nothing has changed")
		m.red.at(other).plays(t, m.game, 4, 1)
		require.NoError(t, w.Changes.Compare(t.Context(), w.Hub, w.Hub.Watched()))
		assert.EqualValues(t, 2, decode[api.Game](t, within(t, atGame), http.StatusOK).Version)
		assert.EqualValues(t, 1, decode[api.GameTable](t, within(t, atTable), http.StatusOK).CurrentGame.Ply)
		assert.EqualValues(t, 1, decode[api.MyTables](t, within(t, atAll), http.StatusOK).Items[0].CurrentGame.Ply)
	})
}

func TestWhoTalksToOneReplicaIsHereForAll(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		other := serve(t, w.db)
		m := w.match(t, public)
		heard := later(t, w, func() answer { return m.yellow.get(t, gamePath(m.game)+"?after_version=1&wait=30") })
		for range 60 {
			w.db.Clock.Advance(time.Second)
			require.NoError(t, w.Presence.Write(t.Context()))
			m.red.at(other).reads(t, m.game)
			other.Work(t)
		}
		assert.EqualValues(t, 1, m.red.at(other).reads(t, m.game).Version, "both are here")
		m.red.plays(t, m.game, 4, 1)
		assert.Equal(t, http.StatusOK, within(t, heard).status)
	}, standingStill, configured("RATE_LIMIT=off"))
}

// A clock is kept in the database, not in the process that started it.
func TestAClockSurvivesARestart(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, losing)
		m.play(t, "4")
		w.Pass(t, 10*time.Second)
		w.Hub.Stop()
		next := serve(t, w.db, standingStill)
		assert.EqualValues(t, 20_000, *m.red.at(next).reads(t, m.game).RemainingMs)
		next.passWith(t, 20*time.Second, m.game, m.red.at(next), m.yellow.at(next))
		assert.Nil(t, m.red.at(next).reads(t, m.game).Result)
		next.Pass(t, time.Second)
		assert.Equal(t, "timeout", *m.red.at(next).reads(t, m.game).Result.EndedBy)
	}, standingStill)
}
