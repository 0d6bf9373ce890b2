package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// meets asks for a quick match.
func (w *world) meets(t *testing.T, c service.Caller, request service.QuickRequest) table.Table {
	t.Helper()
	v, err := w.Matches.QuickMatch(t.Context(), c, request)
	require.NoError(t, err)
	return v.Table
}

// stored reads a table as nobody's, so that nobody is here by it.
func (w *world) stored(t *testing.T, id table.ID) table.Table {
	t.Helper()
	found, err := w.db.Store.Table(t.Context(), id)
	require.NoError(t, err)
	return found
}

// rules puts a house rule under other terms, and lets the service know.
func (w *world) rules(t *testing.T, key houserule.Key, option string, options ...string) {
	t.Helper()
	w.tamper(t, "UPDATE house_rules SET version = version + 1, default_option = '"+option+"', options = '"+strings.Join(options, ",")+"' WHERE rule = '"+string(key)+"'")
	w.db.Clock.Advance(time.Second)
}

func named(seconds int) service.QuickRequest {
	return service.QuickRequest{MoveTimeLimitSeconds: &seconds}
}

func TestWhoNamedNoClockPlaysByTheDefaultsOfTheMoment(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola, jan, ivan := w.guest(t, "Ola"), w.guest(t, "Jan"), w.guest(t, "Иван")
		waits := w.meets(t, ola, service.QuickRequest{})
		assert.Zero(t, waits.Settings.MoveTimeLimit)
		w.rules(t, houserule.MoveTimeLimit, "30", "0", "30", "60")
		w.rules(t, houserule.OnTimeout, houserule.Loss, houserule.CPUMove, houserule.Loss)
		apart := w.meets(t, jan, named(0))
		assert.NotEqual(t, waits.ID, apart.ID, "no limit is no default any more")
		assert.Equal(t, waits.ID, w.meets(t, ola, service.QuickRequest{}).ID, "who asks again goes on waiting")
		assert.EqualValues(t, 1, w.stored(t, waits.ID).Version)

		met := w.meets(t, ivan, service.QuickRequest{})

		assert.Equal(t, waits.ID, met.ID)
		for _, now := range []table.Table{met, w.stored(t, waits.ID)} {
			assert.Equal(t, 30*time.Second, now.Settings.MoveTimeLimit)
			assert.Equal(t, houserule.Loss, now.Settings.OnTimeout)
			assert.Equal(t, now.Settings, now.Game.Settings, "the game starts with them")
			assert.EqualValues(t, 2, now.SettingsVersion)
			assert.EqualValues(t, 2, now.Version, "a command is one change")
		}
		assert.Equal(t, met.Game.Started.Add(40*time.Second), met.Game.Deadline)
		assert.Equal(t, table.Waiting, w.stored(t, apart.ID).Status)
	})
}

func TestTheDefaultMayBeNamed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		w.rules(t, houserule.MoveTimeLimit, "60", "0", "30", "60")
		waits := w.meets(t, w.guest(t, "Ola"), named(60))
		w.rules(t, houserule.EndDeadPositions, houserule.Off, houserule.On, houserule.Off)
		met := w.meets(t, w.guest(t, "Иван"), service.QuickRequest{})
		assert.Equal(t, waits.ID, met.ID, "who names none meets who named the default")
		assert.Equal(t, waits.Settings, met.Settings, "at a table that carries what it was opened with")
		assert.EqualValues(t, 1, met.SettingsVersion)
		waits = w.meets(t, w.guest(t, "Ida"), service.QuickRequest{})
		met = w.meets(t, w.guest(t, "Jan"), named(60))
		assert.Equal(t, waits.ID, met.ID, "and the other way round")
		assert.EqualValues(t, 1, met.SettingsVersion, "nothing has changed since it was opened")
	})
}

