package service_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// replica is another process on the same database.
func (w *world) replica(t *testing.T) *world {
	t.Helper()
	db := *w.db
	db.Store = w.db.Open(t)
	return newWorld(t, &db)
}

// waiters are requests that wait at a replica, by what for.
type waiters map[string]*live.Waiter

// waitAt lets requests wait at a replica for a match, the lists of its players, and a match that nothing happens in.
func (m *match) waitAt(t *testing.T, other *world, quiet *match) waiters {
	t.Helper()
	all := waiters{}
	for what, topic := range map[string]live.Topic{
		"game": service.GameTopic(m.game), "table": service.TableTopic(m.table), "red's tables": service.TablesTopic(m.red.Profile),
		"yellow's tables": service.TablesTopic(m.yellow.Profile), "another game": service.GameTopic(quiet.game),
		"another's tables": service.TablesTopic(quiet.red.Profile),
	} {
		waiter, joined := other.Hub.Join(live.Party{Address: "192.0.2.1"}, topic)
		require.True(t, joined)
		t.Cleanup(waiter.Leave)
		all[what] = waiter
	}
	return all
}

// woken returns what the requests that were woken wait for.
func (all waiters) woken() []string {
	names := []string{}
	for what, waiter := range all {
		select {
		case <-waiter.Woken():
			names = append(names, what)
		default:
		}
	}
	return names
}

// kind is a kind of change in a match.
type kind struct {
	what    string
	request service.NewTable
	before  func(t *testing.T, w *world, m *match)
	change  func(t *testing.T, w *world, m *match)
	want    []string // what is woken; nil: the game, the table and both lists
}

func away(t *testing.T, w *world, m *match) {
	t.Helper()
	_, err := w.Tables.SetPresence(t.Context(), m.red, m.table, true)
	require.NoError(t, err)
}

func finish(t *testing.T, _ *world, m *match) {
	t.Helper()
	m.play(t, "1213141")
}

func agree(t *testing.T, w *world, by service.Caller, m *match) {
	t.Helper()
	_, err := w.Tables.Agree(t.Context(), by, m.table, m.game, 0)
	require.NoError(t, err)
}

func agreed(t *testing.T, w *world, m *match) {
	t.Helper()
	finish(t, w, m)
	agree(t, w, m.red, m)
}

func closes(t *testing.T, w *world, m *match) {
	t.Helper()
	require.NoError(t, w.Tables.Leave(t.Context(), m.red, m.table))
}

func passes(span time.Duration) func(*testing.T, *world, *match) {
	return func(t *testing.T, w *world, _ *match) {
		t.Helper()
		w.Pass(t, span)
	}
}

// kinds are all changes of a game's version, and those of tables that are no game's.
var kinds = []kind{
	{what: "a move", change: func(t *testing.T, _ *world, m *match) { t.Helper(); m.play(t, "4") }},
	{what: "an owner says away", change: away},
	{what: "an owner says here", before: away, change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		_, err := w.Tables.SetPresence(t.Context(), m.red, m.table, false)
		require.NoError(t, err)
	}},
	{what: "an owner is silent", before: passes(28 * time.Second), change: passes(4 * time.Second)},
	{what: "the CPU moves for an owner", before: away, change: passes(time.Second)},
	{what: "a clock runs out", request: clock30(houserule.Loss), before: passes(28 * time.Second), change: passes(4 * time.Second)},
	{what: "a line", before: func(t *testing.T, _ *world, m *match) {
		t.Helper()
		m.play(t, "121314")
	}, change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		_, err := w.Games.Play(t.Context(), m.red, m.game, 7, 1)
		require.NoError(t, err)
	}},
	{what: "a resignation", change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		_, err := w.Games.Resign(t.Context(), m.red, m.game)
		require.NoError(t, err)
	}},
	{what: "a hint", change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		_, err := w.Insights.Hint(t.Context(), m.red, m.game)
		require.NoError(t, err)
	}},
	{what: "an agreement to another game", before: finish, change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		agree(t, w, m.red, m)
	}},
	{what: "an agreement taken back", before: agreed, change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		_, err := w.Tables.TakeBack(t.Context(), m.red, m.table, m.game)
		require.NoError(t, err)
	}},
	{what: "the next game", before: agreed, change: func(t *testing.T, w *world, m *match) { t.Helper(); agree(t, w, m.yellow, m) }},
	{what: "other settings", before: agreed, change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		edit := service.Edit{SettingsVersion: 1, Choices: service.Choices{houserule.MoveTimeLimit: "60"}}
		_, err := w.Tables.Change(t.Context(), m.red, m.table, edit)
		require.NoError(t, err)
	}},
	{what: "a table closes after its game", before: finish, change: closes},
	{what: "a table closes because nobody is there", before: func(t *testing.T, w *world, m *match) {
		t.Helper()
		finish(t, w, m)
		w.db.Clock.Advance(24 * time.Hour)
	}, change: func(t *testing.T, w *world, _ *match) {
		t.Helper()
		require.NoError(t, w.Tables.CloseIdle(t.Context()))
	}, want: []string{"game", "table", "red's tables", "yellow's tables", "another game", "another's tables"}},
	{what: "a player leaves for good", change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		require.NoError(t, w.Leaving.Delete(t.Context(), m.red))
	}},
	{what: "the name of who has left goes", before: func(t *testing.T, w *world, m *match) {
		t.Helper()
		finish(t, w, m)
		closes(t, w, m)
		require.NoError(t, w.Leaving.Delete(t.Context(), m.red))
	}, change: func(t *testing.T, w *world, _ *match) {
		t.Helper()
		require.NoError(t, w.Leaving.Erase(t.Context()))
	}, want: []string{"game", "table"}},
	{what: "another table opens", change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		_, err := w.Tables.Open(t.Context(), m.red, service.NewTable{})
		require.NoError(t, err)
	}, want: []string{"red's tables"}},
	{what: "somebody waits for a quick match", change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		w.meets(t, m.red, service.QuickRequest{})
	}, want: []string{"red's tables"}},
	{what: "two meet by quick match", before: func(t *testing.T, w *world, m *match) {
		t.Helper()
		w.meets(t, m.red, service.QuickRequest{})
	}, change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		w.meets(t, m.yellow, service.QuickRequest{})
	}, want: []string{"red's tables", "yellow's tables"}},
	{what: "quick match is given up", before: func(t *testing.T, w *world, m *match) {
		t.Helper()
		w.meets(t, m.red, service.QuickRequest{})
	}, change: func(t *testing.T, w *world, m *match) {
		t.Helper()
		require.NoError(t, w.Matches.StopQuickMatch(t.Context(), m.red))
	}, want: []string{"red's tables"}},
}

