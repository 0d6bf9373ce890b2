package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// race runs one action many times at once and returns their errors.
func race(n int, action func(i int) error) []error {
	failures := make([]error, n)
	start := make(chan struct{})
	var runners sync.WaitGroup
	for i := range n {
		runners.Go(func() {
			<-start
			failures[i] = action(i)
		})
	}
	close(start)
	runners.Wait()
	return failures
}

// requireOneWinner fails unless exactly one error is none and all others are service.ErrChanged. It returns the winner.
func requireOneWinner(tb testing.TB, failures []error) int {
	tb.Helper()
	return requireWinners(tb, failures, 1, func(err error) bool { return errors.Is(err, service.ErrChanged) })[0]
}

// requireWinners fails unless exactly n errors are none and all others are as expected. It returns the winners.
func requireWinners(tb testing.TB, failures []error, n int, expected func(error) bool) []int {
	tb.Helper()
	var winners []int
	for i, err := range failures {
		if err == nil {
			winners = append(winners, i)
			continue
		}
		require.True(tb, expected(err), "unexpected: %v", err)
	}
	require.Len(tb, winners, n)
	return winners
}

func isTaken(err error) bool {
	return fault.Is(err, fault.SeatTaken)
}

func isTooMany(err error) bool {
	return fault.Is(err, fault.TooManyTables)
}

func (conformance) TestOnlyOneOfManyTakesASeat(t *testing.T, db *testkit.Database) {
	const many = 20
	room := waiting(t, db, guest(t, db, "Ola"), table.Public)
	guests, ids := make([]profile.Profile, many), make([]game.ID, many)
	for i := range guests {
		guests[i], ids[i] = guest(t, db, "Иван"), game.ID(newID(t))
	}
	winner := requireWinners(t, race(many, func(i int) error {
		_, err := db.Store.ChangeTable(t.Context(), room.ID, sitting(db, guests[i], ids[i], false, plenty))
		return err
	}), 1, isTaken)[0]
	stored, err := db.Store.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.Equal(t, guests[winner].ID, stored.Seats[1].Profile)
	assert.Equal(t, ids[winner], stored.Game.ID)
	for i, id := range ids {
		_, err := db.Store.Game(t.Context(), id)
		assert.Equal(t, i == winner, err == nil, "the others' games are not there")
	}
}

func (conformance) TestOpenTablesStayLimitedWhenManyOpenAtOnce(t *testing.T, db *testkit.Database) {
	const many, atMost, open = 20, 5, 2
	p := guest(t, db, "Ola")
	for range open {
		waiting(t, db, p, table.Public)
	}
	requests, rooms, ids := make([]table.Table, many), make([]table.Table, many), make([]game.ID, many)
	for i := range many {
		requests[i] = newTable(t, db, p, table.Private)
		rooms[i], ids[i] = waiting(t, db, guest(t, db, "Иван"), table.Public), game.ID(newID(t))
	}
	requireWinners(t, race(2*many, func(i int) error {
		if i%2 == 0 { // half open a table, half sit down at another's
			_, err := db.Store.ChangeTable(t.Context(), rooms[i/2].ID, sitting(db, p, ids[i/2], false, atMost))
			return err
		}
		_, err := db.Store.OpenTable(t.Context(), requests[i/2], noTimer, atMost, db.Clock.Now())
		return err
	}), atMost-open, isTooMany)
}

func (conformance) TestOneNameOpensOneTableWhenSentManyTimesAtOnce(t *testing.T, db *testkit.Database) {
	const many = 20
	p, ref := guest(t, db, "Ola"), newID(t)
	requests, opened := make([]table.Table, many), make([]table.Table, many)
	for i := range requests {
		requests[i] = newTable(t, db, p, table.Private)
		requests[i].ClientRef = ref
	}
	for i, err := range race(many, func(i int) (err error) {
		opened[i], err = db.Store.OpenTable(t.Context(), requests[i], noTimer, 1, db.Clock.Now())
		return err
	}) {
		require.NoError(t, err)
		assert.Equal(t, opened[0], opened[i])
	}
}

// Guests who sit down at each other's tables while they open more lock the same rows in every order they can.
func (conformance) TestNobodyIsPushedAsideForGood(t *testing.T, db *testkit.Database) {
	const people, rounds = 4, 5
	for range rounds {
		var actions []func() error
		players := make([]profile.Profile, people)
		for i := range players {
			players[i] = guest(t, db, "Ola")
		}
		for i, host := range players {
			other := players[(i+1)%people]
			ref := newID(t)
			request := newTable(t, db, host, table.Public)
			request.ClientRef = ref
			room, id := opened(t, db, request), game.ID(newID(t))
			again := newTable(t, db, host, table.Public)
			again.ClientRef = ref
			later := db.Clock.Now().Add(time.Microsecond) // the earlier name is too old: it is freed
			actions = append(actions,
				func() error {
					_, err := db.Store.ChangeTable(t.Context(), room.ID, sitting(db, other, id, false, plenty))
					return err
				},
				func() error {
					_, err := db.Store.OpenTable(t.Context(), again, noTimer, plenty, later)
					return err
				})
		}
		for _, err := range race(len(actions), func(i int) error { return actions[i]() }) {
			require.NoError(t, err)
		}
	}
}
