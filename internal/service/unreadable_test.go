package service_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// onBothLogging is onBoth with a function that counts the rows which the store says it passed over.
func onBothLogging(t *testing.T, test func(t *testing.T, w *world, logged func() int)) {
	t.Helper()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		var log bytes.Buffer
		db.Store = db.Open(t, func(o *store.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		test(t, newWorld(t, db), func() int { return strings.Count(log.String(), "a row can't be read and is passed over") })
	})
}

// ruin writes settings that no table can have.
func (w *world) ruin(t *testing.T, id table.ID) {
	t.Helper()
	w.tamper(t, "UPDATE tables SET settings = '{' WHERE id = '"+string(id)+"'")
}

func (w *world) status(t *testing.T, id table.ID) (status string) {
	t.Helper()
	require.NoError(t, w.db.SQL(t).QueryRowContext(t.Context(), "SELECT status FROM tables WHERE id = $1", string(id)).Scan(&status))
	return status
}

func TestIdleTablesThatCannotBeReadKeepNoOthersOpen(t *testing.T) {
	t.Parallel()
	onBothLogging(t, func(t *testing.T, w *world, logged func() int) {
		host := w.guest(t, "Ola")
		opens := func() table.ID {
			v, err := w.Tables.Open(t.Context(), host, service.NewTable{Visibility: table.Public})
			require.NoError(t, err)
			w.db.Clock.Advance(time.Second)
			return v.Table.ID
		}
		broken, sound := opens(), opens()
		const columns = `version, status, visibility, ranked, settings_version, settings, move_time_limit_seconds, cover_grace_seconds,
seat1_profile, seat1_name, seat1_rating, seat1_left, seat1_wins, seat2_left, seat2_wins, draws, created, active`
		w.ruin(t, broken)
		around := w.db.SQL(t)
		for i := range 120 { // more than one round closes, and idle for longer than the sound one
			id := string(broken[:len(broken)-3]) + "0" + string(rune('0'+i/16)) + string("0123456789abcdef"[i%16])
			_, err := around.ExecContext(t.Context(), "INSERT INTO tables (id, "+columns+") SELECT '"+id+"', "+columns+" FROM tables WHERE id = '"+string(broken)+"'")
			require.NoError(t, err)
		}
		w.db.Clock.Advance(25 * time.Hour)
		for times := range 2 {
			require.NoError(t, w.Tables.CloseIdle(t.Context()))
			assert.Equal(t, "closed", w.status(t, sound))
			assert.Equal(t, "waiting", w.status(t, broken))
			assert.GreaterOrEqual(t, logged(), (times+1)*121, "each is told, in each round; the logger counts them")
		}
	})
}

func TestAPlayerWhoseTableCannotBeReadHoldsUpNobodysQuickMatch(t *testing.T) {
	t.Parallel()
	onBothLogging(t, func(t *testing.T, w *world, logged func() int) {
		ola, ida, jan := w.guest(t, "Ola"), w.guest(t, "Ida"), w.guest(t, "Jan")
		broken := w.meets(t, ola, service.QuickRequest{})
		w.ruin(t, broken.ID)
		waits := w.meets(t, ida, service.QuickRequest{})
		assert.NotEqual(t, broken.ID, waits.ID)
		assert.Equal(t, table.Waiting, waits.Status)

		require.NoError(t, w.Matches.PairSearchers(t.Context()))
		assert.Equal(t, table.Waiting, w.stored(t, waits.ID).Status, "nobody else waits who can be met")
		met := w.meets(t, jan, service.QuickRequest{})
		assert.Equal(t, waits.ID, met.ID)
		assert.Equal(t, table.Playing, met.Status)

		again := w.meets(t, ola, service.QuickRequest{})
		assert.NotEqual(t, broken.ID, again.ID, "its owner waits at another table")
		assert.Equal(t, game.HostSeat, again.SeatOf(ola.Profile))
		require.NoError(t, w.Matches.StopQuickMatch(t.Context(), ola))
		assert.Equal(t, table.Closed, w.stored(t, again.ID).Status)
		assert.Equal(t, "waiting", w.status(t, broken.ID))
		assert.Positive(t, logged())
	})
}

func TestSearchersOfOneQueueArePairedPastATableThatCannotBeRead(t *testing.T) {
	t.Parallel()
	onBothLogging(t, func(t *testing.T, w *world, _ func() int) {
		ola, ida, jan := w.guest(t, "Ola"), w.guest(t, "Ida"), w.guest(t, "Jan")
		first := w.meets(t, ida, service.QuickRequest{})
		w.db.Clock.Advance(11 * time.Second)
		broken := w.meets(t, ola, named(30))
		w.tamper(t, "UPDATE tables SET any_clock = TRUE, move_time_limit_seconds = 0, settings = '{' WHERE id = '"+string(broken.ID)+"'")
		second := w.meets(t, jan, service.QuickRequest{})
		require.NotEqual(t, first.ID, second.ID)
		_, _, err := w.Tables.Follow(t.Context(), ida, first.ID, service.Poll{})
		require.NoError(t, err)
		require.NoError(t, w.Matches.PairSearchers(t.Context()))
		assert.Equal(t, table.Playing, w.stored(t, first.ID).Status)
		assert.Equal(t, table.Closed, w.stored(t, second.ID).Status)
	})
}

func TestAnUnofferedTableThatCannotBeReadKeepsNoOtherOpen(t *testing.T) {
	t.Parallel()
	onBothLogging(t, func(t *testing.T, w *world, logged func() int) {
		broken := w.meets(t, w.guest(t, "Ola"), named(30))
		sound := w.meets(t, w.guest(t, "Ida"), service.QuickRequest{Ranked: true, MoveTimeLimitSeconds: new(30)})
		w.ruin(t, broken.ID)
		w.rules(t, houserule.MoveTimeLimit, "0", "0", "60")
		for times := range 2 {
			require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
			assert.Equal(t, table.NotOffered, w.stored(t, sound.ID).Reason)
			assert.Equal(t, "waiting", w.status(t, broken.ID))
			assert.Equal(t, times+1, logged())
		}
	})
}
