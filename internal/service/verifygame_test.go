package service_test

import (
	"errors"
	"strings"
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

// versus opens a table against the CPU at which its owner has played a disc.
func (w *world) versus(t *testing.T, c service.Caller, choices service.Choices) *match {
	t.Helper()
	opened, err := w.Tables.Open(t.Context(), c, service.NewTable{Opponent: game.CPU, CPULevel: "easy", Choices: choices})
	require.NoError(t, err)
	_, err = w.Games.Play(t.Context(), c, opened.Table.Game.ID, 1, 4)
	require.NoError(t, err)
	return &match{w: w, red: c, yellow: service.Caller{}, table: opened.Table.ID, game: opened.Table.Game.ID}
}

// inAllStates begins games of all kinds. Nobody is seen at some of them from then on.
func inAllStates(t *testing.T, w *world) map[string]*match {
	t.Helper()
	return map[string]*match{
		"nobody is there":               w.match(t, service.NewTable{}),
		"nobody is there, with a clock": w.match(t, clock30("cpu_move")),
		"lost by the clock":             w.match(t, clock30("loss")),
		"covered":                       w.match(t, service.NewTable{}),
		"timed out":                     w.match(t, clock30("cpu_move")),
		"ranked":                        w.match(t, service.NewTable{Ranked: true}),
		"without cover":                 w.match(t, service.NewTable{Ranked: true, Choices: service.Choices{houserule.CPUCover: houserule.Off}}),
		"versus the CPU":                w.versus(t, w.guest(t, "Zofia"), service.Choices{}),
		"versus the CPU, with a clock":  w.versus(t, w.guest(t, "Ada"), clock30("cpu_move").Choices),
	}
}

// meet notes in which states a game is.
func meet(met map[string]bool, g game.Game) {
	for state, is := range map[string]bool{
		"asleep": g.Asleep(), "timed out": g.TimedOut, "the CPU's turn": g.CPUToMove(), "lost": g.Result.EndedBy == game.Timeout,
		"covered": strings.Contains(g.Movers, "c") && !g.VersusCPU(),
	} {
		met[state] = met[state] || is
	}
}

// returns lets red come back to its game, if it still runs.
func (m *match) returns(t *testing.T) {
	t.Helper()
	if !m.now(t).Over() {
		m.reads(t, m.red)
	}
}

func TestVerifyFindsNothingInGamesThatRunWhateverTheirState(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		all := inAllStates(t, w)
		met := map[string]bool{}
		check := func(when string) {
			for _, m := range all {
				meet(met, m.now(t))
			}
			require.Empty(t, differences(t, w.db), when)
		}
		check("at the beginning")
		for range 90 {
			w.db.Clock.Advance(time.Second)
			all["covered"].reads(t, all["covered"].yellow)
			all["timed out"].reads(t, all["timed out"].red)
			all["timed out"].reads(t, all["timed out"].yellow)
			require.NoError(t, w.Presence.Write(t.Context()))
			turns, _, err := w.Timers.Sweep(t.Context())
			require.NoError(t, err)
			check("when what is due is claimed")
			for _, turn := range turns {
				require.NoError(t, w.Timers.MoveCPU(t.Context(), turn, cpu.Calm))
			}
			check("when the CPU has moved")
		}
		assert.Equal(t, map[string]bool{"asleep": true, "timed out": true, "the CPU's turn": true, "lost": true, "covered": true}, met)
		w.db.Clock.Advance(time.Hour)
		check("when the service was down")
		w.Work(t)
		check("when it is back, and gives that time back")
		for _, m := range all {
			m.returns(t)
		}
		check("when somebody came back everywhere")
		w.Pass(t, 40*time.Second)
		check("when they have gone again")
	})
}

// The clock of this test runs by itself, and so do its worker and its players, while the database is looked at.
func TestVerifyFindsNothingBesideAServiceThatFinishesGames(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		inAllStates(t, w)
		matches := make([]*match, 0, 24)
		for i := range cap(matches) {
			matches = append(matches, w.match(t, service.NewTable{Ranked: i%2 == 0}))
		}
		var (
			working, playing sync.WaitGroup
			over             = make(chan struct{})
			worked           error
		)
		working.Go(func() { worked = w.worksUntil(t, over) })
		for _, half := range [][]*match{matches[:len(matches)/2], matches[len(matches)/2:]} {
			playing.Go(func() { hurryAll(t, half) })
		}
		finished := make(chan struct{})
		go func() {
			playing.Wait()
			close(finished)
		}()
		for !closed(finished) {
			assert.Empty(t, differences(t, w.db))
		}
		close(over)
		working.Wait()
		require.NoError(t, worked)
		for _, m := range matches {
			assert.True(t, m.now(t).Over())
		}
		assert.Empty(t, differences(t, w.db))
	})
}

