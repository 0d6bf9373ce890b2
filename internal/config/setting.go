package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// setting is one field of Config as its tags describe it.
type setting struct {
	field    string // name of the Go field; no two settings share one
	name     string // of the variable
	fallback string
	unit     string
	desc     string
	secret   bool
	allowed  []string // the only values; empty: any that parses
	min, max string   // bounds in the field's own notation; empty: none
	value    reflect.Value
}

// settings lists the settings below a struct, in the order in which they are declared.
func settings(of reflect.Value) []setting {
	var all []setting
	for i := range of.NumField() {
		field := of.Type().Field(i)
		name, isSetting := field.Tag.Lookup("env")
		if !isSetting {
			all = append(all, settings(of.Field(i))...)
			continue
		}
		s := setting{
			field:    field.Name,
			name:     name,
			fallback: field.Tag.Get("envDefault"),
			unit:     field.Tag.Get("unit"),
			desc:     field.Tag.Get("desc"),
			secret:   field.Tag.Get("secret") == "true",
			min:      field.Tag.Get("min"),
			max:      field.Tag.Get("max"),
			value:    of.Field(i),
		}
		if values := field.Tag.Get("allowed"); values != "" {
			s.allowed = strings.Split(values, "|")
		}
		all = append(all, s)
	}
	return all
}

// check judges the value that a variable was given, after the parser has tried to fill the field with it.
func (s setting) check(value string, parseErr error) error {
	if len(s.allowed) > 0 {
		if !slices.Contains(s.allowed, value) {
			return s.complaint(value, "want "+strings.Join(s.allowed, " or "))
		}
		return nil
	}
	switch filled := s.value.Interface().(type) {
	case int:
		if parseErr != nil || !between(filled, number(s.min), number(s.max)) {
			return s.complaint(value, fmt.Sprintf("want a whole number from %s to %s (%s)", s.min, s.max, s.unit))
		}
	case time.Duration:
		if parseErr != nil || !between(filled, duration(s.min), duration(s.max)) {
			return s.complaint(value, fmt.Sprintf("want a duration from %s to %s, like 1m30s", s.min, s.max))
		}
	case string:
		if !isLine(filled) || utf8.RuneCountInString(filled) > number(s.max) {
			return s.complaint(value, fmt.Sprintf("want one line of at most %s characters", s.max))
		}
	default:
		if parseErr != nil {
			return s.complaint(value, parseErr.Error())
		}
	}
	return nil
}

func between[T int | time.Duration](value, least, most T) bool {
	return least <= value && value <= most
}

// isLine tells text that can be shown as it is.
func isLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.Is(unicode.C, r) || unicode.In(r, unicode.Zl, unicode.Zp)
	})
}

// number reads a bound from a tag; a tag that isn't one is a mistake in this package.
func number(tag string) int {
	n, err := strconv.Atoi(tag)
	if err != nil {
		panic(fmt.Sprintf("config: bound %q is not a whole number", tag))
	}
	return n
}

func duration(tag string) time.Duration {
	d, err := time.ParseDuration(tag)
	if err != nil {
		panic(fmt.Sprintf("config: bound %q is not a duration", tag))
	}
	return d
}
