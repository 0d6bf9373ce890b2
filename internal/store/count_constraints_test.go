package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// What no rated game can have done, the database refuses.
func (conformance) TestDatabaseRefusesRatingsThatCannotBe(t *testing.T, db *testkit.Database) {
	around := db.SQL(t)
	ola, ivan := guest(t, db, "Ola"), guest(t, db, "Иван")
	won := rankedWin(t, db, ola, ivan)
	rankedWin(t, db, ola, ivan)
	fill := strings.NewReplacer("%won", string(won.ID), "%ola", string(ola.ID), "%ivan", string(ivan.ID), "%nobody", newID(t)).Replace
	for means, change := range map[string]string{
		"two changes of one number":           "UPDATE rating_changes SET n = 1 WHERE profile_id = '%ola' AND n = 2",
		"two changes of one game":             "UPDATE rating_changes SET game_id = '%won' WHERE profile_id = '%ola' AND n = 2",
		"a change before the first":           "UPDATE rating_changes SET n = 0 WHERE profile_id = '%ola' AND n = 1",
		"a change by no game":                 "UPDATE rating_changes SET game_id = '%nobody' WHERE profile_id = '%ola' AND n = 1",
		"a change of nobody's":                "UPDATE rating_changes SET profile_id = '%nobody' WHERE profile_id = '%ola' AND n = 1",
		"a game with oneself":                 "UPDATE rating_changes SET opponent_id = profile_id WHERE profile_id = '%ola' AND n = 1",
		"two games of one number":             "UPDATE profile_games SET n = 1 WHERE profile_id = '%ola' AND n = 2",
		"one game counted twice":              "UPDATE profile_games SET game_id = '%won' WHERE profile_id = '%ola' AND n = 2",
		"a list of games with oneself":        "UPDATE profile_games SET opponent_id = profile_id WHERE profile_id = '%ola' AND n = 1",
		"a class that is none":                "UPDATE profile_games SET class = 16 WHERE profile_id = '%ola' AND n = 1",
		"fewer wins than none":                "UPDATE profiles SET people_wins = -1 WHERE id = '%ola'",
		"a second answer to when it was made": "INSERT INTO leaderboard_made (id, made) VALUES (2, 0)",
	} {
		_, err := around.ExecContext(t.Context(), fill(change))
		require.Error(t, err, means)
	}
}
