package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestAnybodyReadsTheHouseRules(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola := w.guest(t, "Ola")
		for _, answered := range []answer{w.get(t, "/v1/house-rules"), ola.get(t, "/v1/house-rules")} {
			list := decode[api.HouseRuleList](t, answered, http.StatusOK)
			standard := houserule.Standard().Rules()
			if !assert.Len(t, list.Items, len(standard)) {
				continue
			}
			for i, rule := range list.Items {
				assert.Equal(t, string(standard[i].Key), rule.Key)
				assert.NotEmpty(t, rule.Name)
				assert.NotEmpty(t, rule.Description)
				assert.Equal(t, string(standard[i].Kind()), rule.Kind)
				assert.Equal(t, string(standard[i].Origin), rule.Origin)
				assert.Equal(t, standard[i].Options, rule.Options)
				assert.Equal(t, standard[i].Options, rule.AllOptions)
				assert.Equal(t, standard[i].Default, rule.Default)
				assert.Equal(t, standard[i].Changeable, rule.Changeable)
				assert.EqualValues(t, 1, rule.Version)
			}
		}
	})
}

func TestHouseRulesAreToldInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	for _, l := range text.Languages() {
		answered := w.get(t, "/v1/house-rules", accepts(string(l))...)
		assert.Equal(t, string(l), answered.header.Get("Content-Language"))
		for _, rule := range decode[api.HouseRuleList](t, answered, http.StatusOK).Items {
			said, _ := text.HouseRuleOf(houserule.Key(rule.Key), l)
			assert.Equal(t, said, text.HouseRule{Name: rule.Name, Description: rule.Description})
		}
	}
}
