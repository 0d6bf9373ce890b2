package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// saving is a move that is being stored.
type saving struct {
	saved game.Game
	err   error
}

// together begins to store moves, and returns when all of them have gathered for one statement.
func together(t *testing.T, s *store.Store, before, after []game.Game) (release func(), ends []chan saving) {
	t.Helper()
	gathered, release := s.HoldUpdates()
	for i := range before {
		end := make(chan saving, 1)
		ends = append(ends, end)
		go func() {
			saved, err := s.SaveGame(context.WithoutCancel(t.Context()), before[i], after[i], noTimer)
			end <- saving{saved, err}
		}()
	}
	require.Eventually(t, func() bool { return gathered() == len(before) }, time.Minute, time.Millisecond)
	return release, ends
}

// games are some that have begun, and each after a move in another column.
func gamesAndMoves(t *testing.T, db *testkit.Database, n int) (before, after []game.Game) {
	t.Helper()
	for i := range n {
		_, g := playing(t, db)
		before, after = append(before, g), append(after, played(t, db, g, string(rune('1'+i))))
	}
	return before, after
}

func TestUpdatesThatGatherAreStoredByOneStatement(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	var seen testkit.Statements
	s := db.Open(t, func(o *store.Options) { o.Observe = seen.Observe })
	before, after := gamesAndMoves(t, db, 3)

	release, ends := together(t, s, before, after)
	seen.Reset()
	release()
	saved := make([]game.Game, 0, len(ends))
	for _, end := range ends {
		got := <-end
		require.NoError(t, got.err)
		saved = append(saved, got.saved)
	}
	assert.Equal(t, testkit.Counts{Reads: 0, Writes: 1, Begins: 0, Commits: 0, Rollbacks: 0}, seen.Reset())
	for i, got := range saved {
		assert.Equal(t, after[i].Moves, got.Moves)
		stored, err := db.Store.Game(t.Context(), before[i].ID)
		require.NoError(t, err)
		assert.Empty(t, testkit.Diff(stored, got))
	}
}

func TestAnUpdateThatCameTooLateDoesNotHinderItsNeighbours(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	before, after := gamesAndMoves(t, db, 3)
	faster := kept(t, db, before[1], played(t, db, before[1], "7"))

	release, ends := together(t, db.Store, before, after)
	release()
	require.NoError(t, (<-ends[0]).err)
	require.ErrorIs(t, (<-ends[1]).err, service.ErrChanged)
	require.NoError(t, (<-ends[2]).err)
	stored, err := db.Store.Game(t.Context(), before[1].ID)
	require.NoError(t, err)
	assert.Empty(t, testkit.Diff(faster, stored))
}

func TestOneOfTwoMovesOfTheSamePlyIsStoredWhenBothGather(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	moves := []game.Game{played(t, db, g, "3"), played(t, db, g, "4")}

	release, ends := together(t, db.Store, []game.Game{g, g}, moves)
	release()
	results := []saving{<-ends[0], <-ends[1]}
	winner := requireOneWinner(t, []error{results[0].err, results[1].err})
	stored, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Empty(t, testkit.Diff(results[winner].saved, stored))
}

// A transaction that is slow, or whose replica has died, holds up its own game and no other.
func TestAGameThatIsLockedHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	before, after := gamesAndMoves(t, db, 3)
	tx, err := db.SQL(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback() }) // it is committed below, unless the test has failed
	_, err = tx.ExecContext(t.Context(), "SELECT 1 FROM games WHERE id = $1 FOR UPDATE", string(before[0].ID))
	require.NoError(t, err)

	release, ends := together(t, db.Store, before, after)
	release()
	require.NoError(t, (<-ends[1]).err)
	require.NoError(t, (<-ends[2]).err)
	require.Empty(t, ends[0], "it waits for its row")
	require.NoError(t, tx.Commit())
	require.NoError(t, (<-ends[0]).err)
}

func TestALostAnswerIsAnUnknownOutcomeForAllWhoShareTheStatement(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s, network := db.BehindNetwork(t)
	before, after := gamesAndMoves(t, db, 2)
	for _, g := range before { // which it remembers from then on
		_, err := s.Game(t.Context(), g.ID)
		require.NoError(t, err)
	}

	network.LoseAnswerTo(string(before[0].ID))
	release, ends := together(t, s, before, after)
	release()
	for i, end := range ends {
		require.True(t, fault.Is((<-end).err, fault.OutcomeUnknown))
		_, known := s.KnownGame(before[i].ID)
		assert.False(t, known)
		stored, err := s.Game(t.Context(), before[i].ID)
		require.NoError(t, err)
		assert.Equal(t, after[i].Moves, stored.Moves)
	}
}

func TestTimersAreSetOfThoseGamesAloneThatWereUpdated(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, first := playing(t, db)
	_, second := playing(t, db)
	_, third := playing(t, db)
	kept(t, db, second, played(t, db, second, "7"))
	due := db.Clock.Now().Add(time.Minute)

	gathered, release := db.Store.HoldUpdates()
	failures := make(chan error, 3)
	for _, g := range []game.Game{first, second} {
		go func() {
			_, err := db.Store.SaveGame(t.Context(), g, flipped(db, g, g.Turn(), game.Silent), due)
			failures <- err
		}()
	}
	go func() {
		_, err := db.Store.SaveGame(t.Context(), third, played(t, db, third, "4"), noTimer)
		failures <- err
	}()
	require.Eventually(t, func() bool { return gathered() == 3 }, time.Minute, time.Millisecond)
	release()
	requireWinners(t, []error{<-failures, <-failures, <-failures}, 2, func(err error) bool { return errors.Is(err, service.ErrChanged) })
	set := timers(t, db)
	require.Len(t, set, 1)
	assert.Equal(t, due, set[first.ID].due)
}
