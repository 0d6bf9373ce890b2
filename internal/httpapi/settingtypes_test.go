package httpapi_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

func TestEveryHouseRuleIsAPropertyOfTheContractsSettings(t *testing.T) {
	t.Parallel()
	for _, schema := range []struct {
		of      reflect.Type
		partial bool // a rule may be left out
	}{
		{reflect.TypeFor[api.GameSettings](), false},
		{reflect.TypeFor[api.TableSettings](), true},
		{reflect.TypeFor[api.SuggestedSettings](), true},
	} {
		name, fields := schema.of.Name(), map[houserule.Key]reflect.Type{}
		for field := range schema.of.Fields() {
			key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			assert.Contains(t, game.RuleKeys(), houserule.Key(key), "schema %s of the contract has a property %s, which is no rule of game's table", name, key)
			fields[houserule.Key(key)] = field.Type
		}
		for _, key := range game.RuleKeys() {
			field, there := fields[key]
			if !assert.True(t, there, "schema %s of the contract has no property %s", name, key) {
				continue
			}
			partial := field.Kind() == reflect.Pointer
			assert.Equal(t, schema.partial, partial, "property %s of schema %s is required where it must not be, or not where it must", key, name)
			if partial {
				field = field.Elem()
			}
			assert.Equal(t, kindOf(t, key), field.Kind(), "property %s of schema %s is of another kind than the rule's options", key, name)
		}
	}
}

// kindOf is how the contract writes the options of a rule.
func kindOf(t *testing.T, key houserule.Key) reflect.Kind {
	t.Helper()
	rule, err := houserule.Standard().Rule(key)
	assert.NoError(t, err, "rule %s is in game's table and not in houserule.Standard", key)
	switch {
	case rule.Kind() == houserule.Toggle:
		return reflect.Bool
	case strings.Trim(strings.Join(rule.Options, ""), "0123456789") == "":
		return reflect.Int32
	default:
		return reflect.String
	}
}
