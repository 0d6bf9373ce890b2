package httpapi_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// seats is what is stored of a table's seats, past what can't be read.
func (w *world) seats(t *testing.T, id uuid.UUID) (status, reason, host string, left bool) {
	t.Helper()
	row := w.db.SQL(t).QueryRowContext(t.Context(), "SELECT status, coalesce(reason, ''), seat1_name, seat1_left FROM tables WHERE id = $1", id.String())
	require.NoError(t, row.Scan(&status, &reason, &host, &left))
	return status, reason, host, left
}

func TestAPlayerLeavesForGoodThoughItsTablesCannotBeRead(t *testing.T) {
	t.Parallel()
	onBothBesideAnotherRelease(t, func(t *testing.T, w *world, logged *lines) {
		ola := w.guest(t, "Ola")
		waiting := ola.opens(t, public)
		between, running, sound := w.meet(t, ola, w.guest(t, "Иван"), public), w.meet(t, ola, w.guest(t, "Ida"), public), w.meet(t, ola, w.guest(t, "Jan"), public)
		between.play(t, redWins)
		running.play(t, "44")
		for _, id := range []uuid.UUID{waiting.ID, between.table.ID, running.table.ID} {
			w.tamper(t, "UPDATE tables SET settings = '{' WHERE id = $1", id.String())
		}

		last := between.now(t)
		waits := later(t, w, func() answer {
			return between.yellow.get(t, gamePath(between.game)+"?wait=30&after_version="+strconv.FormatInt(last.Version, 10))
		})
		ola.leavesForGood(t)

		assert.Contains(t, logged.String(), "a row can't be read and is passed over")
		assert.Equal(t, http.StatusUnauthorized, ola.get(t, "/v1/me").status)
		assert.Equal(t, "deleted", sound.yellow.reads(t, sound.game).Red.Kind, "tables that can be read go on as ever")
		told := decode[api.Game](t, within(t, waits), http.StatusOK)
		assert.Equal(t, last.Version+1, told.Version, "who waits for another game is told that none follows")
		assert.Nil(t, told.PollAfterMs)
		assert.Nil(t, told.NextFirstSeat)
		for what, row := range map[string]struct {
			id             uuid.UUID
			status, reason string
			left           bool
		}{
			"waiting":       {waiting.ID, "closed", "profile_deleted", false},
			"between games": {between.table.ID, "closed", "profile_deleted", false},
			"playing":       {running.table.ID, "playing", "", true},
		} {
			status, reason, name, left := w.seats(t, row.id)
			assert.Equal(t, row.status, status, what)
			assert.Equal(t, row.reason, reason, what)
			assert.Empty(t, name, what)
			assert.Equal(t, row.left, left, what)
		}
		w.erases(t)
		assert.Equal(t, "deleted", running.yellow.reads(t, running.game).Red.Kind)

		for _, m := range []match{between, running} {
			w.tamper(t, "UPDATE tables SET settings = (SELECT settings FROM games WHERE id = $1) WHERE id = $2", m.game.String(), m.table.ID.String())
		}
		w.tamper(t, "UPDATE tables SET settings = (SELECT settings FROM games WHERE id = $1) WHERE id = $2", running.game.String(), waiting.ID.String())
		assert.Empty(t, w.wrong(t), "put right, they are tables like others")
		assert.Equal(t, http.StatusNoContent, running.yellow.leaves(t, running.table.ID).status)
	})
}

func TestAPlayerLeavesForGoodThoughItsGameCannotBeRead(t *testing.T) {
	t.Parallel()
	onBothBesideAnotherRelease(t, func(t *testing.T, w *world, logged *lines) {
		m := w.match(t, public)
		w.tamper(t, "UPDATE games SET settings = '{', version = version + 1, stamp = stamp / 2 + 1 WHERE id = $1", m.game.String())
		m.red.leavesForGood(t)
		assert.Contains(t, logged.String(), "a row can't be read and is passed over")
		status, _, name, left := w.seats(t, m.table.ID)
		assert.Equal(t, "playing", status)
		assert.Empty(t, name)
		assert.True(t, left)
	})
}
