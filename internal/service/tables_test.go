package service_test

import (
	"maps"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestWhoIsInvitedAndSitsAtTooManyTablesIsShownTheOneOfTheInvitation(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host, guest := w.guest(t, "Ola"), w.guest(t, "Иван")
		opened, err := w.Tables.Open(t.Context(), host, service.NewTable{})
		require.NoError(t, err)
		for range 3 {
			_, err = w.Tables.Open(t.Context(), guest, service.NewTable{})
			require.NoError(t, err)
		}
		_, err = w.Tables.TakeSeat(t.Context(), guest, opened.Table.ID, opened.Table.Invite, 0)
		refused(t, err, fault.TooManyTables)
		var conflict *service.TableConflictError
		require.ErrorAs(t, err, &conflict)
		assert.Equal(t, opened.Table.ID, conflict.Table.Table.ID)
		assert.Equal(t, game.NoSeat, conflict.Table.MySeat)
	})
}

func TestAProfileIsItsToken(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		opened, token, err := w.Profiles.Open(t.Context(), profile.Change{}, "", text.English)
		require.NoError(t, err)
		assert.NotEmpty(t, opened.Name, "a guest without a name gets one")
		device, err := w.Devices.Identify(t.Context(), token)
		require.NoError(t, err)
		assert.Equal(t, opened.ID, device.Profile)
		_, err = w.Devices.Identify(t.Context(), profile.Token("fir_nobody"))
		refused(t, err, fault.NoToken)

		me := service.Caller{Profile: opened.ID, Device: device.ID}
		changed, err := w.Profiles.ChangeMe(t.Context(), me, profile.Change{Name: new(profile.Name("Aleksandra"))})
		require.NoError(t, err)
		read, err := w.Profiles.Me(t.Context(), me)
		require.NoError(t, err)
		assert.Equal(t, changed, read)
		_, err = w.Profiles.Me(t.Context(), service.Caller{})
		refused(t, err, fault.NoToken)
	})
}

func TestATokenIsLookedUpOnceInTwoSeconds(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		_, token, err := w.Profiles.Open(t.Context(), profile.Change{}, "", text.English)
		require.NoError(t, err)
		reads := func() int {
			w.db.Statements.Reset()
			_, err := w.Devices.Identify(t.Context(), token)
			require.NoError(t, err)
			return w.db.Statements.Reset().Reads
		}
		assert.Equal(t, 1, reads())
		assert.Zero(t, reads())
		w.db.Clock.Advance(2 * time.Second)
		assert.Equal(t, 1, reads(), "a revoked token would be refused from here on")
	})
}

// with returns choices with another one.
func with(c service.Choices, key houserule.Key, value string) service.Choices {
	c = maps.Clone(c)
	c[key] = value
	return c
}

func TestAClientRefStandsForOneRequestForATable(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		ref := uuid.NewString()
		request := service.NewTable{ClientRef: ref, Visibility: table.Public, Choices: service.Choices{houserule.FirstPlayer: "seat_order", houserule.CPUCover: houserule.Off}}
		first, err := w.Tables.Open(t.Context(), host, request)
		require.NoError(t, err)
		for name, change := range map[string]func(*service.NewTable){
			"private":                    func(n *service.NewTable) { n.Visibility = "" },
			"against the CPU":            func(n *service.NewTable) { n.Opponent = game.CPU },
			"ranked":                     func(n *service.NewTable) { n.Ranked = true },
			"another setting":            func(n *service.NewTable) { n.Choices = with(n.Choices, houserule.CPUCover, houserule.On) },
			"one setting more":           func(n *service.NewTable) { n.Choices = with(n.Choices, houserule.EndDeadPositions, houserule.On) },
			"what is the default anyway": func(n *service.NewTable) { n.Choices = service.Choices{houserule.CPUCover: houserule.Off} },
			"what is not on offer":       func(n *service.NewTable) { n.Choices = with(n.Choices, houserule.MoveTimeLimit, "45") },
		} {
			other := request
			change(&other)
			_, err = w.Tables.Open(t.Context(), host, other)
			refused(t, err, fault.ClientRefReused)
			require.ErrorContains(t, err, "client_ref", name)
		}
		again, err := w.Tables.Open(t.Context(), host, request)
		require.NoError(t, err)
		assert.Equal(t, first.Table.ID, again.Table.ID)

		w.tamper(t, "UPDATE tables SET client_request = NULL")
		before, err := w.Tables.Open(t.Context(), host, service.NewTable{ClientRef: ref, Ranked: true})
		require.NoError(t, err)
		assert.Equal(t, first.Table.ID, before.Table.ID, "of a table of before nobody knows")
		w.db.Clock.Advance(25 * time.Hour)
		next, err := w.Tables.Open(t.Context(), host, service.NewTable{ClientRef: ref, Ranked: true})
		require.NoError(t, err)
		assert.NotEqual(t, first.Table.ID, next.Table.ID, "a day later the name is free")
		_, err = w.Tables.Open(t.Context(), host, request)
		refused(t, err, fault.ClientRefReused)
	})
}