// worksUntil works, with a clock that runs on, until over is closed or something fails.
func (w *world) worksUntil(t *testing.T, over <-chan struct{}) error {
	t.Helper()
	for !closed(over) {
		w.db.Clock.Advance(250 * time.Millisecond)
		if err := w.step(t); err != nil {
			return err
		}
	}
	return nil
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// hurryAll plays games one after another.
func hurryAll(t *testing.T, matches []*match) {
	t.Helper()
	for _, m := range matches {
		m.hurry(t)
	}
}

// hurry plays a game to its end at once, or until the CPU has covered for a player: then somebody resigns.
func (m *match) hurry(t *testing.T) {
	t.Helper()
	for i, digit := range []byte(shortWin) {
		_, err := m.w.Games.Play(t.Context(), m.mover(i+1), m.game, i+1, board.Column(digit-'0'))
		var known *fault.Error
		if errors.As(err, &known) && known.Kind() == fault.Conflict {
			_, err = m.w.Games.Resign(t.Context(), m.mover(i+1), m.game)
			assert.True(t, err == nil || errors.As(err, &known) && known.Kind() == fault.Conflict, "%v", err)
			return
		}
		assert.NoError(t, err)
	}
}

// step does what is due now, as a worker does.
func (w *world) step(t *testing.T) error {
	t.Helper()
	fails := []error{w.Uptime.Beat(t.Context()), w.Presence.Write(t.Context())}
	turns, _, err := w.Timers.Sweep(t.Context())
	fails = append(fails, err)
	for _, turn := range turns {
		fails = append(fails, w.Timers.MoveCPU(t.Context(), turn, cpu.Calm))
	}
	return errors.Join(fails...)
}

func TestVerifyFindsWhateverWasChangedInGamesThatRun(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		all := inAllStates(t, w)
		w.Pass(t, 3*time.Second)
		asleep := w.match(t, service.NewTable{})
		for range 2 {
			w.Pass(t, 20*time.Second)
			all["covered"].reads(t, all["covered"].yellow)
			all["covered"].reads(t, all["covered"].red)
			all["ranked"].reads(t, all["ranked"].red)
			all["ranked"].reads(t, all["ranked"].yellow)
			all["versus the CPU"].reads(t, all["versus the CPU"].red)
		}
		require.True(t, asleep.now(t).Asleep())
		require.True(t, all["without cover"].now(t).Deserted())
		clocked := w.match(t, clock30("cpu_move"))
		require.Empty(t, differences(t, w.db))
		for _, row := range []struct {
			of           *match
			change, undo string
			found        string
		}{
			{all["covered"], "deadline = deadline + 1", "deadline = deadline - 1", "has a turn that ends at"},
			{all["ranked"], "deadline = deadline + 86100000000", "deadline = deadline - 86100000000", "has a turn that ends at"},
			{clocked, "deadline = deadline - 10000000", "deadline = deadline + 10000000", "has a turn that ends at"},
			{all["covered"], "ranked = true", "ranked = false", "has a turn that ends at"},
			{all["covered"], "timed_out = true", "timed_out = false", "has a turn that the CPU ends"},
			{
				all["covered"], "turn_started = turn_started + 60000000, deadline = deadline + 60000000",
				"turn_started = turn_started - 60000000, deadline = deadline - 60000000", "began its turn at",
			},
			{asleep, "red_presence = 0", "red_presence = 1", "sleeps, and somebody is there"},
			{asleep, cover(houserule.On, houserule.Off), cover(houserule.Off, houserule.On), "sleeps, which it never does by its settings"},
			{all["without cover"], cover(houserule.Off, houserule.On), cover(houserule.On, houserule.Off), "is awake, and nobody is there"},
			{all["versus the CPU"], "took = '-1' || took", "took = substr(took, 3)", "has a move at ply 1 that took -"},
			{all["versus the CPU"], "yellow_level = 'grandmaster'", "yellow_level = 'easy'", `runs against the CPU: no such level: "grandmaster"`},
		} {
			w.tamper(t, "UPDATE games SET "+row.change+" WHERE id = $1", string(row.of.game))
			found := strings.Join(differences(t, w.db), "\n")
			assert.Contains(t, found, row.found, row.change)
			w.tamper(t, "UPDATE games SET "+row.undo+" WHERE id = $1", string(row.of.game))
			require.Empty(t, differences(t, w.db), row.undo)
		}
		for _, m := range []*match{asleep, clocked, all["covered"]} {
			latest, due := m.now(t).LatestDue(testkit.CPUPace, nil).UnixMicro(), w.due(t, m)
			for _, late := range []time.Duration{0, 10 * time.Second} {
				w.tamper(t, "UPDATE game_timers SET due = $1 WHERE game_id = $2", latest+late.Microseconds(), string(m.game))
				found := strings.Join(differences(t, w.db), "\n")
				assert.Equal(t, late > 0, strings.Contains(found, "game "+string(m.game)+" is looked at by a worker at"), found)
			}
			w.tamper(t, "UPDATE game_timers SET due = $1 WHERE game_id = $2", due, string(m.game))
		}
		require.Empty(t, differences(t, w.db))
	})
}

// cover rewrites whether the CPU covers, in the settings.
func cover(was, is string) string {
	return rule("cpu_cover", was, is)
}

// tamper changes the database past the service.
func (w *world) tamper(t *testing.T, statement string, args ...any) {
	t.Helper()
	_, err := w.db.SQL(t).ExecContext(t.Context(), statement, args...)
	require.NoError(t, err, statement)
}

// due is when a worker looks at a game.
func (w *world) due(t *testing.T, m *match) (due int64) {
	t.Helper()
	require.NoError(t, w.db.SQL(t).QueryRowContext(t.Context(), "SELECT due FROM game_timers WHERE game_id = $1", string(m.game)).Scan(&due))
	return due
}
