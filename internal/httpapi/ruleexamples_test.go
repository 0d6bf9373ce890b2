package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestTheHouseRulesInTheExamplesAreTrue(t *testing.T) {
	t.Parallel()
	found := 0
	for name, example := range everyExample(t) {
		find(example, func(object map[string]any) {
			if _, isRule := object["all_options"]; !isRule {
				return
			}
			found++
			shown := as[api.HouseRule](t, object)
			rule, err := houserule.Standard().Rule(houserule.Key(shown.Key))
			require.NoError(t, err, name)
			said, _ := text.HouseRuleOf(rule.Key, text.English)
			assert.Equal(t, said.Name, shown.Name, name)
			assert.Equal(t, said.Description, shown.Description, name)
			assert.Equal(t, string(rule.Kind()), shown.Kind, name)
			assert.Equal(t, string(rule.Origin), shown.Origin, name)
			assert.Equal(t, rule.Known(), shown.AllOptions, name)
			_, err = rule.Check(houserule.Terms{Default: shown.Default, Options: shown.Options, Changeable: shown.Changeable})
			assert.NoError(t, err, name)
		})
	}
	assert.GreaterOrEqual(t, found, 6)
}

func TestAdminsAreRefusedAsTheExamplesSay(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	ola := w.admin(t, "ola")
	ola.edits(t, limit, "60", allLimits, true)
	ola.edits(t, limit, "30", allLimits, true)
	thirty := request(t, "30", allLimits, true, "again")
	for name, refused := range map[string]answer{
		"Forbidden":          w.guest(t, "Ola").get(t, "/v1/admin/audit"),
		"InvalidRule":        ola.send(t, http.MethodPut, rulePath(limit), request(t, "0", []string{"30", "60"}, true, "x"), ifMatch(`"3"`)),
		"VersionRequired":    ola.send(t, http.MethodPut, rulePath(limit), thirty),
		"PreconditionFailed": ola.send(t, http.MethodPut, rulePath(limit), thirty, ifMatch(`"2"`)),
	} {
		want, got := as[api.Problem](t, everyExample(t)[name]), refused.problem(t)
		assert.Equal(t, want.Code, got.Code, name)
		assert.Equal(t, want.Detail, got.Detail, name)
		assert.Equal(t, want.Instance, got.Instance, name)
		assert.Equal(t, want.Errors, got.Errors, name)
		if want.HouseRule != nil {
			want.HouseRule.UpdatedAt = got.HouseRule.UpdatedAt
		}
		assert.Equal(t, want.HouseRule, got.HouseRule, name)
	}
}