func TestARepeatedRequestForATableOpensOne(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		request := service.NewTable{ClientRef: uuid.NewString()}
		first, err := w.Tables.Open(t.Context(), host, request)
		require.NoError(t, err)
		again, err := w.Tables.Open(t.Context(), host, request)
		require.NoError(t, err)
		assert.Equal(t, first.Table.ID, again.Table.ID)
		for range 2 {
			_, err = w.Tables.Open(t.Context(), host, service.NewTable{})
			require.NoError(t, err)
		}
		_, err = w.Tables.Open(t.Context(), host, service.NewTable{})
		refused(t, err, fault.TooManyTables)
		_, err = w.Tables.Open(t.Context(), host, request)
		require.NoError(t, err, "a repeated request is not another table")
	})
}

func TestSettingsAreChosenWithinTheCatalogue(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		for _, row := range []struct {
			request service.NewTable
			want    fault.Code
		}{
			{service.NewTable{Choices: service.Choices{houserule.MoveTimeLimit: "45"}}, fault.OptionNotOffered},
			{service.NewTable{Choices: service.Choices{houserule.CoverGrace: "60"}}, fault.RuleNotChangeable},
			{service.NewTable{Opponent: game.CPU, CPULevel: "grandmaster"}, fault.OptionNotOffered},
			{service.NewTable{Opponent: game.CPU, Ranked: true}, fault.CPUTableNotRanked},
			{service.NewTable{CPULevel: "medium"}, fault.InvalidRequest},
		} {
			_, err := w.Tables.Open(t.Context(), host, row.request)
			refused(t, err, row.want)
		}
		_, err := w.Tables.Open(t.Context(), host, service.NewTable{Choices: service.Choices{houserule.CoverGrace: "30"}})
		require.NoError(t, err, "a rule is judged only where it differs")
	})
}

func TestASeriesGoesOnByAgreement(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		m.play(t, "1213141")
		one, err := w.Tables.Agree(t.Context(), m.red, m.table, m.game, 0)
		require.NoError(t, err)
		assert.Equal(t, table.BetweenGames, one.Table.Status)
		both, err := w.Tables.Agree(t.Context(), m.yellow, m.table, m.game, 0)
		require.NoError(t, err)
		assert.Equal(t, table.Playing, both.Table.Status)
		assert.Equal(t, m.yellow.Profile, both.Table.Game.Red.Profile, "the first move alternates")
		late, err := w.Tables.Agree(t.Context(), m.red, m.table, m.game, 0)
		require.NoError(t, err, "a late repeat")
		assert.Equal(t, both.Table.Game.ID, late.Table.Game.ID)
		assert.Equal(t, both.Table.Game.ID, m.now(t).Next)
		_, err = w.Tables.Agree(t.Context(), m.red, m.table, both.Table.Game.ID, 0)
		refused(t, err, fault.GameRunning)
	})
}

