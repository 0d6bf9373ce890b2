package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/text"
)

func accepts(languages ...string) []header {
	headers := make([]header, len(languages))
	for i, l := range languages {
		headers[i] = header{"Accept-Language", l}
	}
	return headers
}

// speaking makes a guest with a language of its own.
func (w *world) speaking(t *testing.T, locale string) player {
	t.Helper()
	p := w.guest(t, "Ola")
	decode[api.OwnProfile](t, p.send(t, http.MethodPatch, "/v1/me", `{"locale":"`+locale+`"}`), http.StatusOK)
	w.db.Clock.Advance(2 * time.Second) // as long as a token is taken as it was
	return p
}

// titled returns the title of a refusal and the language it is said to be in.
func titled(t *testing.T, refused answer) (title, language string) {
	t.Helper()
	return refused.problem(t).Title, refused.header.Get("Content-Language")
}

func titleOf(t *testing.T, code fault.Code, l text.Language) string {
	t.Helper()
	said, known := text.ProblemOf(code, l)
	require.True(t, known)
	return said.Title
}

func TestALanguageHoldsFromTheNextRequestOn(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		for _, locale := range []string{"pl", "ru", "de"} {
			decode[api.OwnProfile](t, p.send(t, http.MethodPatch, "/v1/me", `{"locale":"`+locale+`"}`), http.StatusOK)
			_, language := titled(t, p.get(t, "/v1/tables/x"))
			assert.Equal(t, locale, language)
		}
	}, standingStill)
}

func TestTheLanguageOfAnAnswerIsTheReaders(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	pole := w.speaking(t, "pl")
	for _, row := range []struct {
		token  string
		query  string
		accept []string
		want   text.Language
	}{
		{"", "", nil, text.English},
		{"", "", []string{"de-CH, vo;q=0.9"}, "de"},
		{"", "", []string{"vo", "ru;q=0.3"}, "ru"},
		{"", "", []string{"*"}, text.English},
		{"", "", []string{";;q=,=,\"'%"}, text.English},
		{"", "?lang=ru", []string{"de"}, "ru"},
		{"", "?lang=pl-PL", nil, "pl"},
		{"", "?lang=vo", []string{"de"}, "de"},
		{"", "?lang=", []string{"de"}, "de"},
		{"", "?lang=*", []string{"de"}, "de"},
		{"", "?lang=ru,pl", []string{"de"}, "de"},
		{pole.token, "", nil, "pl"},
		{pole.token, "", []string{"*"}, "pl"},
		{pole.token, "", []string{"vo"}, "pl"},
		{pole.token, "", []string{"en"}, text.English},
		{pole.token, "?lang=de", []string{"en"}, "de"},
	} {
		what := fmt.Sprint(row.query, row.accept, row.want)
		asks := accepts(row.accept...)
		if row.token != "" {
			asks = append(asks, bearer(row.token))
		}
		about := w.get(t, "/v1/service"+row.query, asks...)
		assert.Equal(t, text.GameName(row.want), decode[api.ServiceInfo](t, about, http.StatusOK).Name, what)
		assert.Equal(t, string(row.want), about.header.Get("Content-Language"), what)
		assert.Equal(t, "Authorization, Accept-Language, Accept-Encoding", about.header.Get("Vary"), what)
		missing := w.get(t, "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12/board.svg"+row.query, asks...)
		title, language := titled(t, missing)
		assert.Equal(t, titleOf(t, fault.NotFound, row.want), title, what)
		assert.Equal(t, string(row.want), language, what)
	}
}

func TestTheCatalogueOfProblemsIsInEveryLanguage(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	for _, l := range text.Languages() {
		list := decode[api.ProblemKindList](t, w.get(t, "/v1/problems?lang="+string(l)), http.StatusOK)
		for _, listed := range list.Items {
			p, known := text.ProblemOf(fault.Code(listed.Code), l)
			assert.True(t, known, listed.Code)
			assert.Equal(t, p.Title, listed.Title)
			assert.Equal(t, p.Description, listed.Description)
			assert.EqualValues(t, httpapi.StatusOf(p.Code), listed.Status)
		}
		assert.Len(t, list.Items, len(text.Problems(l)))
		assert.True(t, slices.IsSortedFunc(list.Items, func(a, b api.ProblemKind) int { return byStatus(a.Code, b.Code) }))
	}
}

