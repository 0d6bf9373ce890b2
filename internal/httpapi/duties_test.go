package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// calm keeps the service up while the clock jumps.
func calm(w *world) { w.wired(testkit.Unbroken) }

// sweep attends to the timers and returns the turns of the CPU, not yet played.
func (w *world) sweep(t *testing.T) []service.Turn {
	t.Helper()
	turns, _, err := w.Timers.Sweep(t.Context())
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
		w.Pass(t, min(d, often))
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
