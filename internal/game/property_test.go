package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// world is a game in a time that moves, with what a worker would do when its time comes.
type world struct {
	game game.Game
	now  time.Time
	seen game.Seen
}

const pace = 400 * time.Millisecond

func newWorld(t *rapid.T) *world {
	g := fresh()
	o := game.Opening{
		ID: g.ID, Table: g.Table, Number: 1, Private: false, Ranked: rapid.Bool().Draw(t, "ranked"),
		Settings: g.Settings, Red: g.Red, Yellow: g.Yellow,
	}
	o.Settings.EndDeadPositions = rapid.Bool().Draw(t, "end dead positions")
	o.Settings.MoveTimeLimit = rapid.SampledFrom([]time.Duration{0, 30 * time.Second, 60 * time.Second}).Draw(t, "limit")
	o.Settings.OnTimeout = rapid.SampledFrom([]string{houserule.CPUMove, houserule.Loss}).Draw(t, "on timeout")
	o.Settings.CPUCover = rapid.Bool().Draw(t, "cover")
	if rapid.IntRange(0, 3).Draw(t, "opponent") == 0 {
		o.Ranked = false
		o.Yellow = game.Player{Seat: game.GuestSeat, Kind: game.CPU, Level: level.Medium, Rematch: true}
	}
	return &world{game: game.Start(o, noon), now: noon, seen: game.Seen{Red: noon, Yellow: noon}}
}

// Whatever happens, in any order: a version never goes back, a change is one version, a ply is one disc, the CPU never
// moves for an owner who is here with time left, never plays itself but to finish a game asleep for a day, and a
// finished game stays as it is and is a win with a winner or a draw without.
func TestAnyOrderOfEventsKeepsTheInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		who := rapid.SampledFrom([]profile.ID{ola, ivan, ola, ivan, lei, ""})
		sides := rapid.SampledFrom([]board.Side{board.Red, board.Yellow})
		t.Repeat(map[string]func(*rapid.T){
			"play": func(t *rapid.T) {
				ply := max(w.game.Ply()+rapid.SampledFrom([]int{1, 1, 1, 1, 0, -1, 2}).Draw(t, "ply"), 1)
				by, column := who.Draw(t, "who"), board.Column(rapid.IntRange(1, 7).Draw(t, "column"))
				next, changed, err := w.game.Play(by, ply, column, w.now, nil)
				if err == nil && changed {
					require.False(t, w.game.TimeIsUp(w.now, nil))
					require.Equal(t, game.Here, next.Player(w.game.SideOf(by)).Presence)
				}
				w.step(t, next, changed, err)
				w.heard(w.game.SideOf(by))
			},
			"resign": func(t *rapid.T) {
				if rapid.IntRange(0, 60).Draw(t, "mood") != 0 {
					return
				}
				next, changed, err := w.game.Resign(who.Draw(t, "who"), w.now)
				w.step(t, next, changed, err)
			},
			"say": func(t *rapid.T) {
				side := sides.Draw(t, "side")
				to := rapid.SampledFrom([]game.Presence{game.Here, game.Gone}).Draw(t, "presence")
				before := w.game.Player(side).Presence
				next, changed := w.game.SetPresence(side, to, w.now)
				if changed && before == game.Silent && to == game.Gone {
					require.Equal(t, w.game.Version, next.Version, "nobody sees it")
					w.game = next
					return
				}
				w.step(t, next, changed, nil)
				w.heard(side)
			},
			"pass time": func(t *rapid.T) {
				w.pass(t, rapid.SampledFrom([]time.Duration{
					time.Second, 10 * time.Second, 25 * time.Second, 40 * time.Second, 6 * time.Minute, 25 * time.Hour,
				}).Draw(t, "time"))
			},
			"": func(t *rapid.T) { w.consistent(t) },
		})
	})
}

func (w *world) heard(side board.Side) {
	switch side {
	case board.Red:
		w.seen.Red = w.now
	case board.Yellow:
		w.seen.Yellow = w.now
	case board.NoSide:
	}
}

