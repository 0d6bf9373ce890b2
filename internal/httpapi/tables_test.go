package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

const playersURL = "https://four.example"

func TestATableIsOpenedWithWhatTheHostChose(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		opened := host.post(t, "/v1/tables", "")
		table := decode[api.GameTable](t, opened, http.StatusCreated)
		assert.Equal(t, tablePath(table.ID), opened.header.Get("Location"))
		assert.Equal(t, visibilityPrivate, table.Visibility, "private unless the host says otherwise")
		defaults := api.GameSettings{
			AlternateFirstMove: true, FirstPlayer: "seat_order", MoveTimeLimitSeconds: 0, EndDeadPositions: true,
			OnTimeout: "cpu_move", CPUCover: true, CoverGraceSeconds: 30, CoverLevel: "medium",
		}
		assert.Equal(t, defaults, table.Settings)
		assert.EqualValues(t, 1, table.SettingsVersion)
		assert.False(t, table.Ranked)
		assert.EqualValues(t, 1, *table.NextFirstSeat)
		assert.Equal(t, table.CreatedAt.Add(30*24*time.Hour), *table.ExpiresAt)
		assert.Equal(t, api.TableScore{Games: 0, Seat1Wins: 0, Seat2Wins: 0, Draws: 0}, table.Score)
		assert.Equal(t, "waiting", table.Status)
		assert.EqualValues(t, 1, *table.MySeat)
		assert.Equal(t, host.id, *table.HostProfileID)
		require.NotNil(t, table.InviteCode)
		assert.Equal(t, playersURL+"/i/"+*table.InviteCode, *table.URL)
		assert.Equal(t, seatFree, table.Seats[1].State)

		chosen := host.opens(t, `{"visibility":"public","ranked":true,"settings":{"alternate_first_move":false,"first_player":"random",
			"move_time_limit_seconds":60,"end_dead_positions":false,"on_timeout":"loss","cpu_cover":false,"cover_grace_seconds":30,"cover_level":"medium"}}`)
		assert.Equal(t, api.GameSettings{
			AlternateFirstMove: false, FirstPlayer: "random", MoveTimeLimitSeconds: 60, EndDeadPositions: false,
			OnTimeout: "loss", CPUCover: false, CoverGraceSeconds: 30, CoverLevel: "medium",
		}, chosen.Settings)
		assert.True(t, chosen.Ranked)
		assert.Nil(t, chosen.NextFirstSeat, "chance will tell")
		assert.Equal(t, chosen.CreatedAt.Add(24*time.Hour), *chosen.ExpiresAt)
		assert.Nil(t, chosen.InviteCode)
		assert.Equal(t, playersURL+"/t/"+chosen.ID.String(), *chosen.URL)
	}, configured("PUBLIC_URL="+playersURL))
}

func TestARequestForATableSentAgainOpensOne(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		request := `{"client_ref":"5B0E7C1A-6f55-4c0e-9d57-2f1f0a4c9b11"}`
		first := host.opens(t, request)
		assert.Equal(t, first, host.opens(t, request))
		assert.NotEqual(t, first.ID, w.guest(t, "Иван").opens(t, request).ID, "another player's is another table")
		assert.Nil(t, first.URL, "without a public address there is no link")
	})
}

func TestANameForATableStandsForOneBody(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host, guest := w.guest(t, "Ola"), w.guest(t, "Иван")
		const ref = `"client_ref":"5b0e7c1a-6f55-4c0e-9d57-2f1f0a4c9b11"`
		first := host.opens(t, `{"visibility":"public",`+ref+`,"settings":{"cpu_cover":false,"move_time_limit_seconds":30}}`)
		guest.sits(t, first.ID)
		again := host.opens(t, ` {"settings": {"move_time_limit_seconds": 30, "cpu_cover": false}, "client_ref": "5B0E7C1A-6F55-4C0E-9D57-2F1F0A4C9B11", "visibility": "pub\u006cic"} `)
		assert.Equal(t, first.ID, again.ID, "however it is spelled")
		assert.Equal(t, "playing", again.Status, "as it is now")
		for _, body := range []string{
			`{` + ref + `}`,
			`{` + ref + `,"visibility":"public","settings":{"cpu_cover":false}}`,
			`{` + ref + `,"visibility":"public","settings":{"cpu_cover":false,"move_time_limit_seconds":60}}`,
			`{` + ref + `,"visibility":"public","settings":{"cpu_cover":false,"move_time_limit_seconds":45}}`,
			`{` + ref + `,"visibility":"public","ranked":true,"settings":{"cpu_cover":false,"move_time_limit_seconds":30}}`,
			`{` + ref + `,"opponent":"cpu"}`,
		} {
			reused := host.post(t, "/v1/tables", body)
			assert.Equal(t, http.StatusUnprocessableEntity, reused.status, body)
			assert.Equal(t, "client_ref_reused", reused.problem(t).Code, body)
			assert.Equal(t, []string{"/client_ref"}, pointersOf(reused.problem(t)), body)
		}
		assert.Len(t, host.mine(t, "").Items, 1)
	})
}

