package service_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// fleet is the replicas of a service on one database; an SQLite file has one.
type fleet struct {
	db       *testkit.Database
	replicas []*world
	players  []service.Caller
}

func newFleet(t *testing.T, db *testkit.Database, players int) *fleet {
	t.Helper()
	f := &fleet{db: db, replicas: []*world{newWorld(t, db, testkit.Unbroken)}, players: nil}
	if db.Config.URL.Dialect() == config.Postgres {
		other := *db
		other.Store = db.Open(t)
		f.replicas = append(f.replicas, newWorld(t, &other, testkit.Unbroken))
	}
	for range players {
		f.players = append(f.players, f.replicas[0].guest(t, "Ola"))
	}
	return f
}

// deed is something that may end a game.
type deed func(t *testing.T, w *world, m *match) error

// deeds are all of them, by name.
func deeds() map[string]deed {
	resign := func(who func(m *match) service.Caller) deed {
		return func(t *testing.T, w *world, m *match) error {
			t.Helper()
			_, err := w.Games.Resign(t.Context(), who(m), m.game)
			return err
		}
	}
	leave := func(who func(m *match) service.Caller) deed {
		return func(t *testing.T, w *world, m *match) error {
			t.Helper()
			return w.Tables.Leave(t.Context(), who(m), m.table)
		}
	}
	red, yellow := func(m *match) service.Caller { return m.red }, func(m *match) service.Caller { return m.yellow }
	return map[string]deed{
		"red resigns": resign(red), "yellow resigns": resign(yellow), "red leaves": leave(red), "yellow leaves": leave(yellow),
		"the next disc": func(t *testing.T, w *world, m *match) error {
			t.Helper()
			ply := m.now(t).Ply() + 1
			_, err := w.Games.Play(t.Context(), m.mover(ply), m.game, ply, board.Column(shortWin[(ply-1)%len(shortWin)]-'0'))
			return err
		},
		"what is due": func(t *testing.T, w *world, _ *match) error {
			t.Helper()
			turns, _, err := w.Timers.Sweep(t.Context())
			for _, turn := range turns {
				err = errors.Join(err, w.Timers.MoveCPU(t.Context(), turn, cpu.Calm))
			}
			return err
		},
	}
}

// begin opens a game between two players who may have met before.
func (f *fleet) begin(t *testing.T, rt *rapid.T) *match {
	t.Helper()
	red := rapid.IntRange(0, len(f.players)-1).Draw(rt, "red")
	yellow := (red + rapid.IntRange(1, len(f.players)-1).Draw(rt, "yellow")) % len(f.players)
	limit, onTimeout := rapid.SampledFrom([]string{"0", "30"}).Draw(rt, "clock"), rapid.SampledFrom([]string{"loss", "cpu_move"}).Draw(rt, "timeout")
	cover := rapid.Bool().Draw(rt, "cover")
	m := f.replicas[0].rivals(t, f.players[red], f.players[yellow], service.NewTable{
		Ranked:  rapid.SampledFrom([]bool{true, true, false}).Draw(rt, "ranked"),
		Choices: service.Choices{houserule.MoveTimeLimit: limit, houserule.OnTimeout: onTimeout, houserule.CPUCover: houserule.Switch(cover)},
	})
	m.play(t, shortWin[:rapid.IntRange(0, len(shortWin)-1).Draw(rt, "plies")])
	return m
}

// end ends a game that runs still, and closes its table.
func (f *fleet) end(t *testing.T, m *match) {
	t.Helper()
	if !m.now(t).Over() {
		_, err := f.replicas[0].Games.Resign(t.Context(), m.red, m.game)
		require.NoError(t, err)
	}
	require.NoError(t, f.replicas[0].Tables.Leave(t.Context(), m.red, m.table))
	require.NoError(t, f.replicas[0].Tables.Leave(t.Context(), m.yellow, m.table))
}

