package httpapi_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	table_ "github.com/fourinarow/fourinarow/internal/table"
)

// meets asks for a quick match.
func (p player) meets(t *testing.T, request string) api.GameTable {
	t.Helper()
	return decode[api.GameTable](t, p.post(t, "/v1/quick-match", request), http.StatusOK)
}

func (p player) givesUp(t *testing.T) answer {
	t.Helper()
	return p.send(t, http.MethodDelete, "/v1/quick-match", "")
}

func TestTwoWhoWantTheSameMeet(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		waiting := ola.meets(t, `{"ranked":true,"move_time_limit_seconds":60}`)
		assert.Equal(t, "waiting", waiting.Status)
		assert.Equal(t, visibilityPublic, waiting.Visibility)
		assert.True(t, waiting.Ranked)
		assert.True(t, *waiting.QuickMatch)
		assert.EqualValues(t, 60, waiting.Settings.MoveTimeLimitSeconds)
		met := ivan.meets(t, `{"move_time_limit_seconds":60,"ranked":true}`)
		assert.Equal(t, waiting.ID, met.ID)
		assert.Equal(t, "playing", met.Status)
		assert.EqualValues(t, 2, *met.MySeat)
		game := ola.reads(t, *met.CurrentGameID)
		assert.True(t, game.Ranked)
		assert.Equal(t, presenceHere, *game.Red.Presence)
		assert.Equal(t, met.ID, ola.meets(t, "").ID, "the first game runs: the same table, whatever is asked for for")
		assert.Equal(t, met.ID, ivan.meets(t, `{"ranked":true}`).ID)
	})
}

func TestSearchersOfDifferentSettingsWaitApart(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		tables := map[uuid.UUID]bool{}
		for _, request := range []string{"", `{"ranked":true}`, `{"move_time_limit_seconds":30}`, `{"ranked":true,"move_time_limit_seconds":30}`} {
			table := w.guest(t, "Ola").meets(t, request)
			assert.Equal(t, "waiting", table.Status)
			tables[table.ID] = true
		}
		assert.Len(t, tables, 4)
		assert.Equal(t, "playing", w.guest(t, "Ola").meets(t, `{"ranked":false,"move_time_limit_seconds":0}`).Status, "the defaults may be said")
	})
}

func TestAQuickMatchIsGivenByQuickMatchAlone(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, other := w.guest(t, "Ola"), w.guest(t, "Иван")
		table := ola.meets(t, "")
		assert.Empty(t, decode[api.TableList](t, w.get(t, "/v1/tables"), http.StatusOK).Items, "it isn't in the lobby")
		refused := other.post(t, tablePath(table.ID)+"/seats", "")
		assert.Equal(t, http.StatusConflict, refused.status)
		assert.Equal(t, "seat_taken", refused.problem(t).Code)
		assert.Equal(t, table.ID, refused.problem(t).Table.ID)
		assert.EqualValues(t, 1, *ola.joins(t, table).MySeat, "its host comes back to it")
		edited := ola.edits(t, table.ID, `{"settings_version":1,"ranked":true}`)
		assert.Equal(t, "quick_match_waiting", edited.problem(t).Code)
		assert.False(t, ola.looks(t, table.ID).Ranked)
		assert.Equal(t, http.StatusOK, other.get(t, tablePath(table.ID)).status, "anybody may look")
		assert.Equal(t, table.ID, other.meets(t, "").ID)
		assert.Len(t, decode[api.TableList](t, w.get(t, "/v1/tables?status=playing"), http.StatusOK).Items, 1, "and watch")
	})
}

func TestWhoIsAwayIsNotMet(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, away := w.guest(t, "Ola"), w.guest(t, "Иван")
		first := ola.meets(t, "")
		w.db.Clock.Advance(10*time.Second + time.Millisecond)
		second := away.meets(t, "")
		assert.NotEqual(t, first.ID, second.ID)
		away.says(t, second.ID, api.PresenceChoiceAway)
		ola.looks(t, first.ID)
		assert.Equal(t, first.ID, w.guest(t, "Zofia").meets(t, "").ID, "a look at its table is enough to be back")
		assert.Equal(t, "waiting", w.guest(t, "李雷").meets(t, "").Status)
	}, standingStill)
}

