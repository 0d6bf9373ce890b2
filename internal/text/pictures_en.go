package text

var picturesInEnglish = pictureWording{
	game:   "Four in a Row",
	cpu:    "CPU (%s)",
	levels: map[string]string{"easy": "easy", "medium": "medium", "hard": "hard", "perfect": "perfect"},
	nobody: "Deleted player",
	colours: map[string][2]string{
		"classic": {"red", "yellow"},
		"pink":    {"pink", "violet-blue"},
	},
	move: "Move %d",
	turn: "to move",
	wins: "winner",
	endings: map[string]string{
		"": "Draw", "line": "Four in a row!", "resignation": "Resignation", "timeout": "Time is up",
	},
	title:        "%s: %s against %s. %s",
	titleTurn:    "%s: %s to move.",
	titleWin:     "%s wins: %s",
	owners:       "%s has the discs with a ring (%s), %s those with a diamond (%s).",
	columns:      "The columns from left to right, each from the bottom up.",
	column:       "%d: %s.",
	emptyWord:    "empty",
	last:         "Last disc: column %d, row %d.",
	winningWords: "Winning fields (column/row): %s.",
}
