package service

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

// Choices are what a host chooses for a table; nil leaves it as it is.
type Choices struct {
	AlternateFirstMove   *bool
	FirstPlayer          *string
	MoveTimeLimitSeconds *int
	EndDeadPositions     *bool
	OnTimeout            *string
	CPUCover             *bool
	CoverGraceSeconds    *int
	CoverLevel           *string
}

// choose returns settings with a host's choices, judged by the catalogue only where they differ. The faults are those
// of houserule.Catalogue.Choose.
func choose(rules houserule.Catalogue, was game.Settings, c Choices) (game.Settings, error) {
	s := c.over(was)
	before := options(was)
	for i, option := range options(s) {
		if option == before[i] {
			continue
		}
		if err := rules.Choose(option.key, option.value); err != nil {
			return game.Settings{}, err
		}
	}
	return s, nil
}

// over returns settings with the choices, whether they may be made or not.
func (c Choices) over(s game.Settings) game.Settings {
	set(&s.AlternateFirstMove, c.AlternateFirstMove)
	set(&s.FirstPlayer, c.FirstPlayer)
	setSeconds(&s.MoveTimeLimit, c.MoveTimeLimitSeconds)
	set(&s.EndDeadPositions, c.EndDeadPositions)
	set(&s.OnTimeout, c.OnTimeout)
	set(&s.CPUCover, c.CPUCover)
	setSeconds(&s.CoverGrace, c.CoverGraceSeconds)
	set(&s.CoverLevel, c.CoverLevel)
	return s
}

func set[T any](field, choice *T) {
	if choice != nil {
		*field = *choice
	}
}

func setSeconds(field *time.Duration, choice *int) {
	if choice != nil {
		*field = time.Duration(*choice) * time.Second
	}
}

// ruleOption is a setting as the catalogue writes it.
type ruleOption struct {
	key   houserule.Key
	value string
}

func options(s game.Settings) []ruleOption {
	return []ruleOption{
		{houserule.AlternateFirstMove, houserule.Switch(s.AlternateFirstMove)},
		{houserule.FirstPlayer, s.FirstPlayer},
		{houserule.MoveTimeLimit, wholeSeconds(s.MoveTimeLimit)},
		{houserule.EndDeadPositions, houserule.Switch(s.EndDeadPositions)},
		{houserule.OnTimeout, s.OnTimeout},
		{houserule.CPUCover, houserule.Switch(s.CPUCover)},
		{houserule.CoverGrace, wholeSeconds(s.CoverGrace)},
		{houserule.CoverLevel, s.CoverLevel},
	}
}

func wholeSeconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// opponent returns a wish for a table with the opponent settled: a person, or the CPU at a level on offer. A CPU
// without a level is a medium one. The faults are invalid_request, cpu_table_not_ranked and option_not_offered.
func opponent(wish NewTable) (NewTable, error) {
	if wish.Opponent != game.CPU {
		if wish.CPULevel != "" {
			return wish, fault.At("/cpu_level", fault.InvalidRequest, "a level needs the opponent cpu")
		}
		return wish, nil
	}
	wish.CPULevel = cmp.Or(wish.CPULevel, houserule.Medium)
	levels := houserule.Levels()
	switch {
	case wish.Ranked:
		return wish, fault.At("/ranked", fault.CPUTableNotRanked, "a table against the CPU is not ranked")
	case !slices.Contains(levels, wish.CPULevel):
		return wish, fault.At("/cpu_level", fault.OptionNotOffered, "the CPU offers %s", strings.Join(levels, ", "))
	default:
		return wish, nil
	}
}