func TestNobodyWaitsForAClockThatIsNotOnOffer(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola, ida, jan, zofia, host := w.guest(t, "Ola"), w.guest(t, "Ida"), w.guest(t, "Jan"), w.guest(t, "Zofia"), w.guest(t, "Иван")
		closes, asks := w.meets(t, ola, named(30)), w.meets(t, ida, service.QuickRequest{Ranked: true, MoveTimeLimitSeconds: new(30)})
		stays, whatever := w.meets(t, jan, named(60)), w.meets(t, zofia, service.QuickRequest{})
		lobby, err := w.Tables.Open(t.Context(), host, service.NewTable{Visibility: table.Public, Choices: service.Choices{houserule.MoveTimeLimit: "30"}})
		require.NoError(t, err)
		playing := w.match(t, clock30(houserule.Loss))
		require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
		assert.Equal(t, table.Waiting, w.stored(t, closes.ID).Status, "it is on offer")

		w.rules(t, houserule.MoveTimeLimit, "0", "0", "60")
		_, err = w.Matches.QuickMatch(t.Context(), ida, service.QuickRequest{Ranked: true, MoveTimeLimitSeconds: new(30)})
		refused(t, err, fault.OptionNotOffered)
		heard := make(chan table.Table, 1)
		go func() {
			v, _, err := w.Tables.Follow(t.Context(), ola, closes.ID, after(1, 30*time.Second))
			assert.NoError(t, err)
			heard <- v.Table
		}()
		require.Eventually(t, func() bool { return w.Hub.Waiting() > 0 }, 10*time.Second, time.Millisecond)
		require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
		assert.Equal(t, table.NotOffered, (<-heard).Reason, "the waiting request is answered at once")

		for _, id := range []table.ID{closes.ID, asks.ID} {
			now := w.stored(t, id)
			assert.Equal(t, table.Closed, now.Status)
			assert.Equal(t, table.NotOffered, now.Reason)
			assert.EqualValues(t, 2, now.Version)
		}
		for _, id := range []table.ID{stays.ID, whatever.ID, lobby.Table.ID} {
			assert.Equal(t, table.Waiting, w.stored(t, id).Status)
		}
		assert.Equal(t, table.Playing, w.stored(t, playing.table).Status)
		_, err = w.Matches.QuickMatch(t.Context(), ola, named(30))
		refused(t, err, fault.OptionNotOffered)
		require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
		assert.Equal(t, whatever.ID, w.meets(t, ola, service.QuickRequest{}).ID)
	})
}

func TestClocksOnOfferAreComparedWithTablesOnlyAfterTheyChange(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		w.db.Statements.Watch("NOT any_clock")
		seconds := func(number int) int {
			for range number {
				require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
				w.db.Clock.Advance(time.Second)
			}
			return w.db.Statements.Watched()
		}
		assert.Equal(t, 3, seconds(3), "another replica may still know what was on offer before")
		assert.Equal(t, 0, seconds(9))
		assert.Equal(t, 1, seconds(1), "now and then all the same")
		assert.Equal(t, 0, seconds(1))

		ola := w.guest(t, "Ola")
		closes := w.meets(t, ola, named(30))
		w.rules(t, houserule.MoveTimeLimit, "0", "0", "60")
		require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
		assert.Equal(t, table.NotOffered, w.stored(t, closes.ID).Reason)
	})
}

func TestAClockThatMayNotBeChosenAnyMoreIsWaitedForByNobody(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		closes, stays := w.meets(t, w.guest(t, "Ola"), named(30)), w.meets(t, w.guest(t, "Иван"), named(0))
		w.tamper(t, "UPDATE house_rules SET version = 2, changeable = false WHERE rule = 'move_time_limit_seconds'")
		w.db.Clock.Advance(time.Second)
		require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
		assert.Equal(t, table.NotOffered, w.stored(t, closes.ID).Reason)
		assert.Equal(t, table.Waiting, w.stored(t, stays.ID).Status, "it is the default")
	})
}

