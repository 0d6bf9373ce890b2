package service_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// reads lets somebody be here by reading its game.
func (m *match) reads(t *testing.T, c service.Caller) game.Game {
	t.Helper()
	view, _, err := m.w.Games.Follow(t.Context(), c, m.game, service.Poll{})
	require.NoError(t, err)
	return view.Game
}

func TestTheCPUCoversForWhoIsSilentUntilItSpeaks(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		for range 4 {
			w.Pass(t, 10*time.Second)
			m.reads(t, m.yellow)
		}
		covered := m.now(t)
		assert.Equal(t, "c", covered.Movers, "red was silent for the grace, and was to move")
		assert.Equal(t, game.ByCPU, covered.Controller(board.Red))
		back := m.reads(t, m.red)
		assert.Equal(t, game.ByPlayer, back.Controller(board.Red), "the flip is stored before the request is answered")
		assert.Greater(t, back.Version, covered.Version)
		assert.Equal(t, back.Version, m.now(t).Version)
	})
}

// The other replica's worker looks at the game before this one has stored that the owner was seen.
func TestAReturnHoldsOnEveryReplica(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		other := newWorld(t, w.db)
		m := w.match(t, service.NewTable{})
		for range 4 {
			w.Pass(t, 10*time.Second)
			m.reads(t, m.red)
		}
		require.Equal(t, game.Silent, m.now(t).Yellow.Presence)
		_, err := w.Games.Play(t.Context(), m.red, m.game, 1, 4)
		require.NoError(t, err)
		w.db.Clock.Advance(100 * time.Millisecond)
		assert.Equal(t, game.Here, m.reads(t, m.yellow).Yellow.Presence)
		w.db.Clock.Advance(time.Second)
		other.Work(t)
		g := m.now(t)
		assert.Equal(t, game.Here, g.Yellow.Presence)
		assert.Equal(t, "h", g.Movers, "a cover move never follows a return")
	})
}

func TestARefusedRequestIsASignOfLifeToo(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		m.play(t, "44")
		for name, ask := range map[string]func() error{
			"not its turn": func() error {
				_, err := w.Games.Play(t.Context(), m.yellow, m.game, 3, 4)
				return err
			},
			"a stale ply": func() error {
				_, err := w.Games.Play(t.Context(), m.yellow, m.game, 2, 1)
				return err
			},
			"another game while one runs": func() error {
				_, err := w.Tables.Agree(t.Context(), m.yellow, m.table, m.game, 0)
				return err
			},
			"settings of another's table": func() error {
				_, err := w.Tables.Change(t.Context(), m.yellow, m.table, service.Edit{SettingsVersion: 1})
				return err
			},
			"a move sent again": func() error {
				_, err := w.Games.Play(t.Context(), m.yellow, m.game, 2, 4)
				require.NoError(t, err)
				return errors.New("broken on purpose")
			},
		} {
			for range 4 {
				m.reads(t, m.red)
				w.db.Clock.Advance(9 * time.Second)
				require.NoError(t, w.Uptime.Beat(t.Context()))
			}
			g := m.now(t)
			quiet, _ := g.SetPresence(board.Yellow, game.Silent, w.db.Clock.Now())
			_, err := w.db.Store.SaveGame(t.Context(), g, quiet, w.db.Clock.Now().Add(time.Minute))
			require.NoError(t, err)
			require.Error(t, ask(), name)
			assert.Equal(t, game.Here, m.now(t).Yellow.Presence, name)
		}
	})
}

func TestReadingOnesTablesSaysNothingAboutPresence(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		for range 4 {
			w.Pass(t, 9*time.Second)
			m.reads(t, m.red)
			_, err := w.Tables.Mine(t.Context(), m.yellow, service.MyPoll{})
			require.NoError(t, err)
		}
		assert.Equal(t, game.Silent, m.now(t).Yellow.Presence)
	})
}

func TestWithNobodyThereAGameSleepsAndIsFinishedAfterADay(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		w := newWorld(t, db, testkit.Unbroken)
		m := w.match(t, service.NewTable{})
		w.Pass(t, 31*time.Second)
		assert.True(t, m.now(t).Asleep())
		assert.Empty(t, m.now(t).Moves, "the CPU plays for nobody")
		w.db.Clock.Advance(m.now(t).AsleepSince.Add(game.SleepLimit - time.Second).Sub(w.db.Clock.Now()))
		w.Work(t)
		assert.False(t, m.now(t).Over())
		w.db.Clock.Advance(time.Second)
		w.Work(t)
		over := m.now(t)
		assert.True(t, over.Over())
		assert.True(t, over.Unattended)
		assert.True(t, over.TableDone)
	})
}

