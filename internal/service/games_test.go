package service_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

func TestAGameIsPlayedToItsEnd(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		view := m.play(t, "1213141")
		assert.Equal(t, game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Line}, view.Game.Result)
		assert.Equal(t, board.Red, view.MySide)
		assert.False(t, view.CanMove)
		again, err := w.Games.Play(t.Context(), m.red, m.game, 7, 1)
		require.NoError(t, err, "the answer was lost and the move sent again")
		assert.Equal(t, view.Game, again.Game)
		seen, _, err := w.Tables.Follow(t.Context(), m.yellow, m.table, service.Poll{})
		require.NoError(t, err)
		assert.Equal(t, table.BetweenGames, seen.Table.Status)
		assert.Equal(t, table.Score{Games: 1, Wins: [2]int{1, 0}}, seen.Table.Score)
	})
}

func TestAConflictCarriesTheGameAsItIs(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		m.play(t, "44")
		_, err := w.Games.Play(t.Context(), m.yellow, m.game, 3, 4)
		refused(t, err, fault.NotYourTurn)
		var conflict *service.GameConflictError
		require.ErrorAs(t, err, &conflict)
		assert.Equal(t, "44", conflict.Game.Game.Moves)
		assert.Equal(t, board.Yellow, conflict.Game.MySide)
	})
}

func TestWhoMayNotIsToldNothing(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m, stranger := w.match(t, service.NewTable{}), w.guest(t, "Lei")
		_, err := w.Games.Play(t.Context(), stranger, m.game, 1, 4)
		refused(t, err, fault.NotSeated)
		_, err = w.Games.Play(t.Context(), service.Caller{}, m.game, 1, 4)
		refused(t, err, fault.NoToken)
		_, err = w.Games.Resign(t.Context(), stranger, m.game)
		refused(t, err, fault.NotSeated)
		_, _, err = w.Games.Follow(t.Context(), stranger, "01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12", service.Poll{})
		refused(t, err, fault.NotFound)

		opened, err := w.Tables.Open(t.Context(), m.red, service.NewTable{})
		require.NoError(t, err)
		_, err = w.Tables.TakeSeat(t.Context(), stranger, opened.Table.ID, opened.Table.Invite, 0)
		require.NoError(t, err)
		_, _, err = w.Tables.Follow(t.Context(), m.yellow, opened.Table.ID, service.Poll{})
		refused(t, err, fault.NotFound)
		_, err = w.Tables.SetPresence(t.Context(), m.yellow, opened.Table.ID, true)
		refused(t, err, fault.NotFound)
		refused(t, w.Tables.Leave(t.Context(), m.yellow, opened.Table.ID), fault.NotFound)
	})
}

func TestResigningTwiceIsResigningOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		lost, err := w.Games.Resign(t.Context(), m.yellow, m.game)
		require.NoError(t, err)
		again, err := w.Games.Resign(t.Context(), m.yellow, m.game)
		require.NoError(t, err)
		assert.Equal(t, lost.Game, again.Game)
		_, err = w.Games.Resign(t.Context(), m.red, m.game)
		refused(t, err, fault.GameFinished)
	})
}

func TestAWaitingRequestIsAnsweredWithAMoveAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		answers := w.waits(t.Context(), t, m.yellow, m.game)
		m.play(t, "4")
		got := <-answers
		require.NoError(t, got.err)
		assert.Equal(t, "4", got.view.Game.Moves)
		assert.Zero(t, w.Hub.Waiting())
	})
}

func TestAWaitingRequestIsLetGoWhenItsClientGoesAndWhenTheServiceStops(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		ctx, cancel := context.WithCancel(t.Context())
		answers := w.waits(ctx, t, m.yellow, m.game)
		cancel()
		require.ErrorIs(t, (<-answers).err, context.Canceled)
		assert.Zero(t, w.Hub.Waiting())

		answers = w.waits(t.Context(), t, m.yellow, m.game)
		w.Hub.Stop()
		got := <-answers
		require.NoError(t, got.err)
		assert.GreaterOrEqual(t, got.view.PollAfter, 500*time.Millisecond)
	})
}

func TestWhoIsCrowdedOutIsAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		for range 4 {
			w.waits(t.Context(), t, m.yellow, m.game)
		}
		view, _, err := w.Games.Follow(t.Context(), m.yellow, m.game, after(1, 20*time.Second))
		require.NoError(t, err)
		assert.Equal(t, 5*time.Second, view.PollAfter)
		w.Hub.Stop()
	})
}

// A move falls anywhere between a poll's read and its wait: the poll is answered with it all the same.
func TestNoMoveFallsBetweenAReadAndAWait(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		for range 25 {
			m := w.match(t, service.NewTable{})
			for i, digit := range []byte("4343434") {
				version := m.now(t).Version
				var both sync.WaitGroup
				both.Go(func() {
					view, _, err := w.Games.Follow(t.Context(), m.mover(i), m.game, after(version, 20*time.Second))
					assert.NoError(t, err)
					assert.Equal(t, i+1, view.Game.Ply(), "it waited to the end")
				})
				_, err := w.Games.Play(t.Context(), m.mover(i+1), m.game, i+1, board.Column(digit-'0'))
				require.NoError(t, err)
				both.Wait()
			}
			require.NoError(t, w.Tables.Leave(t.Context(), m.red, m.table))
		}
	})
}
