package httpapi

import (
	"reflect"
	"strconv"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
)

// The contract's types of settings have a field a rule, named in JSON as the rule is: a boolean for a switch, a number
// for seconds, text for the rest. Here is where each stands.
var (
	gameSettings      = ruleFieldsOf[api.GameSettings]()
	tableSettings     = ruleFieldsOf[api.TableSettings]()
	suggestedSettings = ruleFieldsOf[api.SuggestedSettings]()
)

// ruleField is where a rule stands in a type of the contract.
type ruleField struct {
	key   houserule.Key
	index int
}

func ruleFieldsOf[T any]() []ruleField {
	var fields []ruleField
	for field := range reflect.TypeFor[T]().Fields() {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields = append(fields, ruleField{key: houserule.Key(key), index: field.Index[0]})
	}
	return fields
}

// shownKept is how many settings are remembered as they are shown: most games are played by a few.
const shownKept = 256

var shownSettings = func() *lru.Cache[game.Settings, api.GameSettings] {
	kept, _ := lru.New[game.Settings, api.GameSettings](shownKept) // it refuses only to keep none
	return kept
}()

// toSettings converts the settings of a table or a game.
func toSettings(s game.Settings) api.GameSettings {
	if shown, found := shownSettings.Get(s); found {
		return shown
	}
	var shown api.GameSettings
	to := reflect.ValueOf(&shown).Elem()
	for _, field := range gameSettings {
		setOption(to.Field(field.index), field.key, s.Value(field.key))
	}
	shownSettings.Add(s, shown)
	return shown
}

// toSuggestedSettings converts the defaults of a catalogue. Rules that a host may not change are left out; they hold
// without it.
func toSuggestedSettings(catalogue houserule.Catalogue) api.SuggestedSettings {
	var shown api.SuggestedSettings
	to := reflect.ValueOf(&shown).Elem()
	for _, field := range suggestedSettings {
		if rule, err := catalogue.Rule(field.key); err == nil && rule.Changeable {
			setOption(to.Field(field.index), field.key, rule.Default)
		}
	}
	return shown
}

// setOption writes an option in the type that its field has. Another release may have stored one that can't be written
// so: then the rule's standard default is shown, since the contract promises a boolean, or a number.
func setOption(field reflect.Value, key houserule.Key, option string) {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.Bool:
		if option != houserule.On && option != houserule.Off {
			option = houserule.Standard().Default(key)
		}
		field.SetBool(option == houserule.On)
	case reflect.Int32:
		n, err := strconv.ParseInt(option, 10, 32)
		if err != nil {
			n, _ = strconv.ParseInt(houserule.Standard().Default(key), 10, 32) // a number, as its tests hold
		}
		field.SetInt(n)
	default:
		field.SetString(option)
	}
}

// choicesOf reads what a host chooses; nothing from nil.
func choicesOf(s *api.TableSettings) service.Choices {
	if s == nil {
		return nil
	}
	choices, from := service.Choices{}, reflect.ValueOf(s).Elem()
	for _, field := range tableSettings {
		if chosen := from.Field(field.index); !chosen.IsNil() {
			choices[field.key] = optionIn(chosen.Elem())
		}
	}
	return choices
}

// optionIn returns an option as the catalogue writes it.
func optionIn(field reflect.Value) string {
	switch field.Kind() {
	case reflect.Bool:
		return houserule.Switch(field.Bool())
	case reflect.Int32:
		return strconv.FormatInt(field.Int(), 10)
	default:
		return field.String()
	}
}
