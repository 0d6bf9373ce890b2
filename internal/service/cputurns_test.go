package service_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// hurried is a CPU in whose thinking something happens, and which then plays what it has found so far.
type hurried struct{ meanwhile func() }

// Choose plays column 1.
func (h hurried) Choose(context.Context, board.Position, []board.Column, level.Name, uint64) (board.Column, error) {
	h.meanwhile()
	return 1, solver.ErrCutShort
}

// cuts counts the moves that were cut short.
type cuts struct {
	testkit.Deaf

	n *int
}

// CutShort counts one.
func (c cuts) CutShort() { *c.n++ }

func TestAHurriedMoveIsPlayedButNoneOfAServiceThatIsToldToStop(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		meanwhile, cut := func() {}, 0
		w := newWorld(t, db, func(d *service.Outside) {
			d.Chooser, d.Observe = hurried{meanwhile: func() { meanwhile() }}, cuts{n: &cut}
		})
		m := w.match(t, service.NewTable{})
		_, err := w.Tables.SetPresence(t.Context(), m.red, m.table, true)
		require.NoError(t, err)
		turn := service.Turn{Game: m.now(t)}
		require.True(t, turn.Game.CPUToMove())

		stopped, stop := context.WithCancel(t.Context())
		meanwhile = stop
		require.ErrorIs(t, w.Timers.MoveCPU(stopped, turn, cpu.Calm), context.Canceled)
		assert.Empty(t, m.now(t).Moves, "who works on it next has the time to think")
		assert.Zero(t, cut)

		meanwhile = func() {}
		require.NoError(t, w.Timers.MoveCPU(t.Context(), turn, cpu.Calm))
		assert.Equal(t, "1", m.now(t).Moves)
		assert.Equal(t, 1, cut)
	})
}

func TestATurnAtALevelThatIsUnknownHereIsLeftToAProgramThatKnowsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.SQLite(t))
	m := w.match(t, service.NewTable{})
	_, err := w.Tables.SetPresence(t.Context(), m.red, m.table, true)
	require.NoError(t, err)
	turn := service.Turn{Game: m.now(t)}
	turn.Game.Settings.CoverLevel = "grandmaster"
	for _, load := range []cpu.Load{cpu.Calm, cpu.Busy, cpu.Crowded} {
		err = w.Timers.MoveCPU(t.Context(), turn, load)
		assert.True(t, fault.Is(err, fault.Away), "%v", err)
		require.ErrorContains(t, err, `no such level: "grandmaster"`)
	}
	assert.Empty(t, m.now(t).Moves)
}
