package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestTheCPUPlaysForWhoIsAway(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		covered := m.now(t)
		assert.Equal(t, controllerCPU, *covered.Yellow.Controller, "cover holds whoever's turn it is")
		assert.Equal(t, controllerPlayer, *covered.Red.Controller)
		assert.True(t, covered.CanMove)

		thinking := m.red.plays(t, m.game, 4, 1)
		assert.EqualValues(t, 500, *thinking.PollAfterMs, "it won't be long")
		assert.True(t, m.yellow.reads(t, m.game).CanMove, "a move would bring its owner back")
		w.Pass(t, time.Second)
		answered := m.now(t)
		assert.Equal(t, "hc", answered.Movers)
		assert.Equal(t, moverCPU, answered.LastMove.MadeBy)
		assert.Equal(t, "human", answered.Yellow.Kind, "the seat stays its owner's")
		assert.Equal(t, m.yellow.id, *answered.Yellow.ProfileID)
		moves := decode[api.MoveList](t, m.red.get(t, gamePath(m.game)+"/moves"), http.StatusOK).Items
		assert.Equal(t, []api.Mover{moverPlayer, moverCPU}, []api.Mover{moves[0].MadeBy, moves[1].MadeBy})

		m.red.plays(t, m.game, 3, 3)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceHere)
		assert.True(t, m.yellow.reads(t, m.game).CanMove, "from its return on the next move is the owner's")
		w.Pass(t, 5*time.Second)
		assert.EqualValues(t, 3, m.now(t).Ply)
		assert.Equal(t, "hchh", m.yellow.plays(t, m.game, 7, 4).Movers)
	})
}

func TestTheCPUTakesItsTime(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.plays(t, m.game, 4, 1)
		w.db.Clock.Advance(testkit.CPUPace - time.Millisecond)
		assert.Empty(t, w.sweep(t))
		w.db.Clock.Advance(time.Millisecond)
		assert.Len(t, w.sweep(t), 1)
	}, standingStill)
}

// The owner returns while the CPU thinks.
func TestNoMoveOfTheCPUFollowsAReturn(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.plays(t, m.game, 4, 1)
		w.db.Clock.Advance(time.Second)
		turns := w.sweep(t)
		require.Len(t, turns, 1)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceHere)
		require.NoError(t, w.Timers.MoveCPU(t.Context(), turns[0], cpu.Calm))
		assert.Equal(t, "h", m.now(t).Movers)
		assert.Equal(t, "hh", m.yellow.plays(t, m.game, 3, 2).Movers)
		require.NoError(t, w.Timers.MoveCPU(t.Context(), turns[0], cpu.Calm))
		assert.EqualValues(t, 2, m.now(t).Ply)
	})
}

func TestAnOwnerWhoComesAfterTheCPUIsToldSo(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.plays(t, m.game, 4, 1)
		w.Pass(t, time.Second)
		cpus := m.now(t)
		late := m.yellow.move(t, m.game, int(cpus.LastMove.Column), 2).problem(t)
		assert.Equal(t, "stale_ply", late.Code, "also in the same column: the CPU made it")
		assert.Equal(t, "hc", late.Game.Movers)
	})
}

// The owner, the CPU and the owner's return at once: one disc, and everybody agrees whose.
func TestTheOwnerAndTheCPUMoveAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for range 10 {
			m := w.match(t, public)
			m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
			m.red.plays(t, m.game, 4, 1)
			w.db.Clock.Advance(time.Second)
			turns := w.sweep(t)
			require.Len(t, turns, 1)
			moved := make(chan answer, 1)
			go func() { moved <- m.yellow.move(t, m.game, 1, 2) }()
			require.NoError(t, w.Timers.MoveCPU(t.Context(), turns[0], cpu.Calm))
			owner, after := within(t, moved), m.now(t)
			assert.EqualValues(t, 2, after.Ply)
			if owner.status == http.StatusOK {
				assert.Equal(t, "41", after.Moves)
				assert.Equal(t, "hh", after.Movers)
			} else {
				assert.Equal(t, "stale_ply", owner.problem(t).Code)
				assert.Equal(t, "hc", after.Movers)
			}
		}
	}, configured("RATE_LIMIT=off"))
}

func TestAnOpponentCannotStarveTheCPU(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.plays(t, m.game, 4, 1)
		w.db.Clock.Advance(time.Second)
		turns := w.sweep(t)
		require.Len(t, turns, 1)
		before := m.now(t)
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.says(t, m.table.ID, api.PresenceChoiceHere)
		assert.Greater(t, m.now(t).Version, before.Version)
		require.NoError(t, w.Timers.MoveCPU(t.Context(), turns[0], cpu.Calm))
		assert.Equal(t, "hc", m.now(t).Movers, "a change of version alone doesn't void its move")
	})
}

func TestPresenceToggledTwentyTimesIsOneDisc(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.red.plays(t, m.game, 4, 1)
		for range 20 {
			m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
			turns := w.sweep(t)
			m.yellow.says(t, m.table.ID, api.PresenceChoiceHere)
			for _, turn := range turns {
				require.NoError(t, w.Timers.MoveCPU(t.Context(), turn, cpu.Calm))
			}
		}
		assert.EqualValues(t, 1, m.now(t).Ply)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		w.Pass(t, 5*time.Second)
		assert.Equal(t, "hc", m.now(t).Movers)
	})
}

func TestWithCoverOffNobodyIsCovered(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, `{"visibility":"public","settings":{"cpu_cover":false}}`)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.plays(t, m.game, 4, 1)
		w.Pass(t, 5*time.Second)
		g := m.now(t)
		assert.Equal(t, "h", g.Movers)
		assert.Equal(t, presenceAway, *g.Yellow.Presence)
		assert.Equal(t, controllerPlayer, *g.Yellow.Controller)
	})
}

func TestACoveredGameIsPlayedToItsEnd(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		g := m.now(t)
		for g.Result == nil {
			g = m.red.plays(t, m.game, int(g.LegalColumns[0]), int(g.Ply)+1)
			w.Pass(t, time.Second)
			g = m.now(t)
		}
		assert.Equal(t, strings.Repeat("hc", int(g.Ply+1)/2)[:g.Ply], g.Movers)
		ply := g.Ply
		w.Pass(t, 5*time.Second)
		assert.Equal(t, ply, m.now(t).Ply, "after the end nobody moves")
		assert.Equal(t, "between_games", m.red.looks(t, m.table.ID).Status)
	})
}
