package service_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/service"
)

// damage is what a hand, or a program that isn't right, may have written into a row of games.
type damage struct {
	means, change string
	found         string // in what verify says of the game
}

// unreadable is what no game can have, by the games of which it is tried.
var unreadable = map[string][]damage{
	"running": {
		{"a disc in a column that is none", "moves = '48'", "move 2 is not a column from 1 to 7"},
		{"a disc in column zero", "moves = '40'", "move 2 is not a column from 1 to 7"},
		{"a letter among the moves", "moves = '4x'", "move 2 is not a column from 1 to 7"},
		{
			"a 43rd disc", "moves = '" + strings.Repeat("4", 43) + "', movers = '" + strings.Repeat("h", 43) + "', took = '" + strings.Repeat("1,", 43) + "'",
			"move 43 is more than the board has fields",
		},
		{"a move without its mover", "movers = 'h'", "has 2 moves, 1 who made them and 2 times they took"},
		{"a mover without a move", "movers = 'hhh'", "has 2 moves, 3 who made them"},
		{"a mover who is neither", "movers = 'hx'", `has a ply 2 that 'x' made`},
		{"a move without its time", "took = '1000,'", "it has 2 plies and 1 times"},
		{"a time that is none", "took = 'x,,'", "times of its plies"},
		{"a game before its first version", "version = 0", "has version 0"},
		{"a game before the first of its table", "number = 0", "is number 0 of its table"},
		{"settings that are none", "settings = '[]'", "settings"},
		{"a fourth way of being there", "red_presence = 3", "has a player whose presence is 3"},
		{"a presence below the first", "red_presence = -1", "has a player whose presence is -1"},
		{"a presence that looks like the first in eight bits", "red_presence = 256", "has a player whose presence is 256"},
		{"a person without a profile", "red_profile = NULL", "has a player without a profile"},
		{"a side that is neither", "red_kind = 'dog'", `has a player that is "dog"`},
		{"one player on both sides", "yellow_profile = red_profile", "on both sides"},
		{"both sides in one seat", "yellow_seat = red_seat", "is played from seat 1 on both sides"},
		{"a third seat", "yellow_seat = 3", "is played from seat 3"},
		{"a hint for a 43rd ply", "hinted = 4398046511104", "has hints for plies that the board has no fields for"},
		{"hints below zero", "hinted = -1", "has hints for plies that the board has no fields for"},
	},
	"versus": {
		{"a CPU without a level", "yellow_level = NULL", "has a CPU without a level"},
	},
	"won": {
		{"a green winner", "winner = 'green'", "was won by neither red nor yellow"},
		{"a third seat that starts", "next_first = 3", "is followed by one that seat 3 starts"},
	},
}

// rule writes another option of a house rule into a document.
func rule(key, was, is string) string {
	return `settings = replace(settings, '"` + key + `":"` + was + `"', '"` + key + `":"` + is + `"')`
}

// over ends a running game that nobody has won.
const over = "status = 'finished', deadline = NULL, finished = turn_started + 1000000, rating_reason = 'not_ranked', "

