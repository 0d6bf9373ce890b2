package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/api"
)

// edits changes the settings of a table.
func (p player) edits(t *testing.T, table uuid.UUID, change string) answer {
	t.Helper()
	return p.send(t, http.MethodPatch, tablePath(table), change)
}

func TestTheHostChangesTheSettings(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		table := host.opens(t, public)
		heard := later(t, w, func() answer { return w.get(t, tablePath(table.ID)+"?after_version=1&wait=30") })
		changed := decode[api.GameTable](t, host.edits(t, table.ID, `{"settings_version":1,"ranked":true,"settings":{"first_player":"random","cpu_cover":false}}`), http.StatusOK)
		assert.EqualValues(t, 2, changed.SettingsVersion)
		assert.EqualValues(t, 2, changed.Version)
		assert.True(t, changed.Ranked)
		assert.Equal(t, "random", changed.Settings.FirstPlayer)
		assert.False(t, changed.Settings.CPUCover)
		assert.True(t, changed.Settings.AlternateFirstMove, "what is left out stays as it is")
		assert.Nil(t, changed.NextFirstSeat)
		assert.EqualValues(t, 2, decode[api.GameTable](t, within(t, heard), http.StatusOK).SettingsVersion)

		same := decode[api.GameTable](t, host.edits(t, table.ID, `{"settings_version":2,"settings":{"cover_grace_seconds":30,"first_player":"random"}}`), http.StatusOK)
		assert.EqualValues(t, 2, same.SettingsVersion, "what says nothing new changes nothing, also about a rule of the house")
		assert.EqualValues(t, 2, same.Version)
	})
}

func TestAChangeNamesTheSettingsItIsFor(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		table := host.opens(t, private)
		change := `{"settings_version":1,"settings":{"move_time_limit_seconds":60}}`
		assert.Equal(t, http.StatusOK, host.edits(t, table.ID, change).status)
		before := host.looks(t, table.ID)
		stale := host.edits(t, table.ID, `{"settings_version":1,"settings":{"move_time_limit_seconds":30}}`)
		assert.Equal(t, http.StatusConflict, stale.status)
		assert.Equal(t, "stale_version", stale.problem(t).Code)
		assert.Equal(t, before, *stale.problem(t).Table, "the table as it is now, as the caller sees it")
		assert.Equal(t, before, host.looks(t, table.ID))
		guest := w.guest(t, "Иван")
		code := *table.InviteCode
		early := guest.post(t, tablePath(table.ID)+"/seats", `{"invite_code":"`+code+`","settings_version":1}`).problem(t)
		assert.Equal(t, "stale_version", early.Code, "nobody sits down under settings it hasn't seen")
		shown := decode[api.GameTable](t, guest.get(t, "/v1/invites/"+code), http.StatusOK)
		assert.Equal(t, shown, *early.Table, "and who was invited sees them")
		assert.Nil(t, early.Table.InviteCode)
		uninvited := guest.post(t, tablePath(table.ID)+"/seats", `{"invite_code":"AAAAAAAAAA","settings_version":1}`).problem(t)
		assert.Equal(t, "not_found", uninvited.Code)
		assert.Nil(t, uninvited.Table, "a private table is not shown to who was not")
		assert.Equal(t, http.StatusOK, guest.post(t, tablePath(table.ID)+"/seats", `{"invite_code":"`+code+`","settings_version":2}`).status)
	})
}

func TestAChangeSentAgainAfterALostAnswerIsTheTableAsItIsNow(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host, guest := w.guest(t, "Ola"), w.guest(t, "Иван")
		table := host.opens(t, public)
		const change = `{"settings_version":1,"ranked":true,"settings":{"move_time_limit_seconds":60,"cpu_cover":false}}`
		repeat := func(when string, same bool) api.GameTable {
			before := host.looks(t, table.ID)
			again := decode[api.GameTable](t, host.edits(t, table.ID, change), http.StatusOK)
			if same {
				assert.Equal(t, before, again, when)
			}
			assert.EqualValues(t, 2, again.SettingsVersion, when)
			return again
		}
		decode[api.GameTable](t, host.edits(t, table.ID, change), http.StatusOK)
		repeat("while it waits", true)
		for _, less := range []string{`{"settings_version":1}`, `{"settings_version":1,"settings":{"move_time_limit_seconds":60}}`} {
			assert.Equal(t, http.StatusOK, host.edits(t, table.ID, less).status, "every value that is given is the table's")
		}
		refused := host.edits(t, table.ID, `{"settings_version":1,"ranked":true,"settings":{"move_time_limit_seconds":30}}`)
		assert.Equal(t, "stale_version", refused.problem(t).Code, "one value differs")

		sat := guest.sits(t, table.ID)
		game := *sat.CurrentGameID
		assert.Equal(t, game, *repeat("while a game runs", false).CurrentGameID)
		assert.Equal(t, "game_running", host.edits(t, table.ID, `{"settings_version":2,"ranked":true}`).problem(t).Code, "a new one must wait")
		assert.Equal(t, "not_host", guest.edits(t, table.ID, change).problem(t).Code, "the other has changed nothing")
		host.says(t, table.ID, api.PresenceChoiceAway)
		repeat("after saying away", false)
		assert.Equal(t, presenceHere, *guest.reads(t, game).Red.Presence)

		host.post(t, gamePath(game)+"/resignation", "")
		host.agrees(t, table.ID, game)
		guest.looks(t, table.ID)
		assert.True(t, *repeat("with an agreement", true).Seats[0].WantsRematch)
		guest.leaves(t, table.ID)
		repeat("when it is closed", true)
	}, standingStill)
}

