package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

const (
	clock30 = `{"visibility":"public","settings":{"move_time_limit_seconds":30}}`
	losing  = `{"visibility":"public","settings":{"move_time_limit_seconds":30,"on_timeout":"loss"}}`
)

func TestADeadlineIsShownToEverybody(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		w.db.Clock.Advance(123 * time.Millisecond)
		m := w.match(t, clock30)
		g := m.red.reads(t, m.game)
		now := w.db.Clock.Now()
		assert.Equal(t, now.UnixMilli(), g.ServerTimeMs)
		assert.EqualValues(t, 40_000, *g.RemainingMs, "the first move has ten seconds more")
		assert.Equal(t, now.Add(40*time.Second).Truncate(time.Second).Add(time.Second), *g.MoveDeadline, "rounded up")
		assert.Equal(t, *g.MoveDeadline, *m.red.looks(t, m.table.ID).CurrentGame.MoveDeadline)
		w.db.Clock.Advance(1500 * time.Millisecond)
		assert.EqualValues(t, 38_500, *m.red.reads(t, m.game).RemainingMs)

		played := m.red.plays(t, m.game, 4, 1)
		assert.EqualValues(t, 30_000, *played.RemainingMs)
		assert.EqualValues(t, 2, *m.red.looks(t, m.table.ID).CurrentGame.TurnSeat)
		w.db.Clock.Advance(30*time.Second + time.Millisecond)
		assert.Zero(t, *m.red.reads(t, m.game).RemainingMs, "it is never negative")
	}, standingStill, calm)
}

func TestWithoutAClockATurnEndsAfterADayAndAtARankedTableAfterFiveMinutes(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		assert.EqualValues(t, 24*time.Hour/time.Millisecond, *w.readsNew(t, public).RemainingMs)
		assert.EqualValues(t, 5*time.Minute/time.Millisecond, *w.readsNew(t, `{"visibility":"public","ranked":true}`).RemainingMs)
	}, standingStill)
}

func (w *world) readsNew(t *testing.T, request string) api.Game {
	t.Helper()
	m := w.match(t, request)
	return m.red.reads(t, m.game)
}

func TestARankedTurnIsLostAfterFiveMinutes(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, `{"visibility":"public","ranked":true}`)
		assert.True(t, m.table.Ranked)
		assert.True(t, m.now(t).Ranked)
		w.passWith(t, 5*time.Minute-5*time.Second, m.game, m.red, m.yellow)
		assert.Nil(t, m.now(t).Result)
		w.passWith(t, 10*time.Second, m.game, m.red, m.yellow)
		assert.Equal(t, "timeout", *m.now(t).Result.EndedBy)
		assert.Equal(t, api.SideYellow, *m.now(t).Result.Winner)
	}, configured("RATE_LIMIT=off"))
}

func TestTheCPUMakesTheOneMoveThatWasLate(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, clock30)
		w.passWith(t, 39*time.Second, m.game, m.red, m.yellow)
		require.EqualValues(t, 0, m.now(t).Ply)
		w.passWith(t, 3*time.Second, m.game, m.red, m.yellow)
		g := m.now(t)
		assert.Equal(t, "c", g.Movers)
		assert.Equal(t, presenceHere, *g.Red.Presence)
		assert.Equal(t, controllerPlayer, *g.Red.Controller, "the owner keeps the next")
		assert.Equal(t, "ch", m.yellow.plays(t, m.game, 1, 2).Movers)
		assert.Equal(t, "chh", m.red.plays(t, m.game, 1, 3).Movers)
	}, configured("RATE_LIMIT=off"))
}

func TestWhereALateMoveLosesItLoses(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, losing)
		m.play(t, "4")
		w.passWith(t, 33*time.Second, m.game, m.red, m.yellow)
		g := m.now(t)
		assert.Equal(t, api.GameOutcomeWin, g.Result.Outcome)
		assert.Equal(t, "timeout", *g.Result.EndedBy)
		assert.Equal(t, api.SideRed, *g.Result.Winner)
		assert.Empty(t, g.Result.Fields)
		assert.Nil(t, g.MoveDeadline, "a finished game has no clock")
		assert.EqualValues(t, 1, m.red.looks(t, m.table.ID).Score.Seat1Wins)
	}, configured("RATE_LIMIT=off"))
}

