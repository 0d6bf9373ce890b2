package httpapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestTheRulesAreReadInEveryLanguage(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		tags := make(map[string]bool)
		for _, l := range text.Languages() {
			answered := w.get(t, "/v1/rules?lang="+string(l))
			page := decode[api.RulesPage](t, answered, http.StatusOK)
			assert.Equal(t, text.GameName(l), page.Name)
			assert.Equal(t, string(l), answered.header.Get("Content-Language"))
			assert.Len(t, page.FirstGame, 4)
			assert.Len(t, page.HouseRules, len(houserule.Standard().Rules()))
			assert.Len(t, page.ReviewedBy, 1, "nobody has signed it")
			assert.Nil(t, page.Operator)
			tags[answered.header.Get("ETag")] = true
		}
		assert.Len(t, tags, len(text.Languages()), "each language has a tag of its own")
	})
}

func TestTheRulesAreNotSentAgainToWhoHasThem(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	first := w.get(t, "/v1/rules")
	unchanged := w.get(t, "/v1/rules", ifNoneMatch(first.header.Get("ETag"))...)
	assert.Equal(t, http.StatusNotModified, unchanged.status)
	assert.Empty(t, unchanged.body)
	assert.Equal(t, "Authorization, Accept-Language, Accept-Encoding", unchanged.header.Get("Vary"))
	german := w.get(t, "/v1/rules?lang=de", ifNoneMatch(first.header.Get("ETag"))...)
	assert.Equal(t, http.StatusOK, german.status, "another language is another answer")
}

func TestTheOperatorSaysWhoHasReadTheRules(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("OPERATOR_NAME=The board game club", "RULES_REVIEWED_BY=Ola, arbiter"))
	page := decode[api.RulesPage](t, w.get(t, "/v1/rules"), http.StatusOK)
	assert.Equal(t, "The board game club", *page.Operator.Name)
	assert.Equal(t, "Ola, arbiter", page.ReviewedBy[1])
}

// The body in the page opens a table that plays by what the page says.
func TestATableIsOpenedByTheRules(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		page := decode[api.RulesPage](t, w.get(t, "/v1/rules"), http.StatusOK)
		body, err := json.Marshal(page.OpenTable)
		require.NoError(t, err)
		ola := w.guest(t, "Ola")
		table := decode[api.GameTable](t, ola.post(t, "/v1/tables", string(body)), http.StatusCreated)
		plain := decode[api.GameTable](t, ola.post(t, "/v1/tables", ""), http.StatusCreated)
		assert.Equal(t, plain.Settings, table.Settings)
		assert.Nil(t, page.OpenTable.Settings.CoverLevel, "a host may not choose it")
		assert.NotNil(t, page.OpenTable.Settings.EndDeadPositions)
	})
}

func TestTheExampleOfTheRulesIsThePage(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("OPERATOR_NAME=The board game club", "OPERATOR_CONTACT=mailto:play@four.example"))
	want := as[api.RulesPage](t, everyExample(t)["RulesPage"])
	page := decode[api.RulesPage](t, w.get(t, "/v1/rules"), http.StatusOK)
	page.UpdatedAt = want.UpdatedAt
	assert.Equal(t, want, page)
}
