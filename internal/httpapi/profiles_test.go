package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

func TestAGuestIsWhoeverHoldsTheToken(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		opened := w.send(t, http.MethodPost, "/v1/profiles", `{"display_name":"Ola","locale":"pl"}`)
		guest := decode[api.OpenedProfile](t, opened, http.StatusCreated)
		assert.Equal(t, "/v1/profiles/"+guest.Profile.ID.String(), opened.header.Get("Location"))
		assert.Equal(t, "no-store", opened.header.Get("Cache-Control"), "the token is shown here")

		me := decode[api.OwnProfile](t, w.get(t, "/v1/me", bearer(guest.Token)), http.StatusOK)
		assert.Equal(t, guest.Profile, me)
		public := decode[api.Profile](t, w.get(t, opened.header.Get("Location")), http.StatusOK)
		assert.Equal(t, api.Profile{
			ID: me.ID, Kind: "human", DisplayName: "Ola", CreatedAt: me.CreatedAt, Rating: 1500, RatedGames: 0, Rank: nil,
			Record: api.PlayerRecord{}, Streak: api.Streak{},
		}, public)

		unnamed := decode[api.OpenedProfile](t, w.send(t, http.MethodPost, "/v1/profiles", ""), http.StatusCreated)
		assert.NotEmpty(t, unnamed.Profile.DisplayName, "without a name there is a friendly one")
		assert.Nil(t, unnamed.Profile.Locale)
	})
}

func TestAPlayerChangesItsName(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		changed := decode[api.OwnProfile](t, m.red.send(t, http.MethodPatch, "/v1/me", `{"display_name":"Aleksandra"}`), http.StatusOK)
		assert.Equal(t, "Aleksandra", changed.DisplayName)
		changed = decode[api.OwnProfile](t, m.red.send(t, http.MethodPatch, "/v1/me", `{"locale":"de"}`), http.StatusOK)
		assert.Equal(t, "Aleksandra", changed.DisplayName, "what isn't named stays")
		assert.Equal(t, "de", *changed.Locale)
		assert.Equal(t, "Ola", *m.now(t).Red.DisplayName, "games keep the name of their beginning")
	})
}

func TestNamesAreTextForPeople(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		for _, name := range []string{
			"\u200b", "\u2060", "\u3164", "\ufeff", "\u202e", "a\u202eb", "\u0301\u0301", "", "   ", strings.Repeat("x", 33), strings.Repeat("x", 129), "a\tb", "\u0085", "Ola\n",
		} {
			refused := p.send(t, http.MethodPatch, "/v1/me", nameBody(t, name)).problem(t)
			assert.Equal(t, "invalid_name", refused.Code, "%q", name)
			require.Len(t, refused.Errors, 1, "%q", name)
			assert.Equal(t, "/display_name", refused.Errors[0].Pointer)
			assert.Equal(t, "invalid_name", w.send(t, http.MethodPost, "/v1/profiles", nameBody(t, name)).problem(t).Code)
		}
		assert.Equal(t, "Ola", decode[api.OwnProfile](t, p.get(t, "/v1/me"), http.StatusOK).DisplayName)
		for _, name := range []string{
			"Wójcik", "Иван", "李雷", "👨‍👩‍👧‍👦", "<b>", "%s", "'; --", strings.Repeat("ж", 32), "1", "null",
		} {
			kept := decode[api.OwnProfile](t, p.send(t, http.MethodPatch, "/v1/me", nameBody(t, name)), http.StatusOK)
			assert.Equal(t, name, kept.DisplayName)
			assert.Equal(t, name, decode[api.OwnProfile](t, p.get(t, "/v1/me"), http.StatusOK).DisplayName)
		}
		trimmed := decode[api.OwnProfile](t, p.send(t, http.MethodPatch, "/v1/me", nameBody(t, "  Ola  ")), http.StatusOK)
		assert.Equal(t, "Ola", trimmed.DisplayName)
		composed := decode[api.OwnProfile](t, p.send(t, http.MethodPatch, "/v1/me", nameBody(t, "Wo\u0301jcik")), http.StatusOK)
		assert.Equal(t, "Wójcik", composed.DisplayName)
	})
}

func nameBody(t *testing.T, name string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"display_name": name})
	require.NoError(t, err)
	return string(body)
}