func TestEveryKindOfChangeWakesRequestsAtAnotherReplica(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind.what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, testkit.Postgres(t))
			other, m, quiet := w.replica(t), w.match(t, kind.request), w.match(t, service.NewTable{})
			quiet.play(t, "1213141")
			if kind.before != nil {
				kind.before(t, w, m)
			}
			waiting, here := m.waitAt(t, other, quiet), m.waitAt(t, w, quiet)
			for _, one := range []*world{w, other} { // from now on
				require.NoError(t, one.Changes.ReadNews(t.Context(), one.Hub))
			}
			waiting.woken()
			require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))
			require.Empty(t, waiting.woken(), "nothing has happened yet")

			kind.change(t, w, m)
			require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))

			if kind.want == nil {
				kind.want = []string{"game", "table", "red's tables", "yellow's tables"}
			}
			assert.ElementsMatch(t, kind.want, waiting.woken())
			here.woken() // by the change itself
			require.NoError(t, w.Changes.ReadNews(t.Context(), w.Hub))
			assert.Empty(t, here.woken(), "a replica knows its own changes")
		})
	}
}

func TestASeatTakenWakesRequestsAtAnotherReplica(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.Postgres(t))
	other, host, guest, quiet := w.replica(t), w.guest(t, "Ola"), w.guest(t, "Иван"), w.match(t, service.NewTable{})
	opened, err := w.Tables.Open(t.Context(), host, service.NewTable{Visibility: table.Public})
	require.NoError(t, err)
	require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))
	waiting := (&match{w: w, red: host, yellow: guest, table: opened.Table.ID}).waitAt(t, other, quiet)

	_, err = w.Tables.TakeSeat(t.Context(), guest, opened.Table.ID, "", 0)
	require.NoError(t, err)

	require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))
	assert.ElementsMatch(t, []string{"table", "red's tables", "yellow's tables"}, waiting.woken())
}

func TestARequestThatWaitsIsAnsweredByTheFeedAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.Postgres(t))
	other, m := w.replica(t), w.match(t, service.NewTable{})
	require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))
	answers := other.waits(t.Context(), t, m.yellow, m.game)

	m.play(t, "4")

	require.Eventually(t, func() bool {
		require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))
		return len(answers) == 1
	}, 10*time.Second, time.Millisecond)
	assert.Equal(t, "4", (<-answers).view.Game.Moves)
}

func TestARemovedDeviceEndsItsWaitsAtAnotherReplicaByTheFeedAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.Postgres(t))
	other, m, remove := w.replica(t), w.match(t, service.NewTable{}), map[string]func(service.Caller) error{
		"one":        func(c service.Caller) error { return w.Devices.Remove(t.Context(), c, c.Device) },
		"all":        func(c service.Caller) error { return w.Devices.RemoveAll(t.Context(), c, true) },
		"the player": func(c service.Caller) error { return w.Leaving.Delete(t.Context(), c) },
	}
	for what, remove := range remove {
		gone := w.guest(t, "Gone")
		require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))
		answers, stays := other.waits(t.Context(), t, gone, m.game), other.waits(t.Context(), t, m.red, m.game)

		require.NoError(t, remove(gone))

		require.NoError(t, other.Changes.ReadNews(t.Context(), other.Hub))
		refused(t, (<-answers).err, fault.NoToken)
		assert.Equal(t, 1, other.Hub.Waiting(), what)

		late := other.waits(t.Context(), t, gone, m.game)
		require.NoError(t, other.Devices.DismissRevoked(t.Context(), other.Hub))
		refused(t, (<-late).err, fault.NoToken)
		assert.Empty(t, stays, what)
		other.Hub.Dismiss(func(live.Party) bool { return true })
		refused(t, (<-stays).err, fault.NoToken)
	}
}
