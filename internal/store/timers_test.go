package store_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

const lease = 5 * time.Second

// timer is a row of game_timers.
type timer struct {
	due time.Time
	seq int64
}

// timers reads all there are.
func timers(tb testing.TB, db *testkit.Database) map[game.ID]timer {
	tb.Helper()
	around := db.SQL(tb)
	defer func() { require.NoError(tb, around.Close()) }()
	return timersIn(tb, around)
}

func timersIn(tb testing.TB, around *sql.DB) map[game.ID]timer {
	tb.Helper()
	rows, err := around.QueryContext(tb.Context(), "SELECT game_id, due, seq FROM game_timers")
	require.NoError(tb, err)
	defer func() { require.NoError(tb, rows.Close()) }()
	found := map[game.ID]timer{}
	for rows.Next() {
		var (
			id       string
			due, seq int64
		)
		require.NoError(tb, rows.Scan(&id, &due, &seq))
		found[game.ID(id)] = timer{due: time.UnixMicro(due).UTC(), seq: seq}
	}
	require.NoError(tb, rows.Err())
	return found
}

// watched stores a running game that is due at a moment.
func watched(tb testing.TB, db *testkit.Database, due time.Time) game.Game {
	tb.Helper()
	_, g := playing(tb, db)
	g, err := db.Store.SaveGame(tb.Context(), g, flipped(db, g, board.Yellow, game.Silent), due)
	require.NoError(tb, err)
	return g
}

func (conformance) TestTimerIsSetToTheSoonerAndCounted(t *testing.T, db *testkit.Database) {
	now := db.Clock.Now()
	g := watched(t, db, now.Add(time.Minute))
	assert.Equal(t, timer{due: now.Add(time.Minute), seq: 1}, timers(t, db)[g.ID])
	to := game.Here
	for i, step := range []struct{ due, want time.Duration }{{time.Hour, time.Minute}, {time.Second, time.Second}, {time.Second, time.Second}} {
		var err error
		g, err = db.Store.SaveGame(t.Context(), g, flipped(db, g, board.Yellow, to), now.Add(step.due))
		require.NoError(t, err)
		assert.Equal(t, timer{due: now.Add(step.want), seq: int64(i + 2)}, timers(t, db)[g.ID])
		to = game.Silent - to
	}
	saved(t, db, kept(t, db, g, flipped(db, g, board.Yellow, game.Here)), "4")
	assert.Equal(t, int64(4), timers(t, db)[g.ID].seq, "without a time it stays as it is")
}

func (conformance) TestRearmSetsWhatNobodyHasSetMeanwhile(t *testing.T, db *testkit.Database) {
	now := db.Clock.Now()
	const many = 6
	games := make([]game.Game, many)
	rearmed := make([]service.Timer, many)
	for i := range games {
		games[i] = watched(t, db, now)
	}
	for i, c := range claimed(t, db, many) {
		rearmed[i] = service.Timer{Game: c.Game.ID, Seq: c.Seq, Due: now.Add(time.Duration(i+1) * time.Hour)}
		if i%2 == 1 { // it is over
			rearmed[i].Due = time.Time{}
		}
	}
	for i := 4; i < many; i++ { // somebody else was faster
		g, err := db.Store.Game(t.Context(), rearmed[i].Game)
		require.NoError(t, err)
		_, err = db.Store.SaveGame(t.Context(), g, flipped(db, g, board.Yellow, game.Here), now.Add(time.Second))
		require.NoError(t, err)
	}

	db.Statements.Reset()
	require.NoError(t, db.Store.Rearm(t.Context(), rearmed))

	assert.Equal(t, testkit.Counts{Writes: 2}, db.Statements.Reset())
	assert.Equal(t, map[game.ID]timer{
		rearmed[0].Game: {now.Add(time.Hour), 2}, rearmed[2].Game: {now.Add(3 * time.Hour), 2},
		rearmed[4].Game: {now.Add(time.Second), 3}, rearmed[5].Game: {now.Add(time.Second), 3},
	}, timers(t, db))
	require.NoError(t, db.Store.Rearm(t.Context(), nil))
}

// Between a worker's reading of a game and its re-arming the timer, a deadline comes nearer: it is never lost.
func (conformance) TestNearerDeadlineIsNeverLost(t *testing.T, db *testkit.Database) {
	g, to, around := watched(t, db, db.Clock.Now()), game.Here, db.SQL(t)
	for round := range rounds(t, 1000) {
		now := db.Clock.Advance(time.Minute)
		claims := claimed(t, db, 1)
		require.Len(t, claims, 1)
		before := claims[0].Game
		after := flipped(db, before, board.Yellow, to)
		steps := []func() error{
			func() error {
				_, err := db.Store.SaveGame(t.Context(), before, after, now.Add(time.Second))
				return err
			},
			func() error {
				return db.Store.Rearm(t.Context(), []service.Timer{{Game: g.ID, Seq: claims[0].Seq, Due: now.Add(time.Hour)}})
			},
		}
		if round%2 == 0 { // one after the other, or at the same time
			require.NoError(t, steps[0]())
			require.NoError(t, steps[1]())
		} else {
			for _, err := range race(len(steps), func(i int) error { return steps[i]() }) {
				require.NoError(t, err)
			}
		}
		require.Equal(t, now.Add(time.Second), timersIn(t, around)[g.ID].due, "round %d", round)
		to = game.Silent - to
	}
}

func (conformance) TestNoTimerOutlivesItsGame(t *testing.T, db *testkit.Database) {
	for round := range rounds(t, 50) {
		g := watched(t, db, db.Clock.Now())
		claims := claimed(t, db, 1)
		require.Len(t, claims, 1)
		over := resigned(t, db, g)
		back := flipped(db, g, board.Yellow, game.Here)
		actions := []func() error{
			func() error { _, _, err := db.Store.SaveEnd(t.Context(), g, over); return err },
			func() error { _, err := db.Store.SaveGame(t.Context(), g, back, db.Clock.Now()); return err },
			func() error {
				return db.Store.Rearm(t.Context(), []service.Timer{{Game: g.ID, Seq: claims[0].Seq, Due: db.Clock.Now()}})
			},
		}
		failures := race(len(actions), func(i int) error { return actions[i]() })
		require.NoError(t, failures[2])
		requireOneWinner(t, failures[:2])
		stored, err := db.Store.Game(t.Context(), g.ID)
		require.NoError(t, err)
		_, set := timers(t, db)[g.ID]
		require.Equal(t, !stored.Over(), set, "round %d", round)
		if set {
			ended(t, db, stored, resigned(t, db, stored))
		}
		require.Empty(t, timers(t, db))
	}
}

func (conformance) TestTimerGoesWithItsGame(t *testing.T, db *testkit.Database) {
	g := watched(t, db, db.Clock.Now())
	exec(t, db.SQL(t), strings.ReplaceAll("UPDATE tables SET status = 'closed', reason = 'idle', game_id = NULL WHERE game_id = '%'", "%", string(g.ID)))
	exec(t, db.SQL(t), "DELETE FROM games WHERE id = '"+string(g.ID)+"'")
	assert.Empty(t, timers(t, db))
	assert.Empty(t, claimed(t, db, 10))
}
