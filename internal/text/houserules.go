package text

import "github.com/fourinarow/fourinarow/internal/houserule"

// HouseRule is what is said about a house rule.
type HouseRule struct {
	Name        string // at most 128 characters
	Description string // what it means and what its options do, at most 1,024 characters
}

// HouseRuleOf returns what is said about a house rule, and false for one that is not known. A language without a
// translation is answered in English.
func HouseRuleOf(key houserule.Key, language Language) (HouseRule, bool) {
	said, translated := houseRules[language][key]
	if !translated {
		said, translated = houseRules[English][key]
	}
	return said, translated
}

var houseRules = map[Language]map[houserule.Key]HouseRule{English: houseRulesInEnglish}

var houseRulesInEnglish = map[houserule.Key]HouseRule{
	houserule.AlternateFirstMove: {
		"The first move alternates",
		"On: whoever moved second in one game starts the next one, after a draw too. Off: the same seat starts every game.",
	},
	houserule.FirstPlayer: {
		"Who starts the first game",
		"`seat_order`: the player who opened the table. `random`: drawn once, for the first game.",
	},
	houserule.MoveTimeLimit: {
		"Time for a move",
		"Seconds a player has for each move; the first move of a game has ten more. With 0 there is no clock, only the end of " +
			"a turn that nobody plays for a day.",
	},
	houserule.EndDeadPositions: {
		"A dead position is a draw",
		"On: as soon as neither side can complete four in a row any more, the game is a draw. Off: it is played until the " +
			"board is full.",
	},
	houserule.OnTimeout: {
		"When the time for a move is up",
		"`cpu_move`: the CPU makes this one move, and the player keeps the next. `loss`: the game is lost.",
	},
	houserule.CPUCover: {
		"The CPU plays for who is away",
		"On: while a player is away the CPU makes that side's moves, until the player returns. Off: the game waits for the " +
			"player, as long as the clock does.",
	},
	houserule.CoverGrace: {
		"Silence before a player counts as away",
		"Seconds in which nothing is heard of a player before the player counts as away.",
	},
	houserule.CoverLevel: {
		"Level of the CPU that covers",
		"How well the CPU plays when it plays for somebody who is away or whose time is up.",
	},
}