func (w *world) step(t *rapid.T, after game.Game, changed bool, err error) {
	if err != nil || !changed {
		require.Equal(t, w.game, after)
		return
	}
	require.False(t, w.game.Over(), "a finished game changed")
	require.Equal(t, w.game.Version+1, after.Version)
	require.LessOrEqual(t, after.Ply()-w.game.Ply(), 1)
	w.game = after
}

// pass lets time go by, with a worker that looks whenever the game says it has to.
func (w *world) pass(t *rapid.T, span time.Duration) {
	end := w.now.Add(span)
	for range 1000 {
		look := w.game.NextDue(w.seen, time.Time{}, pace, nil)
		if look.IsZero() || look.After(end) {
			w.now = end
			return
		}
		if look.After(w.now) {
			w.now = look
		}
		w.work(t)
	}
	require.Fail(t, "the worker never rests")
}

// work does what is due now; something must be.
func (w *world) work(t *rapid.T) {
	if quiet, changed := w.game.NoticeSilence(w.seen, time.Time{}, w.now); changed {
		w.step(t, quiet, true, nil)
		return
	}
	before := w.game
	switch before.TaskAt(w.now, pace, nil) {
	case game.ExpireTurn:
		w.step(t, before.Expire(w.now), true, nil)
	case game.MoveCPU:
		mover := before.Player(before.Turn())
		require.True(t, mover.Kind == game.CPU || mover.Presence != game.Here || before.TimedOut, "the CPU moves for an owner who is here")
		if mover.Kind == game.Human && !before.TimedOut {
			require.Equal(t, game.Here, before.Player(before.Turn().Other()).Presence, "the CPU plays for nobody")
		}
		next, err := before.PlayCPU(firstLegal(t, before), w.now)
		w.step(t, next, true, err)
	case game.FinishSleep:
		over, err := before.FinishSleep(func(_ board.Position, legal []board.Column) (board.Column, error) { return legal[0], nil }, w.now)
		require.NoError(t, err)
		require.True(t, over.Over())
		require.True(t, over.Unattended)
		require.Equal(t, before.Version+1, over.Version)
		w.game = over
	case game.Nothing:
		require.Fail(t, "the worker was called for nothing", "%+v", before)
	}
}

func firstLegal(t *rapid.T, g game.Game) board.Column {
	require.NotEmpty(t, g.LegalColumns())
	return g.LegalColumns()[0]
}

func (w *world) consistent(t *rapid.T) {
	g := w.game
	p := g.Position()
	kept, err := game.Restore(g)
	require.NoError(t, err)
	require.Equal(t, kept, g, "the moves lead to the position")
	require.Equal(t, g.Over(), len(g.LegalColumns()) == 0)
	require.Equal(t, g.Over(), !g.Finished.IsZero())
	if g.Asleep() {
		require.True(t, g.Deserted())
		require.True(t, g.DeadlineWith(nil).IsZero(), "a clock runs though all sleep")
	}
	if !g.Over() {
		require.False(t, g.NextDue(w.seen, time.Time{}, pace, nil).IsZero(), "nobody will look at the game again")
		require.Empty(t, g.Check()) // of one that is over the ratings are still to come
	}
	switch g.Result.Outcome {
	case game.Win:
		require.NotEqual(t, board.NoSide, g.Result.Winner)
		require.Equal(t, g.Result.EndedBy == game.Line, p.Winner() != board.NoSide)
	case game.Draw:
		require.Equal(t, game.Result{Outcome: game.Draw}, g.Result)
		require.True(t, p.Full() || g.Settings.EndDeadPositions && p.Dead())
	default:
		require.False(t, g.Over())
		require.False(t, p.Over())
	}
}

// Every game that was started ends, if everybody goes away for long enough and comes back to play.
func TestEveryGameEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for _, side := range []board.Side{board.Red, board.Yellow} {
			if rapid.Bool().Draw(t, "goes") {
				w.game, _ = w.game.SetPresence(side, game.Gone, w.now)
			}
		}
		for range 120 {
			w.pass(t, 25*time.Hour)
		}
		require.True(t, w.game.Over(), "%+v", w.game)
	})
}