func TestWhoWantsSomethingElseWaitsForThatAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		for range 2 { // three open tables are all there may be
			_, err := w.Tables.Open(t.Context(), ola, service.NewTable{})
			require.NoError(t, err)
		}
		ranked := service.QuickRequest{Ranked: true}
		was := w.meets(t, ola, service.QuickRequest{})
		for _, request := range []service.QuickRequest{named(0), named(60), ranked, {Ranked: true, MoveTimeLimitSeconds: new(30)}} {
			now := w.meets(t, ola, request)
			require.NotEqual(t, was.ID, now.ID)
			assert.Equal(t, table.Waiting, now.Status)
			assert.Equal(t, now.ID, w.meets(t, ola, request).ID, "the same request is the same table")
			left := w.stored(t, was.ID)
			assert.Equal(t, table.Closed, left.Status)
			assert.Equal(t, table.Moved, left.Reason)
			assert.Equal(t, now.ID, left.MovedTo)
			was = now
		}
		waiting := w.meets(t, ivan, ranked)
		assert.Equal(t, table.Waiting, waiting.Status)
		met := w.meets(t, ola, ranked)
		assert.Equal(t, waiting.ID, met.ID)
		assert.Equal(t, table.Playing, met.Status)
		assert.Equal(t, game.GuestSeat, met.SeatOf(ola.Profile))
		assert.Equal(t, met.ID, w.stored(t, was.ID).MovedTo)
		assert.Equal(t, met.ID, w.meets(t, ola, named(60)).ID, "its first game runs")
		open, err := w.db.Store.TablesOf(t.Context(), ola.Profile)
		require.NoError(t, err)
		assert.Len(t, open, 3)
		assert.Empty(t, differences(t, w.db))
		w.tamper(t, "UPDATE tables SET moved_to = $1 WHERE id = $2", string(w.match(t, service.NewTable{}).table), string(was.ID))
		assert.Equal(t, []string{"table " + string(was.ID) + " was moved from to a table where its host has no seat"}, differences(t, w.db))
	})
}

func TestWhoIsAwayOrSilentIsNotMet(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola, ivan, jan := w.guest(t, "Ola"), w.guest(t, "Иван"), w.guest(t, "Jan")
		says := func(away bool, at table.ID) {
			_, err := w.Tables.SetPresence(t.Context(), ola, at, away)
			require.NoError(t, err)
		}
		first := w.meets(t, ola, service.QuickRequest{})
		says(true, first.ID)
		second := w.meets(t, ivan, service.QuickRequest{})
		assert.Equal(t, table.Waiting, second.Status, "the other is away")
		says(false, first.ID)
		w.db.Clock.Advance(11 * time.Second)
		assert.Equal(t, table.Waiting, w.meets(t, jan, service.QuickRequest{}).Status, "both are silent")
		says(false, first.ID)
		met := w.meets(t, jan, service.QuickRequest{})
		assert.Equal(t, first.ID, met.ID)
		assert.Equal(t, table.Playing, met.Status)
	})
}

func TestARefusedSearchLeavesTheSearcherAtItsTable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola := w.guest(t, "Ola")
		waits := w.meets(t, ola, service.QuickRequest{})
		_, err := w.Matches.QuickMatch(t.Context(), ola, named(45))
		refused(t, err, fault.OptionNotOffered)
		assert.Equal(t, table.Waiting, w.stored(t, waits.ID).Status)
	})
}

func TestSearchersOfTheDefaultAtTwoTablesMeetHoweverTheySaidIt(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		first := w.meets(t, ola, service.QuickRequest{})
		w.db.Clock.Advance(time.Millisecond)
		second := w.meets(t, ivan, named(30))
		require.NotEqual(t, first.ID, second.ID)
		require.NoError(t, w.Matches.PairSearchers(t.Context()))
		assert.Equal(t, table.Waiting, w.stored(t, first.ID).Status, "they want different clocks")
		w.rules(t, houserule.MoveTimeLimit, "30", "0", "30", "60")

		require.NoError(t, w.Matches.PairSearchers(t.Context()))

		left, met := w.stored(t, second.ID), w.stored(t, first.ID)
		assert.Equal(t, table.Moved, left.Reason, "who came last moves")
		assert.Equal(t, first.ID, left.MovedTo)
		assert.Equal(t, table.Playing, met.Status)
		assert.Equal(t, 30*time.Second, met.Game.Settings.MoveTimeLimit)
		assert.EqualValues(t, 2, met.SettingsVersion)
	})
}