// Another replica sees by what is stored that somebody waits.
func TestALongWaitKeepsASearcherInSight(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		other := serve(t, w.db, standingStill)
		ola := w.guest(t, "Ola")
		table := ola.meets(t, "")
		found := later(t, w, func() answer { return ola.get(t, tablePath(table.ID)+"?wait=30&after_version=1") })
		require.Eventually(t, func() bool { // it waits as soon as it has read what there is
			w.db.Clock.Advance(time.Second)
			require.NoError(t, w.Presence.Keep(t.Context()))
			before := w.db.Clock.Now()
			w.db.Clock.Advance(2 * time.Second)
			require.NoError(t, w.Presence.Keep(t.Context()))
			stored, err := w.db.Store.Table(t.Context(), table_.ID(table.ID.String()))
			require.NoError(t, err)
			return stored.Seats[0].Seen.After(before)
		}, soon, time.Millisecond)
		for range 20 {
			w.db.Clock.Advance(time.Second)
			require.NoError(t, w.Presence.Keep(t.Context()))
			stored, err := w.db.Store.Table(t.Context(), table_.ID(table.ID.String()))
			require.NoError(t, err)
			require.LessOrEqual(t, w.db.Clock.Now().Sub(stored.Seats[0].Seen), 3*time.Second)
		}
		ivan := w.guest(t, "Иван")
		assert.Equal(t, table.ID, ivan.at(other).meets(t, "").ID)
		require.NoError(t, w.Changes.Compare(t.Context(), w.Hub, w.Hub.Watched()))
		assert.Equal(t, "playing", decode[api.GameTable](t, within(t, found), http.StatusOK).Status)
	}, standingStill)
}

func TestQuickMatchIsGivenUp(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		assert.Equal(t, http.StatusNoContent, ola.givesUp(t).status, "nothing waits")
		table := ola.meets(t, "")
		assert.Equal(t, http.StatusNoContent, ola.givesUp(t).status)
		assert.Equal(t, http.StatusNoContent, ola.givesUp(t).status)
		assert.Equal(t, "host_left", *ola.looks(t, table.ID).CloseReason)
		again := ivan.meets(t, "")
		assert.NotEqual(t, table.ID, again.ID)
		ola.meets(t, "")
		for _, p := range []player{ola, ivan} {
			refused := p.givesUp(t).problem(t)
			assert.Equal(t, "already_matched", refused.Code)
			assert.Equal(t, again.ID, refused.Table.ID)
		}
		game := *ola.looks(t, again.ID).CurrentGameID
		require.Equal(t, http.StatusOK, ola.post(t, gamePath(game)+"/resignation", "").status)
		assert.Equal(t, http.StatusNoContent, ola.givesUp(t).status, "the first game is over")
		next := ola.meets(t, "")
		assert.NotEqual(t, again.ID, next.ID, "and another may be found")
		assert.Equal(t, "between_games", ivan.looks(t, again.ID).Status)
	})
}

func TestAQuickMatchBringsItsOwnerBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		ola.meets(t, "")
		table := ivan.meets(t, "")
		ola.says(t, table.ID, api.PresenceChoiceAway)
		require.Equal(t, presenceAway, *ivan.reads(t, *table.CurrentGameID).Red.Presence)
		ola.meets(t, "")
		assert.Equal(t, presenceHere, *ivan.reads(t, *table.CurrentGameID).Red.Presence)
	})
}

func TestWhoWantsSomethingElseMovesAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		first := ola.meets(t, "")
		hears := later(t, w, func() answer { return ola.get(t, tablePath(first.ID)+"?wait=30&after_version=1") })
		second := ola.meets(t, `{"move_time_limit_seconds":60}`)
		assert.NotEqual(t, first.ID, second.ID)
		assert.Equal(t, "waiting", second.Status)
		assert.Nil(t, second.MovedToTableID)
		closed := decode[api.GameTable](t, within(t, hears), http.StatusOK)
		assert.Equal(t, "moved", *closed.CloseReason)
		assert.Equal(t, second.ID, *closed.MovedToTableID)
		assert.Nil(t, closed.PollAfterMs)
		third := ivan.meets(t, "")
		assert.Equal(t, "waiting", third.Status, "nobody waits for that any more")
		assert.Equal(t, third.ID, ola.meets(t, `{"ranked":false}`).ID)
		assert.Equal(t, third.ID, *ola.looks(t, second.ID).MovedToTableID)
	}, standingStill)
}

func TestQuickMatchTakesTheDefaultsOfTheMoment(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		admin, ola, ivan := w.admin(t, "ola"), w.guest(t, "Ola"), w.guest(t, "Иван")
		waits := ola.meets(t, "")
		assert.EqualValues(t, 0, waits.Settings.MoveTimeLimitSeconds)
		admin.edits(t, limit, "30", []string{"0", "30"}, false)
		refused := ivan.post(t, "/v1/quick-match", `{"move_time_limit_seconds":0}`)
		assert.Equal(t, "rule_not_changeable", refused.problem(t).Code)
		assert.Equal(t, []string{"/move_time_limit_seconds"}, pointersOf(refused.problem(t)))
		met := ivan.meets(t, "")
		assert.Equal(t, waits.ID, met.ID)
		assert.EqualValues(t, 30, met.Settings.MoveTimeLimitSeconds)
		assert.EqualValues(t, 2, met.SettingsVersion)
		assert.Equal(t, met.Settings, ola.reads(t, *met.CurrentGameID).Settings)
	}, standingStill, configured("RATE_LIMIT=off"))
}

func TestQuickMatchRefusesWhatIsNotOffered(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		refused := p.post(t, "/v1/quick-match", `{"move_time_limit_seconds":45}`)
		assert.Equal(t, http.StatusUnprocessableEntity, refused.status)
		problem := refused.problem(t)
		assert.Equal(t, "option_not_offered", problem.Code)
		assert.Equal(t, "/move_time_limit_seconds", problem.Errors[0].Pointer)
		for _, body := range []string{`{"ranked":"yes"}`, `{"move_time_limit_seconds":-1}`, `{"level":1}`, `[]`} {
			assert.Equal(t, "invalid_request", p.post(t, "/v1/quick-match", body).problem(t).Code, body)
		}
		for range 20 {
			p.opens(t, public)
		}
		assert.Equal(t, "too_many_tables", p.post(t, "/v1/quick-match", "").problem(t).Code)
		w.guest(t, "Иван").meets(t, "")
		assert.Equal(t, "too_many_tables", p.post(t, "/v1/quick-match", "").problem(t).Code)
		assert.Len(t, p.mine(t, "").Items, 20)
	})
}

// Everybody asks twice at once, on two replicas.
func TestNobodyIsLeftOverOrSeatedTwice(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		other := serve(t, w.db, configured("RATE_LIMIT=off"))
		players := make([]player, 31)
		for i := range players {
			players[i] = w.guest(t, "Ola")
		}
		var all sync.WaitGroup
		for _, p := range players {
			for _, at := range []*world{w, other} {
				all.Go(func() { p.at(at).meets(t, "") })
			}
		}
		all.Wait()
		waiting := 0
		for _, p := range players {
			mine := p.mine(t, "").Items
			if assert.Len(t, mine, 1) && mine[0].Status == "waiting" {
				waiting++
			}
		}
		assert.Equal(t, 1, waiting)
	}, configured("RATE_LIMIT=off"), standingStill)
}
