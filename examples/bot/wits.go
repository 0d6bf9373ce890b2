package main

import (
	"math/rand/v2"
	"slices"

	"github.com/fourinarow/fourinarow/api/client"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// choose wins if it can, blocks if it must, gives no win away, and likes the middle.
func choose(game *fourinarow.Game) int {
	mine, theirs := game.Threats.Red, game.Threats.Yellow
	if game.MySide != nil && *game.MySide == client.SideYellow {
		mine, theirs = theirs, mine
	}
	for _, threat := range slices.Concat(mine, theirs) {
		if threat.Playable {
			return int(threat.Column)
		}
	}
	best, bestWorth := 0, 0.0
	for _, column := range game.LegalColumns {
		worth := 10 - float64((column-4)*(column-4)) + rand.Float64() //nolint:gosec // variety, not secrecy
		above := height(game, column) + 2
		if slices.ContainsFunc(theirs, func(t client.Threat) bool { return t.Column == column && t.Row == above }) {
			worth = 0.001 // the disc on top of this one would win
		}
		if worth > bestWorth {
			best, bestWorth = int(column), worth
		}
	}
	return best
}

// height is how many discs lie in a column.
func height(game *fourinarow.Game, column int32) (discs int32) {
	for _, played := range game.Moves {
		if played-'0' == column {
			discs++
		}
	}
	return discs
}