// Whatever ends games, in any order, at the same time and on any replica: a game ends once, changes two ratings or none,
// takes from one what it gives the other, and everything adds up.
func TestHoweverGamesEndTheyCountOnce(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		f := newFleet(t, db, 4)
		all := deeds()
		names := rapid.SampledFrom([]string{
			"red resigns", "yellow resigns", "red leaves", "yellow leaves", "the next disc", "the next disc", "what is due", "what is due",
		})
		rapid.Check(t, func(rt *rapid.T) {
			matches := []*match{f.begin(t, rt), f.begin(t, rt)}
			db.Clock.Advance(rapid.SampledFrom([]time.Duration{time.Second, 31 * time.Second, 6 * time.Minute, 25 * time.Hour}).Draw(rt, "time"))
			var (
				work  sync.WaitGroup
				fails = make(chan error, 100)
				start = make(chan struct{})
			)
			for range rapid.IntRange(2, 8).Draw(rt, "deeds") {
				do, m := all[names.Draw(rt, "deed")], rapid.SampledFrom(matches).Draw(rt, "match")
				w := rapid.SampledFrom(f.replicas).Draw(rt, "replica")
				work.Go(func() {
					<-start
					fails <- do(t, w, m)
				})
			}
			close(start)
			work.Wait()
			close(fails)
			for err := range fails {
				var known *fault.Error
				require.True(t, err == nil || errors.As(err, &known) && known.Kind() != fault.Unavailable, "%v", err)
			}
			for _, m := range matches {
				f.end(t, m)
			}
		})
		assert.Empty(t, differences(t, db))
		requireSums(t, db)
	})
}

// requireSums fails unless each game changed two ratings or none, and gave to one what it took from the other.
func requireSums(t *testing.T, db *testkit.Database) {
	t.Helper()
	around := db.SQL(t)
	for what, query := range map[string]string{
		"games with one change or three": "SELECT count(*) FROM (SELECT game_id FROM rating_changes GROUP BY game_id HAVING count(*) <> 2) AS odd",
		"games that made ratings": `SELECT count(*) FROM (SELECT game_id FROM rating_changes GROUP BY game_id
HAVING sum(after) <> sum(before)) AS uneven`,
		"ratings that don't sum up": "SELECT count(*) FROM (SELECT sum(rating - 1500000000) AS more FROM profiles) AS sums WHERE more <> 0",
	} {
		var n int
		require.NoError(t, around.QueryRowContext(t.Context(), query).Scan(&n))
		assert.Zero(t, n, what)
	}
	var rated int
	require.NoError(t, around.QueryRowContext(t.Context(), "SELECT count(*) FROM games WHERE rating_reason = 'rated'").Scan(&rated))
	assert.Positive(t, rated, "or nothing was tested")
}

func TestTheLastDiscAResignationAndADeadlineTogetherAreOneResult(t *testing.T) {
	t.Parallel()
	endTogether(t, 60)
}

// endTogether lets the last disc, resignations and a deadline come together, again and again.
func endTogether(t *testing.T, rounds int) {
	t.Helper()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		f := newFleet(t, db, 4)
		all := deeds()
		limit := "30"
		for round := range rounds {
			ola, ivan := f.players[round%4], f.players[(round+1+round/4%3)%4]
			m := f.replicas[0].rivals(t, ola, ivan, service.NewTable{
				Ranked: true, Choices: service.Choices{houserule.MoveTimeLimit: limit, houserule.OnTimeout: houserule.Loss},
			})
			m.play(t, shortWin[:6])
			db.Clock.Advance(30*time.Second + game.Leeway + time.Duration(round%3-1)*game.Leeway)
			var work sync.WaitGroup
			start := make(chan struct{})
			for i, name := range []string{"the next disc", "yellow resigns", "what is due", "the next disc", "red resigns", "what is due"} {
				work.Go(func() {
					<-start
					var known *fault.Error
					err := all[name](t, f.replicas[i%len(f.replicas)], m)
					assert.True(t, err == nil || errors.As(err, &known), "%s: %v", name, err)
				})
			}
			close(start)
			work.Wait()
			require.True(t, m.now(t).Over())
			room, err := db.Store.Table(t.Context(), m.table)
			require.NoError(t, err)
			require.Equal(t, 1, room.Score.Games)
			f.end(t, m)
			db.Clock.Advance(time.Hour)
		}
		assert.Empty(t, differences(t, db))
		requireSums(t, db)
	})
}
