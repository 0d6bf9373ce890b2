package game

import (
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// Settings are the house rules a game is played by. A game keeps those it started with.
type Settings struct {
	AlternateFirstMove bool
	FirstPlayer        string        // houserule.SeatOrder or houserule.Random
	MoveTimeLimit      time.Duration // whole seconds; 0: none but the long stop
	EndDeadPositions   bool          // whether a dead position is a draw at once
	OnTimeout          string        // houserule.CPUMove or houserule.Loss
	CPUCover           bool          // whether the CPU plays for an owner who is away
	CoverGrace         time.Duration // silence after which an owner is away; whole seconds
	CoverLevel         string        // of the CPU that covers
}

// Defaults returns the settings of a table whose host chose nothing.
func Defaults(rules houserule.Catalogue) Settings {
	return Settings{
		AlternateFirstMove: rules.Default(houserule.AlternateFirstMove) == houserule.On,
		FirstPlayer:        rules.Default(houserule.FirstPlayer),
		MoveTimeLimit:      seconds(rules.Default(houserule.MoveTimeLimit)),
		EndDeadPositions:   rules.Default(houserule.EndDeadPositions) == houserule.On,
		OnTimeout:          rules.Default(houserule.OnTimeout),
		CPUCover:           rules.Default(houserule.CPUCover) == houserule.On,
		CoverGrace:         seconds(rules.Default(houserule.CoverGrace)),
		CoverLevel:         rules.Default(houserule.CoverLevel),
	}
}

// seconds reads an option of the catalogue, which its tests hold to be a number.
func seconds(option string) time.Duration {
	n, err := strconv.Atoi(option)
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Second
}
