package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestHintsAreCountedOnceAPlyAndAreNews(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		before := m.play(t, quick)
		path := gamePath(m.game) + "?wait=30&after_version=" + strconv.FormatInt(before.Version, 10)
		hears := later(t, w, func() answer { return m.yellow.get(t, path) })
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { assert.Equal(t, http.StatusOK, m.red.hint(t, m).status) })
		}
		all.Wait()
		g := m.yellow.reads(t, m.game)
		assert.EqualValues(t, 1, *g.Red.HintsUsed, "asking again for the same ply costs nothing")
		assert.EqualValues(t, 0, *g.Yellow.HintsUsed)
		assert.Equal(t, before.Version+1, g.Version)
		assert.Equal(t, g.Red.HintsUsed, decode[api.Game](t, within(t, hears), http.StatusOK).Red.HintsUsed, "the poll is answered")
		ply := len(quick)
		m.red.plays(t, m.game, 2, ply+1)
		assert.Equal(t, http.StatusOK, m.yellow.hint(t, m).status)
		m.yellow.plays(t, m.game, 2, ply+2)
		assert.Equal(t, http.StatusOK, m.red.hint(t, m).status)
		g = m.red.plays(t, m.game, 2, ply+3)
		assert.EqualValues(t, 2, *g.Red.HintsUsed)
		assert.EqualValues(t, 1, *g.Yellow.HintsUsed)
		assert.EqualValues(t, ply+4+3, g.Version, "nothing but plies and hints")
	}, configured("RATE_LIMIT=off"), standingStill)
}

func TestAHintEndsWhereTheGameWouldAndComesTooLateAfterTheDeadline(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		dead := deadGame(t)
		most := len(dead) - 4
		goesOn := w.match(t, `{"visibility":"public","settings":{"end_dead_positions":false}}`)
		goesOn.play(t, dead[:most])
		ends := w.match(t, public)
		ends.play(t, dead[:most])
		mover := func(m match) player { return []player{m.red, m.yellow}[most%2] }
		long, short := position(t, mover(goesOn).hint(t, goesOn)), position(t, mover(ends).hint(t, ends))
		assert.Equal(t, long.Columns, short.Columns, "a dead position is a draw either way")
		assert.True(t, strings.HasPrefix(*long.PrincipalLine, *short.PrincipalLine))
		p, err := board.Parse(short.Moves + *short.PrincipalLine)
		require.NoError(t, err)
		assert.True(t, p.Over() || p.Dead())

		late := w.match(t, clock30)
		w.db.Clock.Advance(time.Minute)
		refused := late.red.hint(t, late)
		assert.Equal(t, http.StatusConflict, refused.status)
		assert.Equal(t, "time_is_up", refused.problem(t).Code)
		assert.Equal(t, controllerCPU, *refused.problem(t).Game.Red.Controller, "the deadline is applied")
	}, insightful, calm)
}

// bookless readers have a second for what takes minutes.
func bookless(w *world) {
	w.wired(func(d *service.Outside) {
		w.readers = solver.NewPool(1, solver.Options{EarlyTableBits: 16})
		d.Readers = w.readers
	})
}

func TestASearchCutShortClaimsNoScoreItDoesNotHave(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), insightful, bookless)
	p := w.guest(t, "Ola")
	began := time.Now() //nolint:forbidigo // the solver goes by the real clock
	cut := position(t, p.get(t, "/v1/positions/-"))
	assert.Less(t, time.Since(began), 5*time.Second) //nolint:forbidigo // see above
	assert.False(t, cut.Exact)
	assert.Len(t, cut.Columns, board.Columns)
	assert.Nil(t, cut.PrincipalLine)
	for i, want := range []int32{-2, -1, 0, 1, 0, -1, -2} {
		c := cut.Columns[i]
		if c.Score != nil {
			assert.Equal(t, want, *c.Score)
		}
		if c.Outcome != nil {
			assert.Equal(t, want > 0, *c.Outcome == api.HeldOutcomeWin)
			assert.Equal(t, want < 0, *c.Outcome == api.HeldOutcomeLoss)
		}
		assert.Equal(t, c.Score != nil && *c.Score != 0, c.PliesToEnd != nil)
	}

	m := w.match(t, public)
	m.play(t, "1213141")
	unfinished := decode[api.GameAnalysis](t, p.analyses(t, m), http.StatusOK)
	assert.False(t, unfinished.Exact)
	assert.NotNil(t, unfinished.PollAfterMs, "ask again")
	assert.Equal(t, verdictBest, *unfinished.Plies[6].Verdict, "what is certain is said")
	for _, ply := range unfinished.Plies {
		for _, c := range ply.Columns {
			assert.False(t, c.Score == nil && c.PliesToEnd != nil)
		}
	}
}

func TestWhoFindsNoReaderIsAskedToComeAgain(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), insightful, bookless)
	p := w.guest(t, "Ola")
	const late = "/v1/positions/7422341735647741166133573473242566"
	known := position(t, p.get(t, late))
	require.True(t, known.Exact)
	require.NoError(t, w.readers.Do(t.Context(), func(*solver.Solver) error {
		busy := p.get(t, "/v1/positions/44")
		assert.Equal(t, http.StatusServiceUnavailable, busy.status)
		assert.Equal(t, "unavailable", busy.problem(t).Code)
		assert.Equal(t, "1", busy.header.Get("Retry-After"))
		assert.Equal(t, http.StatusOK, w.get(t, "/v1/positions/44").status, "without scores nobody waits")
		assert.Equal(t, known, position(t, p.get(t, late)), "for what is known neither")
		return nil
	}))
}
