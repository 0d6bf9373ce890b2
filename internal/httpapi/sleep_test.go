package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

func TestAGameSleepsWhileNobodyIsThere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "4")
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		assert.False(t, m.now(t).Asleep)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		asleep := m.now(t)
		assert.True(t, asleep.Asleep)
		assert.Nil(t, asleep.MoveDeadline)
		assert.Nil(t, m.red.looks(t, m.table.ID).CurrentGame.MoveDeadline)
		assert.Equal(t, controllerPlayer, *asleep.Red.Controller, "with nobody here nothing is covered")
		assert.Equal(t, controllerPlayer, *asleep.Yellow.Controller)
		w.Pass(t, time.Minute)
		assert.Equal(t, asleep, m.now(t))
		sleeping, err := w.Timers.Sleeping(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 1, sleeping)

		m.red.says(t, m.table.ID, api.PresenceChoiceHere)
		awake := m.red.reads(t, m.game)
		assert.False(t, awake.Asleep)
		assert.Equal(t, controllerCPU, *awake.Yellow.Controller)
		assert.InDelta(t, 24*time.Hour/time.Millisecond, *awake.RemainingMs, 1000, "the turn starts anew")
		w.Pass(t, time.Second)
		assert.Equal(t, "hc", m.now(t).Movers)
	})
}

func TestSilenceOfBothIsSleepToo(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		w.Pass(t, grace+2*time.Second)
		assert.True(t, decode[api.Game](t, w.get(t, gamePath(m.game)), http.StatusOK).Asleep)
		woken := m.yellow.reads(t, m.game)
		assert.False(t, woken.Asleep, "the first request wakes it")
		assert.Equal(t, controllerCPU, *woken.Red.Controller)
		w.Pass(t, time.Second)
		assert.Equal(t, "c", m.yellow.reads(t, m.game).Movers)
	})
}

func TestAClockEndsTheTurnBeforeTheGameSleeps(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, clock30)
		m.play(t, "4")
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		assert.False(t, m.now(t).Asleep)
		w.Pass(t, 35*time.Second)
		g := m.now(t)
		assert.Equal(t, "hc", g.Movers)
		assert.True(t, g.Asleep)
		w.Pass(t, time.Minute)
		assert.Equal(t, g, m.now(t))
		m.red.says(t, m.table.ID, api.PresenceChoiceHere)
		awake := m.red.reads(t, m.game)
		assert.True(t, awake.CanMove)
		assert.InDelta(t, 30_000, *awake.RemainingMs, 1000, "with its full limit")
	})
}

func TestAGameWithAClockThatLosesNeverSleeps(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, losing)
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		assert.False(t, m.now(t).Asleep)
		w.Pass(t, 42*time.Second)
		assert.Equal(t, "timeout", *m.now(t).Result.EndedBy)
	})
}

func TestAGameAsleepForADayIsFinishedAndCountsNowhere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		cpu := w.guest(t, "Zofia")
		versus := cpu.opens(t, `{"opponent":"cpu","visibility":"public"}`)
		m.play(t, "4")
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
		cpu.says(t, versus.ID, api.PresenceChoiceAway)
		before := m.now(t).Version
		w.db.Clock.Advance(24*time.Hour - 10*time.Second)
		w.Work(t)
		assert.True(t, m.now(t).Asleep)
		w.db.Clock.Advance(10 * time.Second)
		w.Work(t)
		over := m.now(t)
		assert.NotNil(t, over.Result)
		assert.True(t, over.Unattended)
		assert.False(t, over.Asleep)
		assert.EqualValues(t, before+1, over.Version, "one change")
		assert.Nil(t, over.PollAfterMs)
		for _, id := range []api.GameTable{m.table, versus} {
			table := decode[api.GameTable](t, w.get(t, tablePath(id.ID)), http.StatusOK)
			assert.Equal(t, "closed", table.Status)
			assert.Equal(t, "abandoned", *table.CloseReason)
			assert.Zero(t, table.Score)
			assert.Nil(t, table.ExpiresAt)
			assert.Nil(t, table.NextFirstSeat)
		}
	}, calm)
}

func TestAnIdleTableCloses(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		open, hidden := host.opens(t, public), host.opens(t, private)
		w.Work(t)
		statuses := func(after time.Duration) (string, string) {
			w.db.Clock.Advance(after)
			require.NoError(t, w.Tables.CloseIdle(t.Context()))
			return decode[api.GameTable](t, w.get(t, tablePath(open.ID)), http.StatusOK).Status, statusBehind(t, w, *hidden.InviteCode)
		}
		atOpen, atHidden := statuses(24*time.Hour - time.Minute)
		assert.Equal(t, []string{"waiting", "waiting"}, []string{atOpen, atHidden})
		atOpen, atHidden = statuses(2 * time.Minute)
		assert.Equal(t, []string{"closed", "waiting"}, []string{atOpen, atHidden})
		assert.Equal(t, "idle", *decode[api.GameTable](t, w.get(t, tablePath(open.ID)), http.StatusOK).CloseReason)
		_, atHidden = statuses(29 * 24 * time.Hour)
		assert.Equal(t, "closed", atHidden)
	}, calm)
}

// statusBehind returns the status of the table behind a code; a closed one's code opens nothing.
func statusBehind(t *testing.T, w *world, code string) string {
	t.Helper()
	looked := w.get(t, "/v1/invites/"+code)
	if looked.status == http.StatusNotFound {
		return "closed"
	}
	return decode[api.GameTable](t, looked, http.StatusOK).Status
}