func TestARuleHasOptions(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola").post(t, "/v1/tables", `{"settings":{"move_time_limit_seconds":45}}`).problem(t)
		assert.Equal(t, "option_not_offered", p.Code)
		assert.EqualValues(t, http.StatusUnprocessableEntity, p.Status)
		require.Len(t, p.Errors, 1)
		assert.Equal(t, "/settings/move_time_limit_seconds", p.Errors[0].Pointer)
	})
}

func TestAProfileHasOnlySoManyOpenTables(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host, other := w.guest(t, "Ola"), w.guest(t, "Иван")
		host.opens(t, public)
		host.joins(t, other.opens(t, private))
		p := host.post(t, "/v1/tables", public).problem(t)
		assert.Equal(t, "too_many_tables", p.Code)
		assert.EqualValues(t, http.StatusConflict, p.Status)
		third := other.opens(t, public)
		assert.Equal(t, "too_many_tables", host.post(t, tablePath(third.ID)+"/seats", "").problem(t).Code)
		assert.Equal(t, "waiting", decode[api.GameTable](t, other.get(t, tablePath(third.ID)), http.StatusOK).Status)
	}, configured("OPEN_TABLES_PER_PROFILE=2"))
}

func TestTheLobbyShowsEveryPublicTableOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		w.tick = 0 // all are opened at one time
		want := make([]string, 7)
		for i := range want {
			want[i] = host.opens(t, public).ID.String()
		}
		host.opens(t, private)
		var got []string
		cursor := ""
		for page := 0; ; page++ {
			require.Less(t, page, 10)
			w.db.Clock.Advance(unhurried)
			list := decode[api.TableList](t, w.get(t, "/v1/tables?limit=3"+cursor), http.StatusOK)
			for _, table := range list.Items {
				got = append(got, table.ID.String())
				assert.Nil(t, table.MySeat)
			}
			host.opens(t, public) // newer ones don't push old ones onto the next page
			if list.NextCursor == nil {
				break
			}
			cursor = "&cursor=" + *list.NextCursor
		}
		assert.ElementsMatch(t, want, got[:len(want)])
		assert.Len(t, got, len(want))
	})
}

func TestTheLobbyTellsWaitingFromPlaying(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		assert.Empty(t, decode[api.TableList](t, w.get(t, "/v1/tables"), http.StatusOK).Items)
		m := w.match(t, public)
		waiting := m.red.opens(t, public)
		ids := func(query string) []string {
			list := decode[api.TableList](t, m.red.get(t, "/v1/tables"+query), http.StatusOK)
			found := make([]string, 0, len(list.Items))
			for _, table := range list.Items {
				found = append(found, table.ID.String())
			}
			return found
		}
		assert.Equal(t, []string{waiting.ID.String()}, ids(""))
		assert.Equal(t, []string{waiting.ID.String()}, ids("?status=waiting"))
		assert.Equal(t, []string{m.table.ID.String()}, ids("?status=playing"))
	})
}

func TestACursorOfAnotherListIsRefused(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		host.opens(t, public)
		host.opens(t, public)
		list := decode[api.TableList](t, w.get(t, "/v1/tables?limit=1"), http.StatusOK)
		for _, cursor := range []string{*list.NextCursor, "x", "AAAA", "'; --"} {
			p := w.get(t, fmt.Sprintf("/v1/tables?status=playing&cursor=%s", urlEscape(cursor))).problem(t)
			assert.Equal(t, "invalid_request", p.Code)
			require.Len(t, p.Errors, 1)
			assert.Equal(t, "/query/cursor", p.Errors[0].Pointer)
		}
	})
}
