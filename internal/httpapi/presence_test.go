package httpapi_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/worker"
)

// grace is the silence after which an owner is away.
const grace = 30 * time.Second

func TestAnOwnerIsAwayAfterTheGraceAndBackWithAnyRequest(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for what, request := range map[string]func(m match) answer{
			"reading the game":         func(m match) answer { return m.yellow.get(t, gamePath(m.game)) },
			"asking what is new":       func(m match) answer { return m.yellow.get(t, gamePath(m.game), ifNoneMatch(`"1-y"`)...) },
			"reading the moves":        func(m match) answer { return m.yellow.get(t, gamePath(m.game)+"/moves") },
			"reading the table":        func(m match) answer { return m.yellow.get(t, tablePath(m.table.ID)) },
			"waiting for one's tables": func(m match) answer { return m.yellow.get(t, "/v1/me/tables?after_state=another&wait=1") },
			"saying here": func(m match) answer {
				return m.yellow.send(t, http.MethodPut, tablePath(m.table.ID)+"/presence", `{"state":"here"}`)
			},
			"coming back to one's seat": func(m match) answer { return m.yellow.post(t, tablePath(m.table.ID)+"/seats", "") },
		} {
			m := w.match(t, public)
			w.passWith(t, grace-2*time.Second, m.game, m.red)
			assert.Equal(t, presenceHere, *m.now(t).Yellow.Presence, what)
			w.passWith(t, 3*time.Second, m.game, m.red)
			away := m.now(t)
			assert.Equal(t, presenceAway, *away.Yellow.Presence, what)
			assert.Equal(t, controllerCPU, *away.Yellow.Controller, what)
			assert.Equal(t, presenceHere, *away.Red.Presence, "who asks now and then is here")
			assert.EqualValues(t, 2, away.Version, "a flip is a change")
			assert.Less(t, request(m).status, 400, what)
			back := m.now(t)
			assert.Equal(t, presenceHere, *back.Yellow.Presence, what)
			assert.Equal(t, controllerPlayer, *back.Yellow.Controller, what)
			assert.EqualValues(t, 3, back.Version, what)
		}
	})
}

func TestTheAnswerToWhoReturnsShowsItHere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		w.passWith(t, grace+time.Second, m.game, m.red)
		assert.Equal(t, presenceAway, *m.now(t).Yellow.Presence)
		assert.Equal(t, presenceHere, *m.yellow.reads(t, m.game).Yellow.Presence)
	})
}

func TestAWatcherIsNoOwner(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		watcher := w.guest(t, "Zofia")
		w.passWith(t, grace+time.Second, m.game, m.red, watcher)
		assert.Equal(t, presenceAway, *watcher.reads(t, m.game).Yellow.Presence)
	})
}

// listens waits for news and, as long as it is told that there are none, goes on waiting, as an app does.
func (p player) listens(t *testing.T, path string) answer {
	t.Helper()
	for {
		if a := p.get(t, path); a.status != http.StatusNotModified {
			return a
		}
	}
}

// begins counts the waits that have begun: from then on the owner counts as here.
type begins struct {
	service.Waiters

	waits *atomic.Int64
}

// Stopping is what a request asks when it has begun to wait.
func (b begins) Stopping() <-chan struct{} {
	b.waits.Add(1)
	return b.Waiters.Stopping()
}

func TestAnOwnerWhoseRequestWaitsIsHereThroughout(t *testing.T) {
	t.Parallel()
	var waits atomic.Int64
	onEither(t, func(t *testing.T, w *world) {
		for what, path := range map[string]func(m match) string{
			"for the game":  func(m match) string { return gamePath(m.game) + "?after_version=1&wait=30" },
			"for the table": func(m match) string { return tablePath(m.table.ID) + "?after_version=2&wait=30" },
			"for all its tables": func(m match) string {
				state := decode[api.MyTables](t, m.yellow.get(t, "/v1/me/tables"), http.StatusOK).State
				return "/v1/me/tables?wait=30&after_state=" + state
			},
		} {
			m := w.match(t, public)
			waiting, before := path(m), waits.Load()
			heard := later(t, w, func() answer { return m.yellow.listens(t, waiting) })
			require.Eventually(t, func() bool { return waits.Load() > before }, soon, time.Millisecond, "it has read what there is and waits for more")
			w.passWith(t, 3*grace, m.game, m.red)
			assert.EqualValues(t, 1, m.now(t).Version, what)
			m.red.post(t, gamePath(m.game)+"/resignation", "")
			assert.Equal(t, http.StatusOK, within(t, heard).status, what)
		}
	}, func(w *world) {
		w.wired(func(o *service.Outside) { o.Waiters = begins{Waiters: o.Waiters, waits: &waits} })
	})
}

