package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// mine lists a player's tables.
func (p player) mine(t *testing.T, query string) api.MyTables {
	t.Helper()
	return decode[api.MyTables](t, p.get(t, "/v1/me/tables"+query), http.StatusOK)
}

func idsOf(tables []api.GameTable) []uuid.UUID {
	ids := make([]uuid.UUID, len(tables))
	for i, table := range tables {
		ids[i] = table.ID
	}
	return ids
}

func TestATableThatWaitsForItsPlayerComesFirst(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p, other := w.guest(t, "Ola"), w.guest(t, "Иван")
		assert.Empty(t, p.mine(t, "").Items)
		myTurn := other.sits(t, p.opens(t, public).ID)
		theirTurn := p.sits(t, other.opens(t, public).ID)
		waiting := p.opens(t, private)
		over := other.sits(t, p.opens(t, public).ID)
		other.post(t, gamePath(*over.CurrentGameID)+"/resignation", "")
		closed := p.opens(t, public)
		p.leaves(t, closed.ID)
		other.opens(t, public)

		all := p.mine(t, "")
		assert.Equal(t, []uuid.UUID{myTurn.ID, over.ID, waiting.ID, theirTurn.ID}, idsOf(all.Items), "then the newest")
		assert.Equal(t, []uuid.UUID{myTurn.ID}, idsOf(p.mine(t, "?turn=mine").Items))
		assert.EqualValues(t, 2000, all.PollAfterMs)
		assert.EqualValues(t, 1, *all.Items[0].MySeat)
		assert.NotNil(t, all.Items[2].InviteCode)

		other.agrees(t, over.ID, *over.CurrentGameID)
		assert.Equal(t, []uuid.UUID{over.ID, myTurn.ID}, idsOf(p.mine(t, "?turn=mine").Items), "a request waits for its answer")
		p.agrees(t, over.ID, *over.CurrentGameID)
		p.plays(t, *myTurn.CurrentGameID, 4, 1)
		assert.Empty(t, p.mine(t, "?turn=mine").Items)
	}, configured("RATE_LIMIT=off"))
}

func TestOneRequestWatchesAllTables(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		one, two := w.match(t, public), w.match(t, private)
		p, other := one.red, two.red
		third := other.opens(t, public)
		p.sits(t, third.ID)
		state := p.mine(t, "").State
		assert.Equal(t, state, p.mine(t, "").State, "the same state has the same name")
		assert.Equal(t, state, p.mine(t, "?turn=mine").State, "it is the state of all of them")
		change := func(what string, deed func()) {
			heard := later(t, w, func() answer { return p.get(t, "/v1/me/tables?wait=30&after_state="+state) })
			deed()
			news := decode[api.MyTables](t, within(t, heard), http.StatusOK)
			assert.NotEqual(t, state, news.State, what)
			state = p.mine(t, "").State
		}
		change("a move at one table", func() { p.plays(t, one.game, 4, 1) })
		change("a move of the other", func() { one.yellow.plays(t, one.game, 4, 2) })
		change("a flip at another table", func() { other.says(t, third.ID, api.PresenceChoiceAway) })
		change("a new table", func() { p.opens(t, public) })
		change("an end", func() { one.yellow.post(t, gamePath(one.game)+"/resignation", "") })
		change("a request", func() { one.yellow.agrees(t, one.table.ID, one.game) })
		change("a closing", func() { one.yellow.leaves(t, one.table.ID) })
		two.play(t, "4")
		assert.Equal(t, state, p.mine(t, "").State, "the tables of others are none of its")
	}, configured("RATE_LIMIT=off"))
}

func TestOnlyWhoSaidWhichStateItHasSeenWaitsForTables(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for _, query := range []string{"?wait=30", "?wait=30&after_state=", "?wait=30&after_state=x", "?after_state=" + m.red.mine(t, "").State} {
			assert.Len(t, m.red.mine(t, query).Items, 1, query)
		}
		state := m.red.mine(t, "").State
		assert.Equal(t, state, m.red.mine(t, "?wait=1&after_state="+state).State, "a wait that brings nothing ends")
		assert.Zero(t, w.Hub.Waiting())
		for query, pointer := range map[string]string{
			"?turn=yours": "/query/turn", "?after_state=" + strings.Repeat("x", 65): "/query/after_state", "?after_version=1": "/query/after_version", "?wait=x": "/query/wait",
		} {
			assert.Equal(t, []string{pointer}, pointersOf(m.red.get(t, "/v1/me/tables"+query).problem(t)))
		}
		assert.Equal(t, "unauthenticated", w.get(t, "/v1/me/tables").problem(t).Code)
	})
}

func TestAWaitForTablesHasTheLimitsOfOthers(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("WAITERS_PER_TOKEN_AND_GAME=1", "WRITE_TIMEOUT=500ms", "READ_TIMEOUT=500ms"))
	m := w.match(t, public)
	path := "/v1/me/tables?wait=2&after_state=" + m.red.mine(t, "").State
	heard := later(t, w, func() answer { return m.red.get(t, path) })
	crowded := decode[api.MyTables](t, m.red.get(t, path), http.StatusOK)
	assert.EqualValues(t, 5000, crowded.PollAfterMs)
	assert.Len(t, crowded.Items, 1)
	assert.EqualValues(t, 2000, decode[api.MyTables](t, within(t, heard), http.StatusOK).PollAfterMs, "the deadlines of the server are for those who don't wait")
	require.Zero(t, w.Hub.Waiting())
	stopped := later(t, w, func() answer { return m.red.get(t, path) })
	w.Hub.Stop()
	assert.GreaterOrEqual(t, decode[api.MyTables](t, within(t, stopped), http.StatusOK).PollAfterMs, int32(500))
}

func TestAClosedTableIsNobodysAnyMore(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.red.post(t, gamePath(m.game)+"/resignation", "")
		w.db.Clock.Advance(time.Second)
		m.red.leaves(t, m.table.ID)
		assert.Empty(t, m.red.mine(t, "").Items)
		assert.Empty(t, m.yellow.mine(t, "").Items)
	})
}