// Titles of what is refused before an operation is found, or its handler runs, are in the reader's language too.
func TestWhatIsRefusedEarlyIsRefusedInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_ANONYMOUS_PER_SECOND=3"), standingStill)
	p := w.guest(t, "Ola")
	russian := accepts("ru")
	for what, row := range map[string]struct {
		refused answer
		code    fault.Code
	}{
		"no such path":       {p.get(t, "/v1/nothing", russian...), fault.NotFound},
		"another method":     {p.send(t, http.MethodPut, "/v1/me", "", russian...), fault.MethodNotAllowed},
		"no token":           {w.get(t, "/v1/me", append(russian, bearer("fir_nobody"))...), fault.NoToken},
		"no such parameter":  {p.get(t, "/v1/me?language=ru", russian...), fault.InvalidRequest},
		"a broken query":     {p.get(t, "/v1/me?lang=%zz", russian...), fault.InvalidRequest},
		"no JSON":            {p.send(t, http.MethodPatch, "/v1/me", "{", russian...), fault.MalformedJSON},
		"another media type": {p.send(t, http.MethodPatch, "/v1/me", "{}", append(russian, header{"Content-Type", "text/plain"})...), fault.UnsupportedMediaType},
		"too large":          {p.send(t, http.MethodPatch, "/v1/me", `{"display_name":"`+strings.Repeat("x", 17_000)+`"}`, russian...), fault.BodyTooLarge},
		"a wrong name":       {p.send(t, http.MethodPatch, "/v1/me", `{"display_name":"\u200b"}`, russian...), fault.InvalidName},
	} {
		title, language := titled(t, row.refused)
		assert.Equal(t, titleOf(t, row.code, "ru"), title, what)
		assert.Equal(t, "ru", language, what)
	}
	var last answer
	for range 10 {
		last = w.get(t, "/v1/service?lang=de")
	}
	title, language := titled(t, last)
	assert.Equal(t, titleOf(t, fault.RateLimited, "de"), title)
	assert.Equal(t, "de", language)
	w.stopping.Store(true)
	title, language = titled(t, w.get(t, "/readyz", accepts("pl")...))
	assert.Equal(t, titleOf(t, fault.Away, "pl"), title)
	assert.Equal(t, "pl", language)
}

func TestNobodyIsLookedUpWhereThereIsNothing(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	pole := w.speaking(t, "pl")
	for what, refused := range map[string]answer{
		"no such path":   pole.get(t, "/v1/nothing"),
		"another method": pole.send(t, http.MethodPut, "/v1/me", ""),
	} {
		_, language := titled(t, refused)
		assert.Equal(t, "en", language, what)
	}
}

func TestAFaultOfOursIsToldInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	for what, fail := range map[string]func() error{
		"an error": func() error { return errors.New("broken") },
		"a panic":  func() error { panic("broken") },
	} {
		w := serve(t, testkit.SQLite(t), failing(fail))
		broken := w.get(t, "/v1/games/01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12", accepts("ru, en;q=0.1")...)
		assert.Equal(t, http.StatusInternalServerError, broken.status, what)
		title, language := titled(t, broken)
		assert.Equal(t, titleOf(t, fault.Internal, "ru"), title, what)
		assert.Equal(t, "ru", language, what)
	}
}

func TestAGuestIsNamedInTheLanguageItSpeaks(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	for _, row := range []struct {
		path, body string
		accept     []string
		want       string
	}{
		{"/v1/profiles", "", nil, "Guest "},
		{"/v1/profiles", `{"locale":"ru"}`, nil, "Гость "},
		{"/v1/profiles", `{"locale":"ru"}`, []string{"pl"}, "Gość "},
		{"/v1/profiles?lang=de", `{"locale":"ru"}`, []string{"pl"}, "Gast "},
		{"/v1/profiles?lang=de", `{"display_name":"Ola"}`, nil, "Ola"},
	} {
		opened := decode[api.OpenedProfile](t, w.send(t, http.MethodPost, row.path, row.body, accepts(row.accept...)...), http.StatusCreated)
		assert.True(t, strings.HasPrefix(opened.Profile.DisplayName, row.want), opened.Profile.DisplayName)
	}
}

func TestALanguageIsTakenWhereTheAnswerHoldsTexts(t *testing.T) {
	t.Parallel()
	var speaking []string
	everyOperation(t, func(op *openapi3.Operation) {
		if op.Parameters.GetByInAndName("query", "lang") != nil {
			speaking = append(speaking, op.OperationID)
		}
	})
	assert.ElementsMatch(t, []string{
		"openProfile", "getRules", "listHouseRules", "getHouseRule", "editHouseRule", "restoreHouseRule", "getPicture", "listProblems", "getService",
	}, speaking)
	w := serve(t, testkit.SQLite(t))
	refused := w.get(t, "/v1/tables?lang=de").problem(t)
	assert.Equal(t, []string{"/query/lang"}, pointersOf(refused), "elsewhere it is unknown")
}

// Answers that hold no texts for people say nothing about a language, and depend on none.
func TestWhatHoldsNoTextsHasNoLanguage(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	m := w.match(t, public)
	for _, path := range []string{gamePath(m.game), tablePath(m.table.ID), "/v1/me", "/v1/tables", "/healthz"} {
		answered := m.red.get(t, path, accepts("de")...)
		assert.Empty(t, answered.header.Get("Content-Language"), path)
		assert.NotContains(t, answered.header.Get("Vary"), "Accept-Language", path)
	}
}
