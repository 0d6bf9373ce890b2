package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Load reads a Config from the variables of environ, as os.Environ gives them ("NAME=value"); it never looks at the
// process's own. Variables it doesn't know are none of its business. The error names every wrong variable on a line
// of its own, in the order of Usage, with what is allowed.
func Load(environ []string) (Config, error) {
	given := env.ToMap(environ)
	maps.DeleteFunc(given, func(_, value string) bool { return value == "" })

	var cfg Config
	all := settings(reflect.ValueOf(&cfg).Elem())
	wrong := parse(&cfg, given)

	var errs []error
	for _, s := range all {
		value, isSet := given[s.name]
		if !isSet {
			continue
		}
		if err := s.check(value, wrong[s.field]); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return Config{}, errors.Join(errs...)
	}
	return cfg, nil
}

// parse fills cfg and returns what the parser said about the fields it could not fill, by the name of the field.
func parse(cfg *Config, given map[string]string) map[string]error {
	var all env.AggregateError
	if !errors.As(env.ParseWithOptions(cfg, env.Options{Environment: given}), &all) {
		return nil
	}
	wrong := make(map[string]error, len(all.Errors))
	for _, err := range all.Errors {
		var field env.ParseError
		if !errors.As(err, &field) {
			panic(fmt.Sprintf("config: the tags of Config are wrong: %v", err))
		}
		wrong[field.Name] = field.Err
	}
	return wrong
}

// complaint is the error for a wrong value. The value is repeated unless it may hold a password.
func (s setting) complaint(value, problem string) error {
	var b strings.Builder
	b.WriteString(s.name)
	if !s.secret && !mayHoldPassword(value) {
		fmt.Fprintf(&b, "=%q", abridged(value))
	}
	fmt.Fprintf(&b, ": %s", problem)
	return errors.New(b.String())
}

// mayHoldPassword tells a URL, or the part of one with a user, that was given under the wrong name.
func mayHoldPassword(value string) bool {
	return strings.Contains(value, "@") || strings.Contains(value, "://")
}

func abridged(value string) string {
	const longest = 60
	if letters := []rune(value); len(letters) > longest {
		return string(letters[:longest]) + "…"
	}
	return value
}
