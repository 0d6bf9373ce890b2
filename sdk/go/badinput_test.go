package fourinarow_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

func TestABaseURLThatIsNoneIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "four.example", "ftp://four.example", "http://", "://", "/v1"} {
		_, err := fourinarow.New(url)
		assert.ErrorContains(t, err, "base URL", url)
	}
}

func TestWhatIsNotTheServiceIsSaidToBeSomethingElse(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]reply{
		"a page":                     {status: http.StatusOK, kind: "text/html", body: "<html>"},
		"a page that isn't there":    {status: http.StatusNotFound, kind: "text/html", body: "<html>"},
		"JSON of something else":     {body: `{"hello": "world"}`},
		"JSON of another form":       {body: `[1, 2]`},
		"half of the JSON":           {body: `{"id": "0`},
		"a refusal of another form":  {status: http.StatusForbidden, kind: "application/json", body: `{"error": "no"}`},
		"a success without anything": {status: http.StatusNoContent},
	} {
		scripted(t, []reply{answer}, func(t *testing.T, four *fourinarow.Client, _ *script) {
			_, err := four.SignIn(t.Context(), fourinarow.Guest{})
			refused(t, fourinarow.CodeNotTheService, err)
		})
		scripted(t, []reply{answer}, func(t *testing.T, four *fourinarow.Client, _ *script) {
			_, err := four.Games.Get(t.Context(), gameID)
			assert.NotZero(t, problem(t, fourinarow.CodeNotTheService, err).Status, name)
		})
	}
}

func TestAClientThatWasNeverAnsweredGivesUpAfterFiveSeconds(t *testing.T) {
	t.Parallel()
	for code, failure := range map[string]transport{
		fourinarow.CodeConnectionFailed: func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") },
		fourinarow.CodeNotTheService: func(r *http.Request) (*http.Response, error) {
			return (&script{replies: []reply{{status: http.StatusBadGateway, kind: "text/html"}}}).RoundTrip(r)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			four, err := fourinarow.New("https://four.example", through(failure))
			require.NoError(t, err)
			began := time.Now()
			_, err = four.SignIn(t.Context(), fourinarow.Guest{})
			refused(t, code, err)
			assert.LessOrEqual(t, time.Since(began), 5*time.Second)
		})
	}
}

func TestAnAnswerThatDoesNotComeIsTimedOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{t: t, replies: []reply{{after: time.Hour}, {after: time.Hour}}}
		four, err := fourinarow.New("https://four.example", through(s.RoundTrip),
			fourinarow.AnswerWithin(3*time.Second), fourinarow.RepeatFor(4*time.Second))
		require.NoError(t, err)
		_, err = four.Games.Get(t.Context(), gameID)
		refused(t, fourinarow.CodeTimedOut, err)
	})
}

func TestCodesAndValuesThatNobodyKnowsAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	strange := gameAt(1, `, "status": "of_tomorrow", "added_later": {"of": [1]}, "red": {"kind": "of_tomorrow"}, "turn": "blue"`)
	body := `{"code": "of_tomorrow", "added_later": 1, "game": ` + strange.body + `}`
	conflict := reply{status: http.StatusConflict, kind: "application/problem+json", body: body}
	scripted(t, []reply{strange, conflict}, func(t *testing.T, four *fourinarow.Client, _ *script) {
		game, err := four.Games.Get(t.Context(), gameID)
		require.NoError(t, err)
		assert.Equal(t, "of_tomorrow", game.Status)
		_, err = four.Move(t.Context(), game, 1)
		assert.Equal(t, game.Status, problem(t, "of_tomorrow", err).Game.Status)
	})
}