func TestAChangeForTwoVersionsBeforeIsStale(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		table := host.opens(t, public)
		for i, change := range []string{`"ranked":true`, `"settings":{"cpu_cover":false}`} {
			version := []string{"1", "2"}[i]
			assert.Equal(t, http.StatusOK, host.edits(t, table.ID, `{"settings_version":`+version+`,`+change+`}`).status)
		}
		stale := host.edits(t, table.ID, `{"settings_version":1,"ranked":true}`)
		assert.Equal(t, "stale_version", stale.problem(t).Code, "though the table is so")
		assert.EqualValues(t, 3, stale.problem(t).Table.SettingsVersion)
	})
}

func TestAChangeThatSaysNothingNewTakesNoAgreementBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		m.red.agrees(t, m.table.ID, m.game)
		before := m.yellow.looks(t, m.table.ID)
		same := decode[api.GameTable](t, m.red.edits(t, m.table.ID, `{"settings_version":1,"ranked":false,"settings":{"cpu_cover":true}}`), http.StatusOK)
		assert.True(t, *same.Seats[0].WantsRematch)
		assert.Equal(t, before.Version, same.Version)
		changed := decode[api.GameTable](t, m.red.edits(t, m.table.ID, `{"settings_version":1,"settings":{"cpu_cover":false}}`), http.StatusOK)
		assert.False(t, *changed.Seats[0].WantsRematch, "one that does, does")
	}, standingStill)
}

func TestSettingsAreChangedByTheRules(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		waiting := host.opens(t, public)
		versus := host.opens(t, versusCPU)
		w.playOut(t, host, *versus.CurrentGameID)
		for _, row := range []struct {
			table   uuid.UUID
			change  string
			status  int
			code    string
			pointer string
		}{
			{waiting.ID, `{"settings_version":1,"settings":{"cover_grace_seconds":60}}`, 422, "rule_not_changeable", "/settings/cover_grace_seconds"},
			{waiting.ID, `{"settings_version":1,"settings":{"cover_level":"hard"}}`, 422, "rule_not_changeable", "/settings/cover_level"},
			{waiting.ID, `{"settings_version":1,"settings":{"move_time_limit_seconds":45}}`, 422, "option_not_offered", "/settings/move_time_limit_seconds"},
			{waiting.ID, `{"settings_version":1,"settings":{"on_timeout":"` + secretInput + `"}}`, 400, "invalid_request", "/settings/on_timeout"},
			{waiting.ID, `{"settings_version":1,"settings":{"first_player":"me","cpu_cover":false}}`, 400, "invalid_request", "/settings/first_player"},
			{versus.ID, `{"settings_version":1,"ranked":true}`, 422, "cpu_table_not_ranked", "/ranked"},
			{waiting.ID, `{"settings":{"cpu_cover":false}}`, 400, "invalid_request", "/settings_version"},
			{waiting.ID, `{"settings_version":0}`, 400, "invalid_request", "/settings_version"},
			{waiting.ID, `{"settings_version":null}`, 400, "invalid_request", "/settings_version"},
			{waiting.ID, `{"settings_version":"1"}`, 400, "invalid_request", "/settings_version"},
			{waiting.ID, `{"settings_version":1,"settings":{"gravity":"` + secretInput + `"}}`, 400, "invalid_request", "/settings/gravity"},
			{waiting.ID, `{"settings_version":1,"settings":{"cpu_cover":"off"}}`, 400, "invalid_request", "/settings/cpu_cover"},
			{waiting.ID, `{"settings_version":1,"ranked":1}`, 400, "invalid_request", "/ranked"},
			{waiting.ID, `{"settings_version":1,"visibility":"private"}`, 400, "invalid_request", "/visibility"},
			{waiting.ID, ``, 400, "invalid_request", ""},
		} {
			before := host.looks(t, row.table)
			refused := host.edits(t, row.table, row.change)
			assert.Equal(t, row.status, refused.status, "%s: %s", row.change, refused.body)
			assert.Equal(t, row.code, refused.problem(t).Code, row.change)
			assert.Equal(t, []string{row.pointer}, pointersOf(refused.problem(t)), row.change)
			assert.NotContains(t, string(refused.body), secretInput, row.change)
			assert.Equal(t, before, host.looks(t, row.table), "%s: nothing has changed", row.change)
		}
	})
}
