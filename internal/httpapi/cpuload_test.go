package httpapi_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// slow is a CPU that plays column 7 and never finds the time to think it through. It notes the levels it is asked for.
type slow struct{ levels []level.Name }

// Choose chooses column 7 in the time it is given, which must be short.
func (s *slow) Choose(ctx context.Context, _ board.Position, _ []board.Column, name level.Name, _ uint64) (board.Column, error) {
	s.levels = append(s.levels, name)
	if _, limited := ctx.Deadline(); !limited {
		return 0, assert.AnError
	}
	return 7, fmt.Errorf("out of time: %w", solver.ErrCutShort)
}

func TestUnderLoadTheCPUPlaysALowerLevelAndThatIsCounted(t *testing.T) {
	t.Parallel()
	chooser := &slow{}
	w := serve(t, testkit.SQLite(t), func(w *world) {
		w.wired(func(d *service.Outside) { d.Chooser = chooser })
	})
	p := w.guest(t, "Ola")
	game := *p.opens(t, `{"opponent":"cpu","cpu_level":"perfect"}`).CurrentGameID
	for i, load := range []cpu.Load{cpu.Calm, cpu.Busy, cpu.Crowded} {
		p.plays(t, game, i+1, 2*i+1)
		w.db.Clock.Advance(time.Second)
		turns, _, err := w.Timers.Sweep(t.Context())
		require.NoError(t, err)
		require.Len(t, turns, 1)
		require.NoError(t, w.Timers.MoveCPU(t.Context(), turns[0], load))
	}
	assert.Equal(t, "172737", p.reads(t, game).Moves, "what was found in time is played")
	assert.Equal(t, []level.Name{level.Perfect, level.Hard, level.Medium}, chooser.levels)
	text := scrape(t, w)
	for _, line := range []string{
		`fourinarow_cpu_lowered_turns_total{from="perfect",to="hard"} 1`,
		`fourinarow_cpu_lowered_turns_total{from="perfect",to="medium"} 1`,
		`fourinarow_cpu_cut_short_turns_total 3`,
	} {
		assert.Contains(t, text, line+"\n")
	}
}