func TestAMoveCountsByWhenItsRequestArrived(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for _, request := range []string{clock30, losing} {
			for off, inTime := range map[time.Duration]bool{
				-time.Millisecond: true, 0: true, time.Millisecond: false, time.Second: false,
			} {
				what := fmt.Sprintf("%s %s", request, off)
				m := w.match(t, request)
				w.db.Clock.Advance(40*time.Second + off)
				answered := m.red.move(t, m.game, 4, 1)
				if inTime {
					assert.Equal(t, http.StatusOK, answered.status, what)
					continue
				}
				late := answered.problem(t)
				assert.Equal(t, "time_is_up", late.Code, what)
				require.NotNil(t, late.Game, what)
				assert.Nil(t, late.Game.MoveDeadline, what)
				assert.Equal(t, still(*late.Game), m.now(t), "%s: the deadline is applied, no worker was needed", what)
				if request == losing {
					assert.Equal(t, "timeout", *late.Game.Result.EndedBy)
					assert.Equal(t, "game_finished", m.red.move(t, m.game, 4, 1).problem(t).Code)
					continue
				}
				assert.Equal(t, controllerCPU, *late.Game.Red.Controller)
				assert.False(t, late.Game.CanMove)
				assert.Equal(t, "time_is_up", m.red.move(t, m.game, 4, 1).problem(t).Code, "once is enough")
				w.db.Clock.Advance(time.Second)
				w.Work(t)
				assert.Equal(t, "c", m.now(t).Movers, what)
			}
		}
	}, standingStill, calm, configured("RATE_LIMIT=off"))
}

// A move and a worker at the deadline: one of them decides.
func TestAMoveAndItsDeadlineAreDecidedOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for i := range 12 {
			m := w.match(t, losing)
			w.db.Clock.Advance(20 * time.Second)
			m.red.reads(t, m.game)
			m.yellow.reads(t, m.game)
			w.db.Clock.Advance(20*time.Second + time.Duration(i%3-1)*time.Millisecond)
			moved := make(chan answer, 1)
			go func() { moved <- m.red.move(t, m.game, 4, 1) }()
			w.db.Clock.Advance(time.Second)
			w.Work(t)
			answered, g := within(t, moved), m.now(t)
			switch answered.status {
			case http.StatusOK:
				assert.Nil(t, g.Result)
				assert.EqualValues(t, 1, g.Ply)
			default:
				assert.Contains(t, []string{"time_is_up", "game_finished"}, answered.problem(t).Code)
				assert.Equal(t, "timeout", *g.Result.EndedBy)
				assert.EqualValues(t, 0, g.Ply)
			}
		}
	}, standingStill, calm, configured("RATE_LIMIT=off"))
}

func TestACoveredTurnHasNoEnd(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, losing)
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		w.Pass(t, time.Second)
		g := m.yellow.reads(t, m.game)
		assert.Equal(t, "c", g.Movers, "it is played at once")
		m.yellow.plays(t, m.game, 7, 2)
		w.db.Clock.Advance(20 * time.Second)
		m.yellow.reads(t, m.game)
		w.db.Clock.Advance(11 * time.Second)
		w.Work(t)
		assert.Equal(t, "chc", m.yellow.reads(t, m.game).Movers, "and not lost when nobody got to it in time")
	}, standingStill, calm)
}

func TestNobodyLosesTimeToAnOutage(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, losing)
		m.play(t, "4")
		w.Pass(t, 20*time.Second)
		before := *m.yellow.reads(t, m.game).RemainingMs
		w.db.Clock.Advance(time.Minute) // nothing beats
		w.Work(t)
		after := m.yellow.reads(t, m.game)
		assert.Nil(t, after.Result)
		assert.Equal(t, presenceHere, *after.Red.Presence, "silence then doesn't count")
		assert.InDelta(t, max(before, 10_000), *after.RemainingMs, 1000)
		assert.Equal(t, http.StatusOK, m.yellow.move(t, m.game, 4, 2).status)

		w.Pass(t, 28*time.Second)
		w.db.Clock.Advance(time.Minute)
		w.Work(t)
		assert.EqualValues(t, 10_000, *m.red.reads(t, m.game).RemainingMs, "at least ten seconds are left")
	}, standingStill)
}

// Nobody polls, and the clock is served all the same, once.
func TestNobodyNeedsToAsk(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m, lost := w.match(t, clock30), w.match(t, losing)
		w.Pass(t, 2*time.Minute)
		asleep := decode[api.Game](t, w.get(t, gamePath(m.game)), http.StatusOK)
		assert.Equal(t, "c", asleep.Movers, "the turn was ended by its clock, once")
		assert.True(t, asleep.Asleep, "and the next one sleeps")
		assert.Nil(t, asleep.MoveDeadline)
		over := decode[api.Game](t, w.get(t, gamePath(lost.game)), http.StatusOK)
		assert.Equal(t, "timeout", *over.Result.EndedBy)
		took := over.FinishedAt.Sub(over.StartedAt)
		assert.InDelta(t, 40, took.Seconds(), 1.5, "at its time")
	}, standingStill)
}
