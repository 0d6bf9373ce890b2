package httpapi_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestAGameIsAnalysedOnceWhenItIsOver(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		stranger := w.guest(t, "Zofia")
		m, hidden := w.match(t, public), w.match(t, private)
		m.play(t, "12131")
		running := m.red.analyses(t, m)
		assert.Equal(t, http.StatusConflict, running.status)
		assert.Equal(t, "game_running", running.problem(t).Code)
		assert.Equal(t, "12131", running.problem(t).Game.Moves)
		m.yellow.plays(t, m.game, 4, 6)
		m.red.plays(t, m.game, 1, 7)
		hidden.play(t, "44")
		assert.Equal(t, http.StatusOK, hidden.red.post(t, gamePath(hidden.game)+"/resignation", "").status)
		assert.Equal(t, "not_found", stranger.analyses(t, hidden).problem(t).Code)
		assert.Len(t, decode[api.GameAnalysis](t, hidden.yellow.analyses(t, hidden), http.StatusOK).Plies, 2)
		assert.Equal(t, "unauthenticated", w.get(t, gamePath(m.game)+"/analysis").problem(t).Code)

		var all sync.WaitGroup
		answers := make([]api.GameAnalysis, 6)
		for i := range answers {
			all.Go(func() { answers[i] = decode[api.GameAnalysis](t, stranger.analyses(t, m), http.StatusOK) })
		}
		all.Wait()
		for _, a := range answers {
			assert.Equal(t, answers[0], a)
			assert.True(t, a.Exact)
			assert.Nil(t, a.PollAfterMs)
		}
		w.db.Statements.Reset()
		assert.Equal(t, answers[0], decode[api.GameAnalysis](t, stranger.analyses(t, m), http.StatusOK))
		assert.Zero(t, w.db.Statements.Reset().Writes, "it is kept")
		for _, statement := range []string{"DELETE FROM analyses", "DROP TABLE analyses"} {
			_, err := w.db.SQL(t).ExecContext(t.Context(), statement)
			require.NoError(t, err)
			again := stranger.analyses(t, m)
			assert.Equal(t, answers[0], decode[api.GameAnalysis](t, again, http.StatusOK), "after %s", statement)
		}
		resigned := w.match(t, public)
		resigned.red.post(t, gamePath(resigned.game)+"/resignation", "")
		none := decode[api.GameAnalysis](t, stranger.analyses(t, resigned), http.StatusOK)
		assert.Empty(t, none.Plies)
		assert.True(t, none.Exact)
		assert.Equal(t, api.Accuracy{Red: nil, Yellow: nil}, none.Accuracy)
	}, insightful, standingStill)
}

// The CPU's turns go first: while one is thought about, nothing is found out about a game, and nothing claimed.
func TestAnAnalysisWithoutTimeNamesTheColumnsAndTheNextOneScoresThem(t *testing.T) {
	t.Parallel()
	thinkers := solver.NewPool(1, solver.Options{})
	w := serve(t, testkit.SQLite(t), insightful, standingStill, func(w *world) {
		w.wired(func(d *service.Outside) {
			d.Readers = solver.NewPool(1, solver.Options{EarlyTableBits: 16, Book: testkit.Book(t), Behind: thinkers})
		})
	})
	m := w.match(t, public)
	m.play(t, "1213141")
	require.NoError(t, thinkers.Do(t.Context(), func(*solver.Solver) error {
		a := decode[api.GameAnalysis](t, m.red.analyses(t, m), http.StatusOK)
		assert.False(t, a.Exact)
		require.NotNil(t, a.PollAfterMs)
		require.Len(t, a.Plies, 7)
		require.Len(t, a.Plies[0].Columns, 7)
		assert.Nil(t, a.Plies[0].Verdict)
		for _, c := range a.Plies[0].Columns {
			assert.Nil(t, c.Score)
		}
		return nil
	}))
	a := decode[api.GameAnalysis](t, m.red.analyses(t, m), http.StatusOK)
	require.True(t, a.Exact)
	require.NotNil(t, a.Plies[0].Columns[3].Score)
	assert.EqualValues(t, 1, *a.Plies[0].Columns[3].Score, "the middle wins")
}

func TestScoresHintsAndAnalysesHaveALimitOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill)
	m, other := w.match(t, public), w.guest(t, "Zofia")
	assert.Equal(t, http.StatusOK, m.red.get(t, "/v1/positions/4455").status)
	assert.Equal(t, http.StatusOK, m.red.hint(t, m).status)
	limited := m.red.get(t, "/v1/positions/4455")
	assert.Equal(t, http.StatusTooManyRequests, limited.status)
	assert.Equal(t, "0", limited.header.Get("RateLimit-Remaining"))
	assert.Equal(t, http.StatusTooManyRequests, m.red.analyses(t, m).status)
	assert.Equal(t, http.StatusOK, other.get(t, "/v1/positions/4455").status, "others have their own")
	for range 5 {
		assert.Equal(t, http.StatusOK, w.get(t, "/v1/positions/4455").status, "without a token there are no scores to limit")
	}
	assert.EqualValues(t, 1, m.red.plays(t, m.game, 4, 1).Ply)
	w.db.Clock.Advance(500 * time.Millisecond)
	assert.Equal(t, http.StatusOK, m.red.get(t, "/v1/positions/4455").status)
}