func TestATurnEndsByItsClockThoughNobodyPolls(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		moved, lost := w.match(t, clock30(houserule.CPUMove)), w.match(t, clock30(houserule.Loss))
		w.Pass(t, 42*time.Second)
		assert.Equal(t, "c", moved.now(t).Movers)
		assert.True(t, moved.now(t).Asleep(), "then nobody is there")
		assert.Equal(t, game.Timeout, lost.now(t).Result.EndedBy)
		_, err := w.Games.Play(t.Context(), lost.red, lost.game, 1, 4)
		refused(t, err, fault.GameFinished)
	})
}

// A move falls a millisecond around its deadline, with the worker at the same time: either the move or the timeout.
func TestAMoveOrItsTimeoutButNeverBoth(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for round := range 60 {
			m := w.match(t, clock30(houserule.Loss))
			deadline := m.now(t).DeadlineWith(nil)
			for w.db.Clock.Now().Before(deadline.Add(-3 * time.Second)) {
				w.db.Clock.Advance(2 * time.Second)
				require.NoError(t, w.Uptime.Beat(t.Context()))
			}
			w.db.Clock.Advance(deadline.Sub(w.db.Clock.Now()) + time.Duration(round%3-1)*time.Millisecond)
			require.NoError(t, w.Uptime.Beat(t.Context()))
			var (
				both sync.WaitGroup
				err  error
			)
			both.Go(func() { _, err = w.Games.Play(t.Context(), m.red, m.game, 1, 4) })
			both.Go(func() {
				_, _, swept := w.Timers.Sweep(t.Context())
				assert.NoError(t, swept)
			})
			both.Wait()
			g := m.now(t)
			if err == nil {
				assert.Equal(t, "4", g.Moves)
				assert.False(t, g.Over())
			} else {
				refused(t, err, fault.TimeIsUp)
				assert.Empty(t, g.Moves)
				assert.Equal(t, game.Timeout, g.Result.EndedBy)
			}
			require.NoError(t, w.Tables.Leave(t.Context(), m.red, m.table))
		}
	})
}

// The opponent flips its presence as fast as it can while the CPU is about to move for the other.
func TestFlippingPresenceNeverStarvesTheCPU(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		_, err := w.Tables.SetPresence(t.Context(), m.red, m.table, true)
		require.NoError(t, err)
		w.db.Clock.Advance(time.Second)
		for range 20 {
			for _, away := range []bool{true, false} {
				_, err = w.Tables.SetPresence(t.Context(), m.yellow, m.table, away)
				require.NoError(t, err)
			}
		}
		w.Work(t)
		assert.Equal(t, "c", m.now(t).Movers, "one disc, and not later than that")
	})
}

func TestTheOwnerOrTheCPUMakesAPlyButNeverBoth(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for range 30 {
			m := w.match(t, service.NewTable{})
			_, err := w.Tables.SetPresence(t.Context(), m.red, m.table, true)
			require.NoError(t, err)
			w.db.Clock.Advance(time.Second)
			turns, _, err := w.Timers.Sweep(t.Context())
			require.NoError(t, err)
			require.Len(t, turns, 1)
			var (
				both sync.WaitGroup
				move error
			)
			both.Go(func() { assert.NoError(t, w.Timers.MoveCPU(t.Context(), turns[0], cpu.Calm)) })
			both.Go(func() { _, move = w.Games.Play(t.Context(), m.red, m.game, 1, 1) })
			both.Wait()
			g := m.now(t)
			require.Equal(t, 1, g.Ply())
			if move == nil {
				assert.Equal(t, "h", g.Movers)
			} else {
				refused(t, move, fault.StalePly)
				assert.Equal(t, "c", g.Movers)
			}
			require.NoError(t, w.Tables.Leave(t.Context(), m.red, m.table))
			require.NoError(t, w.Tables.Leave(t.Context(), m.yellow, m.table))
		}
	})
}

func TestTimeInWhichNobodyServedIsGivenBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, clock30(houserule.Loss))
		w.Pass(t, 35*time.Second)
		w.db.Clock.Advance(time.Hour) // nobody beat the heart
		again := newWorld(t, w.db)
		again.Work(t)
		assert.False(t, m.now(t).Over(), "a clock that ran has ten seconds left")
		again.Pass(t, 9*time.Second)
		assert.False(t, m.now(t).Over())
		again.Pass(t, 3*time.Second)
		assert.Equal(t, game.Timeout, m.now(t).Result.EndedBy)
	})
}

func TestAChangeOnAnotherReplicaWakesWaitingRequests(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		other := newWorld(t, w.db)
		m := w.match(t, service.NewTable{})
		answers := other.waits(t.Context(), t, m.yellow, m.game)
		m.play(t, "4")
		require.Eventually(t, func() bool {
			require.NoError(t, other.Changes.Compare(t.Context(), other.Hub, other.Hub.Watched()))
			return len(answers) == 1
		}, 10*time.Second, time.Millisecond)
		assert.Equal(t, "4", (<-answers).view.Game.Moves)
	})
}