func TestTheHostChangesSettingsBetweenGames(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		edit := service.Edit{SettingsVersion: 1, Choices: service.Choices{houserule.MoveTimeLimit: "60"}}
		_, err := w.Tables.Change(t.Context(), m.red, m.table, edit)
		refused(t, err, fault.GameRunning)
		m.play(t, "1213141")
		_, err = w.Tables.Change(t.Context(), m.yellow, m.table, edit)
		refused(t, err, fault.NotHost)
		_, err = w.Tables.Agree(t.Context(), m.yellow, m.table, m.game, 0)
		require.NoError(t, err)
		changed, err := w.Tables.Change(t.Context(), m.red, m.table, edit)
		require.NoError(t, err)
		assert.Equal(t, time.Minute, changed.Table.Settings.MoveTimeLimit)
		assert.False(t, m.now(t).Yellow.Rematch, "an agreement was to other settings")
		again, err := w.Tables.Change(t.Context(), m.red, m.table, edit)
		require.NoError(t, err, "sent again it is carried out already")
		assert.Equal(t, changed.Table.Version, again.Table.Version)
		edit.Choices[houserule.MoveTimeLimit] = "30"
		_, err = w.Tables.Change(t.Context(), m.red, m.table, edit)
		refused(t, err, fault.StaleVersion)
		var conflict *service.TableConflictError
		require.ErrorAs(t, err, &conflict)
		assert.EqualValues(t, 2, conflict.Table.Table.SettingsVersion)
	})
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		covered := w.match(t, service.NewTable{})
		require.NoError(t, w.Tables.Leave(t.Context(), covered.red, covered.table))
		require.NoError(t, w.Tables.Leave(t.Context(), covered.red, covered.table), "leaving again changes nothing")
		assert.Equal(t, game.ByCPU, covered.now(t).Controller(1), "the game goes on")

		bare := w.match(t, service.NewTable{Choices: service.Choices{houserule.CPUCover: houserule.Off}})
		require.NoError(t, w.Tables.Leave(t.Context(), bare.red, bare.table))
		assert.Equal(t, game.Resignation, bare.now(t).Result.EndedBy, "nobody would play on")
		closed, _, err := w.Tables.Follow(t.Context(), bare.yellow, bare.table, service.Poll{})
		require.NoError(t, err)
		assert.Equal(t, table.HostLeft, closed.Table.Reason)
	})
}

func TestOneRequestFollowsAllTables(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, service.NewTable{})
		mine, err := w.Tables.Mine(t.Context(), m.yellow, service.MyPoll{})
		require.NoError(t, err)
		require.Len(t, mine.Tables, 1)
		turn, err := w.Tables.Mine(t.Context(), m.yellow, service.MyPoll{Turn: true})
		require.NoError(t, err)
		assert.Empty(t, turn.Tables, "red is to move")

		answers := make(chan service.MyTables, 1)
		go func() {
			news, err := w.Tables.Mine(t.Context(), m.yellow, service.MyPoll{After: mine.State, Wait: 20 * time.Second})
			assert.NoError(t, err)
			answers <- news
		}()
		require.Eventually(t, func() bool { return w.Hub.Waiting() == 1 }, 10*time.Second, time.Millisecond)
		m.play(t, "4")
		news := <-answers
		assert.NotEqual(t, mine.State, news.State)
		assert.Equal(t, 1, news.Tables[0].Table.Game.Ply())
	})
}

func TestATableWhereNobodyDoesAnythingCloses(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		opened, err := w.Tables.Open(t.Context(), host, service.NewTable{Visibility: table.Public})
		require.NoError(t, err)
		w.db.Clock.Advance(24*time.Hour - time.Second)
		require.NoError(t, w.Tables.CloseIdle(t.Context()))
		stored, err := w.db.Store.Table(t.Context(), opened.Table.ID)
		require.NoError(t, err)
		assert.Equal(t, table.Waiting, stored.Status)
		w.db.Clock.Advance(time.Second)
		require.NoError(t, w.Tables.CloseIdle(t.Context()))
		stored, err = w.db.Store.Table(t.Context(), opened.Table.ID)
		require.NoError(t, err)
		assert.Equal(t, table.Idle, stored.Reason)
	})
}

func TestTheLobbyShowsHostsWhoAreHere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		opened, err := w.Tables.Open(t.Context(), host, service.NewTable{
			Visibility: table.Public, Choices: service.Choices{houserule.FirstPlayer: houserule.Random},
		})
		require.NoError(t, err)
		count := func() int {
			page, err := w.Tables.List(t.Context(), service.Caller{}, service.Lobby{Status: table.Waiting, Limit: 10}, "")
			require.NoError(t, err)
			return len(page.Tables)
		}
		assert.Equal(t, 1, count())
		w.Pass(t, 31*time.Second)
		assert.Zero(t, count(), "silent for longer than the grace")
		_, _, err = w.Tables.Follow(t.Context(), host, opened.Table.ID, service.Poll{})
		require.NoError(t, err)
		w.Work(t)
		assert.Equal(t, 1, count())
	})
}
