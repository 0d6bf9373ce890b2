package httpapi_test

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// typings are ways in which a person types a code.
func typings(code string) []string {
	return []string{
		strings.ToLower(code), code[:5] + "-" + code[5:], code[:3] + " " + code[3:6] + " " + strings.ToLower(code[6:]), " " + code + " ",
		strings.NewReplacer("0", "o", "1", "l").Replace(code), strings.Join(strings.Split(code, ""), "- "),
	}
}

func TestACodeIsTakenAsItIsTyped(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		for i := range typings("0123456789") {
			code := host.code(t).Code
			typed := typings(code)[i]
			came := decode[api.OpenedProfile](t, w.comesIn(t, typed), http.StatusCreated)
			assert.Equal(t, host.id, came.Profile.ID, typed)

			table := host.opens(t, private)
			typed = typings(*table.InviteCode)[i]
			shown := decode[api.GameTable](t, w.get(t, "/v1/invites/"+url.PathEscape(typed)), http.StatusOK)
			assert.Equal(t, table.ID, shown.ID, typed)
			seat := w.guest(t, "Jan").post(t, tablePath(table.ID)+"/seats", `{"invite_code":"`+typed+`"}`)
			assert.EqualValues(t, 2, *decode[api.GameTable](t, seat, http.StatusOK).MySeat, typed)
		}
		for _, typed := range []string{"", "- -", "7GQ2M9XKP", "7GQ2M9XKPA0", "7GQ2M_9XKPA", "7GQ2M\u20119XKPA", strings.Repeat("-", 30) + "7GQ2M9XKPA"} {
			assert.Equal(t, []string{"/code"}, pointersOf(w.comesIn(t, typed).problem(t)), "%q", typed)
			if typed != "" {
				assert.Equal(t, []string{"/path/invite_code"}, pointersOf(w.get(t, "/v1/invites/"+url.PathEscape(typed)).problem(t)), "%q", typed)
			}
		}
	}, configured("RATE_LIMIT=off"))
}

func TestALocaleIsTakenAsTheDeviceHasIt(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for sent, want := range map[string]struct{ kept, guest string }{
			"de-DE": {"de-DE", "Gast "}, "de_DE": {"de-DE", "Gast "}, "DE": {"de", "Gast "}, "pl": {"pl", "Gość "}, "ru_ru": {"ru-RU", "Гость "},
			"zh-Hant-TW": {"zh-Hant-TW", "Guest "}, "vo": {"vo", "Guest "}, "xx-yy": {"xx-YY", "Guest "}, "de-DE-u-co-phonebk": {"de-DE-u-co-phonebk", "Gast "},
		} {
			opened := decode[api.OpenedProfile](t, w.send(t, http.MethodPost, "/v1/profiles", `{"locale":"`+sent+`"}`), http.StatusCreated)
			assert.Equal(t, want.kept, *opened.Profile.Locale, sent)
			assert.True(t, strings.HasPrefix(opened.Profile.DisplayName, want.guest), "%s: %s", sent, opened.Profile.DisplayName)
			p := player{world: w, id: opened.Profile.ID, token: opened.Token}
			assert.Equal(t, want.kept, *decode[api.OwnProfile](t, p.get(t, "/v1/me"), http.StatusOK).Locale, sent)
		}
		abroad := w.speaking(t, "pl_PL")
		_, language := titled(t, abroad.get(t, "/v1/tables/x"))
		assert.Equal(t, "pl", language, "the texts are in the language that is spoken here")
		for _, sent := range []string{
			"", "d", "de-", "de DE", "de,en", strings.Repeat("x", 100), `de\n`, `\u0007`, `\u001b[1m`, "дe", "*", "de-DE-de-DE-de-DE-de-DE-de-DE-de-DE",
		} {
			for _, refused := range []answer{
				w.send(t, http.MethodPost, "/v1/profiles", `{"locale":"`+sent+`"}`), abroad.send(t, http.MethodPatch, "/v1/me", `{"locale":"`+sent+`"}`),
			} {
				assert.Equal(t, http.StatusBadRequest, refused.status, "%q: %s", sent, refused.body)
				assert.Equal(t, []string{"/locale"}, pointersOf(refused.problem(t)), "%q", sent)
			}
		}
	}, configured("RATE_LIMIT=off"))
}

// A client whose token no longer counts sends it along until it has a new one.
func TestAStaleTokenDoesNotShutTheDoor(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		lost, host := w.guest(t, "Ola"), w.guest(t, "Jan")
		require.Less(t, lost.revokes(t, lost.device(t, true).ID).status, 300)
		w.db.Clock.Advance(2 * time.Second)
		nobodys, err := profile.NewToken(rand.Reader)
		require.NoError(t, err)
		for what, sent := range map[string][]header{
			"revoked": {bearer(lost.token)}, "nobody's": {bearer(string(nobodys))}, "no token": {bearer(secretInput)},
			"an admin's": {bearer(w.admin(t, "Ada").token)}, "another scheme": {{"Authorization", "Basic b2xh"}}, "two": {bearer("a"), bearer("b")},
		} {
			opened := decode[api.OpenedProfile](t, w.send(t, http.MethodPost, "/v1/profiles", "", sent...), http.StatusCreated)
			fresh := player{world: w, id: opened.Profile.ID, token: opened.Token}
			assert.Equal(t, http.StatusOK, fresh.get(t, "/v1/me").status, what)
			came := w.send(t, http.MethodPost, "/v1/device-tokens", `{"code":"`+host.code(t).Code+`"}`, sent...)
			assert.Equal(t, host.id, decode[api.OpenedProfile](t, came, http.StatusCreated).Profile.ID, what)
			assert.Contains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, w.get(t, "/v1/tables", sent...).status, "%s: everywhere else", what)
		}
	}, configured("RATE_FAILURES_PER_MINUTE=1000", "RATE_PROFILES_PER_HOUR=1000"))
}

func TestANewProfileCountsForItsAddressWhateverTokenComesAlong(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_PROFILES_PER_HOUR=2"), standingStill)
	p := w.guest(t, "Ola")
	second := p.post(t, "/v1/profiles", "")
	assert.Equal(t, http.StatusCreated, second.status)
	assert.Equal(t, "0", second.header.Get("RateLimit-Remaining"))
	assert.Equal(t, "rate_limited", p.post(t, "/v1/profiles", "").problem(t).Code)
}
