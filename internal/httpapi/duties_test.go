package httpapi_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
)

// pace is how long the CPU lets people see their own disc.
const pace = 400 * time.Millisecond

// pass lets time go by in steps of a second, each with all that falls due in it. Longer steps would look like an
// outage of the service.
func (w *world) pass(t *testing.T, d time.Duration) {
	t.Helper()
	for d > 0 {
		step := min(d, time.Second)
		w.db.Clock.Advance(step)
		d -= step
		w.work(t)
	}
}

// work does what is due now.
func (w *world) work(t *testing.T) {
	t.Helper()
	require.NoError(t, w.duty.Beat(t.Context()))
	require.NoError(t, w.duty.WriteAttendance(t.Context()))
	for range 5 { // what was done may make more due at once
		turns, claimed, err := w.duty.Sweep(t.Context())
		require.NoError(t, err)
		for _, turn := range turns {
			require.NoError(t, w.duty.MoveCPU(t.Context(), turn, cpu.Calm))
		}
		if claimed == 0 {
			return
		}
	}
}

// unbroken are duties of a service that was never down, however the clock jumps.
type unbroken struct{ service.DutyStore }

// Beat finds no outage.
func (u unbroken) Beat(ctx context.Context, at time.Time, _ time.Duration, since time.Time) (game.Outages, error) {
	return u.DutyStore.Beat(ctx, at, 10_000*time.Hour, since)
}

// calm keeps the service up while the clock jumps.
func calm(w *world) { w.calm = true }

// sweep attends to the timers and returns the turns of the CPU, not yet played.
func (w *world) sweep(t *testing.T) []service.Turn {
	t.Helper()
	turns, _, err := w.duty.Sweep(t.Context())
	require.NoError(t, err)
	return turns
}

// passWith lets time go by while some players read their game every ten seconds, so that they are here.
func (w *world) passWith(t *testing.T, d time.Duration, game uuid.UUID, here ...player) {
	t.Helper()
	const often = 10 * time.Second
	tick := w.tick
	w.tick = 0
	defer func() { w.tick = tick }()
	for ; d > 0; d -= often {
		for _, p := range here {
			p.reads(t, game)
		}
		w.pass(t, min(d, often))
	}
}

// says says here or away.
func (p player) says(t *testing.T, table uuid.UUID, state api.PresenceChoice) api.GameTable {
	t.Helper()
	return decode[api.GameTable](t, p.send(t, http.MethodPut, tablePath(table)+"/presence", `{"state":"`+string(state)+`"}`), http.StatusOK)
}

// leaves leaves a table.
func (p player) leaves(t *testing.T, table uuid.UUID) answer {
	t.Helper()
	return p.send(t, http.MethodDelete, tablePath(table)+"/seats/me", "")
}

// sits comes back to its seat, or takes the free one of a public table.
func (p player) sits(t *testing.T, table uuid.UUID) api.GameTable {
	t.Helper()
	return decode[api.GameTable](t, p.post(t, tablePath(table)+"/seats", ""), http.StatusOK)
}
