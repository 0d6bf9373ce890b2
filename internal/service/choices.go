package service

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

// Choices are what a host chooses for a table: options as the catalogue writes them, by their rules. A rule that is left
// out stays as it is.
type Choices map[houserule.Key]string

// choose returns settings with a host's choices, judged by the catalogue only where they differ. The faults are those
// of houserule.Catalogue.Choose.
func choose(rules houserule.Catalogue, was game.Settings, c Choices) (game.Settings, error) {
	for _, key := range c.keys() {
		if value := c[key]; value == "" || value != was.Value(key) {
			if err := rules.Choose(key, value); err != nil {
				return game.Settings{}, err
			}
		}
	}
	return c.over(was)
}

// over returns settings with the choices, whether they may be made or not. The error is that of game.Settings.With.
func (c Choices) over(s game.Settings) (game.Settings, error) {
	for _, key := range c.keys() {
		value := c[key]
		if value == s.Value(key) {
			continue
		}
		var err error
		if s, err = s.With(key, value); err != nil {
			return game.Settings{}, wrap(err, "choose settings")
		}
	}
	return s, nil
}

// keys returns the rules that something is chosen of, in the order of the catalogue, and then those that there aren't.
func (c Choices) keys() []houserule.Key {
	var keys []houserule.Key
	for _, key := range game.RuleKeys() {
		if _, chosen := c[key]; chosen {
			keys = append(keys, key)
		}
	}
	if len(keys) == len(c) {
		return keys
	}
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(c)), func(key houserule.Key) bool { return slices.Contains(keys, key) })
	return append(keys, unknown...)
}

// clockOf returns the choice of a clock; nil chooses nothing.
func clockOf(seconds *int) Choices {
	if seconds == nil {
		return nil
	}
	return Choices{houserule.MoveTimeLimit: strconv.Itoa(*seconds)}
}

// opponent returns a request for a table with the opponent settled: a person, or the CPU at a level on offer. A CPU
// without a level is a medium one. The faults are invalid_request, cpu_table_not_ranked and option_not_offered.
func opponent(request NewTable) (NewTable, error) {
	if request.Opponent != game.CPU {
		if request.CPULevel != "" {
			return request, fault.At("/cpu_level", fault.InvalidRequest, "a level needs the opponent cpu")
		}
		return request, nil
	}
	request.CPULevel = cmp.Or(request.CPULevel, level.Medium)
	levels := level.Names()
	switch {
	case request.Ranked:
		return request, fault.At("/ranked", fault.CPUTableNotRanked, "a table against the CPU is not ranked")
	case !slices.Contains(levels, request.CPULevel):
		return request, fault.At("/cpu_level", fault.OptionNotOffered, "the CPU offers %s", strings.Join(levels, ", "))
	default:
		return request, nil
	}
}