// contradictory is what a game can be read with though it doesn't fit together, by the games of which it is tried.
var contradictory = map[string][]damage{
	"running": {
		{"an end without a time", "status = 'finished', deadline = NULL, outcome = 'draw'", "ended at no time, before it began"},
		{"a time without an end", "finished = 1", "runs, and ended at 1970"},
		{"a win without a winner", over + "outcome = 'win', ended_by = 'timeout'", "and its board isn't decided"},
		{"a win without a cause", over + "outcome = 'win', winner = 'red'", "and its board isn't decided"},
		{"a win by magic", over + "outcome = 'win', winner = 'red', ended_by = 'magic'", "says win of red by magic, and its board isn't decided"},
		{"a draw with a winner", over + "outcome = 'draw', winner = 'red', ended_by = 'resignation'", "says draw of red by resignation"},
		{"a draw that tells why", over + "outcome = 'draw', ended_by = 'resignation'", "and its board isn't decided"},
		{"a winner while it runs", "winner = 'red'", "runs, and has a result"},
		{"a cause while it runs", "ended_by = 'line'", "runs, and has a result"},
		{"sleep with a clock that runs", "asleep_since = turn_started", "has a turn that ends at"},
		{"sleep in a turn of which the time is up", "asleep_since = turn_started, deadline = NULL, timed_out = true", "has a turn that the CPU ends"},
		{"a next game while it runs", "next_game = '%versus'", "runs, and says what follows it"},
		{"who starts next while it runs", "next_first = 1", "runs, and says what follows it"},
		{"a table that is done while it runs", "table_done = true", "runs, and its table has closed"},
		{"a game unattended while it runs", "unattended = true", "runs, and the CPU has finished it"},
		{"a rule of no meaning", rule("on_timeout", "cpu_move", "shrug"), `is played by on_timeout "shrug", which`},
		{"a clock that runs backwards", rule("move_time_limit_seconds", "0", "-1"), `is played by move_time_limit_seconds "-1", which`},
		{"no grace at all", rule("cover_grace_seconds", "30", "0"), `is played by cover_grace_seconds "0", which`},
		{"cover of a level there is none of", rule("cover_level", "medium", "divine"), `is played by cover_level "divine", which`},
		{"a person with a level", "red_level = 'easy'", `has a person in seat 1 with level "easy" of the CPU`},
		{"a hint in a ranked game", "hinted = 1, ranked = true", "is ranked, and has hints"},
		{"a hint for a ply ahead", "hinted = 8", "has hints for plies after ply 3"},
		{"a reason while it runs", "rating_reason = 'not_ranked'", "runs, and says what became of the ratings"},
		{"a change while it runs", "red_before = 1500000000, red_after = 1500000000", "runs, and says what became of the ratings"},
	},
	"versus": {
		{"a CPU with a profile", "yellow_profile = '%profile'", "has a CPU in seat 2 with a profile or a name"},
		{"a CPU with a name", "yellow_name = 'Deep'", "has a CPU in seat 2 with a profile or a name"},
		{"a CPU that is away", "yellow_presence = 1", "has a CPU in seat 2 that is away"},
		{
			"two CPUs", "red_kind = 'cpu', red_profile = NULL, red_name = NULL, red_level = 'easy'",
			"is played by the CPU on both sides",
		},
		{"a ranked game against the CPU", "ranked = true", "is ranked, and played against the CPU"},
	},
	"won": {
		{"an end with a clock that runs", "deadline = finished", "is over, and its clock runs until"},
		{"an end in sleep", "asleep_since = finished", "is over, and sleeps since"},
		{"an end of which the time is up", "timed_out = true", "is over, and the CPU has to end a turn"},
		{"a line that nobody made", "winner = NULL", "and its board win of red by line"},
		{"points out of nothing", "red_after = red_after + 1", "changed the ratings from"},
		{
			"a rated game without a change", "red_before = NULL, red_after = NULL, yellow_before = NULL, yellow_after = NULL",
			"changed the ratings from 0 to 0",
		},
		{"half a change", "yellow_after = NULL", "changed the ratings from"},
		{"a change for no reason", "rating_reason = 'not_ranked'", `says "not_ranked" about the ratings, and changed them`},
		{"an unknown reason", "rating_reason = 'luck'", `says "luck" about the ratings`},
		{"no reason at all", "rating_reason = NULL", `says "" about the ratings`},
	},
}

// What constraints of the table of games refused once, verify finds.
func TestVerifyFindsWhatNoGameCanHave(t *testing.T) {
	t.Parallel()
	findsDamage(t, unreadable, true)
}

func TestVerifyFindsWhatContradictsItself(t *testing.T) {
	t.Parallel()
	findsDamage(t, contradictory, false)
}

func findsDamage(t *testing.T, tried map[string][]damage, unread bool) {
	t.Helper()
	onBoth(t, func(t *testing.T, w *world) {
		running, won := w.match(t, service.NewTable{}), w.rivals(t, w.guest(t, "Ada"), w.guest(t, "Zoë"), service.NewTable{Ranked: true})
		running.play(t, "44")
		won.play(t, shortWin)
		versus := w.versus(t, w.guest(t, "Zofia"), service.Choices{})
		games := map[string]*match{"running": running, "won": won, "versus": versus}
		fill := strings.NewReplacer("%versus", string(versus.game), "%profile", string(running.red.Profile)).Replace
		require.Empty(t, differences(t, w.db))
		repair := w.repairer(t)
		for name, damages := range tried {
			game := string(games[name].game)
			for _, d := range damages {
				w.tamper(t, "UPDATE games SET "+fill(d.change)+" WHERE id = $1", game)
				found := differences(t, w.db)
				assert.True(t, slices.ContainsFunc(found, func(line string) bool {
					said, ofGame := strings.CutPrefix(line, "game "+game+" ")
					return ofGame && strings.HasPrefix(said, "can't be read: ") == unread && strings.Contains(said, d.found)
				}), "%s: %q is not in %q", d.means, d.found, found)
				repair(game)
			}
		}
		require.Empty(t, differences(t, w.db))
	})
}

// repairer returns what makes a row of games again what it is now.
func (w *world) repairer(t *testing.T) (repair func(game string)) {
	t.Helper()
	w.tamper(t, "CREATE TABLE intact AS SELECT * FROM games")
	rows, err := w.db.SQL(t).QueryContext(t.Context(), "SELECT * FROM intact WHERE id IS NULL")
	require.NoError(t, err)
	columns, err := rows.Columns()
	require.NoError(t, err)
	require.NoError(t, rows.Close())
	sets := make([]string, 0, len(columns))
	for _, column := range columns {
		if column != "id" {
			sets = append(sets, column+" = intact."+column)
		}
	}
	statement := "UPDATE games SET " + strings.Join(sets, ", ") + " FROM intact WHERE intact.id = games.id AND games.id = $1"
	return func(game string) { w.tamper(t, statement, game) }
}