func TestAwayIsSaidAtOnceAndSticks(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		game, table := gamePath(m.game), tablePath(m.table.ID)
		atGame := later(t, w, func() answer { return m.yellow.get(t, game+"?after_version=1&wait=30") })
		mine := decode[api.MyTables](t, m.yellow.get(t, "/v1/me/tables"), http.StatusOK)
		atAll := later(t, w, func() answer { return m.yellow.get(t, "/v1/me/tables?wait=30&after_state="+mine.State) })
		assert.Equal(t, "playing", m.yellow.says(t, m.table.ID, api.PresenceChoiceAway).Status)
		assert.Equal(t, presenceAway, *decode[api.Game](t, within(t, atGame), http.StatusOK).Yellow.Presence)
		assert.NotEqual(t, mine.State, decode[api.MyTables](t, within(t, atAll), http.StatusOK).State)

		away := m.now(t)
		assert.EqualValues(t, 2, away.Version)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		assert.Equal(t, away, m.now(t), "saying it twice changes nothing")
		for _, path := range []string{game, game + "/moves", table, "/v1/me/tables", "/v1/me"} {
			assert.Equal(t, http.StatusOK, m.yellow.get(t, path).status)
		}
		still := later(t, w, func() answer { return m.yellow.get(t, game+"?after_version=2&wait=30") })
		w.passWith(t, 5*time.Second, m.game, m.red)
		assert.Equal(t, away, m.now(t), "neither reading nor waiting undoes it")
		assert.Equal(t, "playing", m.yellow.says(t, m.table.ID, api.PresenceChoiceHere).Status)
		assert.Equal(t, presenceHere, *decode[api.Game](t, within(t, still), http.StatusOK).Yellow.Presence)
		assert.EqualValues(t, 3, m.now(t).Version)
	})
}

func TestAwayIsUndoneByWhatItsOwnerDoes(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for what, deed := range map[string]func(m match) answer{
			"a move": func(m match) answer { return m.red.move(t, m.game, 4, 1) },
			"a seat": func(m match) answer { return m.red.post(t, tablePath(m.table.ID)+"/seats", "") },
			"here": func(m match) answer {
				return m.red.send(t, http.MethodPut, tablePath(m.table.ID)+"/presence", `{"state":"here"}`)
			},
		} {
			m := w.match(t, public)
			m.red.says(t, m.table.ID, api.PresenceChoiceAway)
			assert.Equal(t, http.StatusOK, deed(m).status, what)
			back := still(m.yellow.reads(t, m.game))
			assert.Equal(t, presenceHere, *back.Red.Presence, what)
			w.passWith(t, grace-5*time.Second, m.game, m.yellow)
			assert.Equal(t, presenceHere, *m.yellow.reads(t, m.game).Red.Presence, "%s: it is as if it had never been away", what)
		}
	})
}

func TestAResignationOfWhoIsAwayIsOne(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		over := decode[api.Game](t, m.red.post(t, gamePath(m.game)+"/resignation", ""), http.StatusOK)
		assert.Equal(t, "resignation", *over.Result.EndedBy)
		assert.Nil(t, over.Red.Presence, "after the end presence is nobody's business")
		assert.Nil(t, over.Red.Controller)
		assert.Equal(t, "between_games", m.red.looks(t, m.table.ID).Status)
	})
}

func TestTheLobbyShowsHostsWhoAreHere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		here, silent, gone := w.guest(t, "Ola"), w.guest(t, "Иван"), w.guest(t, "Zofia")
		table, _, left := here.opens(t, public), silent.opens(t, public), gone.opens(t, public)
		listed := func() int {
			return len(decode[api.TableList](t, w.get(t, "/v1/tables"), http.StatusOK).Items)
		}
		assert.Equal(t, 3, listed())
		gone.says(t, left.ID, api.PresenceChoiceAway)
		assert.Equal(t, 2, listed())
		for range 5 {
			here.looks(t, table.ID)
			w.Pass(t, 10*time.Second)
		}
		list := decode[api.TableList](t, w.get(t, "/v1/tables"), http.StatusOK)
		if assert.Len(t, list.Items, 1) {
			assert.Equal(t, table.ID, list.Items[0].ID)
		}
		gone.looks(t, left.ID)
		assert.Equal(t, 1, listed(), "looking doesn't undo what was said")
		gone.edits(t, left.ID, `{"settings_version":1,"ranked":true}`)
		assert.Equal(t, 2, listed(), "a change of settings does")
	})
}

func TestMetricsCountWhatFallsDue(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	m := w.match(t, public)
	w.passWith(t, grace+time.Second, m.game, m.red)
	m.yellow.reads(t, m.game)
	m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
	m.red.plays(t, m.game, 4, 1)
	w.Pass(t, time.Second)
	text := scrape(t, w)
	for _, line := range []string{
		`fourinarow_presence_flips_total{to="silent"} 1`,
		`fourinarow_presence_flips_total{to="here"} 1`,
		`fourinarow_presence_flips_total{to="gone"} 1`,
		`fourinarow_cover_moves_total 1`,
		`fourinarow_moves_total{made_by="cpu",outcome="goes_on"} 1`,
	} {
		assert.Contains(t, text, line+"\n")
	}
	assert.Contains(t, text, "fourinarow_timer_lag_seconds_count")
	assert.Contains(t, text, "fourinarow_wakeup_seconds_count")

	var observer worker.Observer = w.metrics
	observer.Queued(3)
	observer.Thought(2*time.Second, 20*time.Millisecond)
	observer.Asleep(7)
	text = scrape(t, w)
	for _, line := range []string{
		"fourinarow_cpu_queue_length 3", "fourinarow_cpu_wait_seconds_sum 2", "fourinarow_cpu_think_seconds_sum 0.02", "fourinarow_sleeping_games 7",
	} {
		assert.Contains(t, text, line+"\n")
	}
}
