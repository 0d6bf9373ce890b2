package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// differences returns what verifying the whole database finds.
func differences(tb testing.TB, db *testkit.Database) []string {
	tb.Helper()
	var found []string
	_, err := service.NewVerifier(db.Store, func(d service.Difference) { found = append(found, d.String()) },
		func(what string) { assert.Fail(tb, "not read: "+what) }, func(service.Verified) {}).Run(tb.Context())
	require.NoError(tb, err)
	return found
}

const shortWin = "1213141" // of red

// rivals lets two callers play a game at a ranked table.
func (w *world) rivals(tb testing.TB, red, yellow service.Caller, request service.NewTable) *match {
	tb.Helper()
	m := &match{w: w, red: red, yellow: yellow}
	request.Visibility = "public"
	opened, err := w.Tables.Open(tb.Context(), red, request)
	require.NoError(tb, err)
	seated, err := w.Tables.TakeSeat(tb.Context(), yellow, opened.Table.ID, "", 0)
	require.NoError(tb, err)
	m.table, m.game = seated.Table.ID, seated.Table.Game.ID
	return m
}

// lived makes a database with games that ended in many ways, and some that run.
func lived(t *testing.T, w *world) (ola, ivan service.Caller, last *match) {
	t.Helper()
	ola, ivan = w.guest(t, "Ola"), w.guest(t, "Иван")
	ranked := service.NewTable{Ranked: true}
	for range game.PairGames + 1 { // the last one is over the limit
		w.rivals(t, ola, ivan, ranked).play(t, shortWin)
		w.db.Clock.Advance(time.Minute)
		for _, c := range []service.Caller{ola, ivan} {
			mine, err := w.Tables.Mine(t.Context(), c, service.MyPoll{})
			require.NoError(t, err)
			for _, v := range mine.Tables {
				require.NoError(t, w.Tables.Leave(t.Context(), c, v.Table.ID))
			}
		}
	}
	versus, err := w.Tables.Open(t.Context(), ivan, service.NewTable{Opponent: game.CPU, CPULevel: "easy"})
	require.NoError(t, err)
	_, err = w.Games.Resign(t.Context(), ivan, versus.Table.Game.ID)
	require.NoError(t, err)
	zofia := w.guest(t, "Zofia")
	short := w.rivals(t, zofia, ola, ranked)
	short.play(t, "123")
	_, err = w.Games.Resign(t.Context(), zofia, short.game)
	require.NoError(t, err)
	won := w.rivals(t, zofia, ivan, ranked)
	won.play(t, shortWin)
	running := w.rivals(t, zofia, ola, service.NewTable{})
	running.play(t, "44")
	return ola, ivan, won
}

func TestVerifyFindsNothingInWhatTheServiceStored(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		assert.Empty(t, differences(t, w.db), "an empty database")
		ola, _, _ := lived(t, w)
		assert.Empty(t, differences(t, w.db))
		require.NoError(t, w.Leaving.Delete(t.Context(), ola))
		assert.Empty(t, differences(t, w.db), "a deleted player's games still add up")
	})
}

func TestVerifyFindsWhateverWasChanged(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola, ivan, won := lived(t, w)
		around := w.db.SQL(t)
		replace := strings.NewReplacer("%game", string(won.game), "%table", string(won.table), "%ola", string(ola.Profile), "%ivan", string(ivan.Profile)).Replace
		for _, row := range []struct {
			change, undo string
			found        []string // parts of lines
		}{
			{
				"UPDATE games SET winner = 'yellow' WHERE id = '%game'", "UPDATE games SET winner = 'red' WHERE id = '%game'",
				[]string{"game %game says win of yellow by line, and its board win of red by line", "profile %ivan has game"},
			},
			{
				"UPDATE games SET ended_by = 'timeout' WHERE id = '%game'", "UPDATE games SET ended_by = 'line' WHERE id = '%game'",
				[]string{"game %game says win of red by timeout"},
			},
			{
				"UPDATE games SET moves = '1213145' WHERE id = '%game'", "UPDATE games SET moves = '1213141' WHERE id = '%game'",
				[]string{"game %game says win of red by line, and its board isn't decided"},
			},
			{
				"UPDATE games SET moves = '1111111' WHERE id = '%game'", "UPDATE games SET moves = '1213141' WHERE id = '%game'",
				[]string{"game %game can't be read: moves of game %game: move 7 goes into a full column"},
			},
			{
				"UPDATE games SET red_after = red_after + 1, yellow_after = yellow_after - 1 WHERE id = '%game'",
				"UPDATE games SET red_after = red_after - 1, yellow_after = yellow_after + 1 WHERE id = '%game'",
				[]string{"game %game changed the ratings from", "profile %ivan has another change of its rating by game %game"},
			},
			{
				"INSERT INTO game_timers (game_id, due, seq) VALUES ('%game', 1, 1)", "DELETE FROM game_timers WHERE game_id = '%game'",
				[]string{"game %game is finished and has 1 timers, not 0"},
			},
			{
				"UPDATE profiles SET rating = rating + 1 WHERE id = '%ola'", "UPDATE profiles SET rating = rating - 1 WHERE id = '%ola'",
				[]string{"profile %ola has {Games:"},
			},
			{
				"UPDATE profiles SET streak_longest = streak_longest + 1 WHERE id = '%ola'",
				"UPDATE profiles SET streak_longest = streak_longest - 1 WHERE id = '%ola'",
				[]string{"profile %ola has {Games:"},
			},
			{
				"UPDATE rating_changes SET n = 99 WHERE profile_id = '%ola' AND n = 3", "UPDATE rating_changes SET n = 3 WHERE profile_id = '%ola' AND n = 99",
				[]string{"profile %ola has change 99 of its rating after change 2"},
			},
			{
				"UPDATE profile_games SET n = 99 WHERE profile_id = '%ola' AND n = 3", "UPDATE profile_games SET n = 3 WHERE profile_id = '%ola' AND n = 99",
				[]string{"profile %ola has a game 4 after game 2"},
			},
			{
				"UPDATE profile_games SET class = 6 WHERE profile_id = '%ivan' AND game_id = '%game'",
				"UPDATE profile_games SET class = 10 WHERE profile_id = '%ivan' AND game_id = '%game'",
				[]string{"profile %ivan has game %game in its list otherwise than it was"},
			},
			{
				"UPDATE rating_changes SET changed = changed - 1 WHERE profile_id = '%ola' AND n = 3",
				"UPDATE rating_changes SET changed = changed + 1 WHERE profile_id = '%ola' AND n = 3",
				[]string{"profile %ola has a change of its rating at"},
			},
			{
				"UPDATE games SET red_rating = red_rating + 1 WHERE id = '%game'", "UPDATE games SET red_rating = red_rating - 1 WHERE id = '%game'",
				[]string{" began game %game with 1500000001, which it never had before"},
			},
			{
				"UPDATE games SET started = started + 3600000000 WHERE id = '%game'", "UPDATE games SET started = started - 3600000000 WHERE id = '%game'",
				[]string{"game %game ended at"},
			},
			{
				"UPDATE games SET rating_reason = 'before_ratings' WHERE rating_reason = 'pair_limit'",
				"UPDATE games SET rating_reason = 'pair_limit' WHERE rating_reason = 'before_ratings'",
				[]string{`says "before_ratings" about the ratings and ended at`},
			},
			{
				"UPDATE tables SET seat1_wins = seat1_wins + 1 WHERE id = '%table'", "UPDATE tables SET seat1_wins = seat1_wins - 1 WHERE id = '%table'",
				[]string{"table %table has 2 and 0 wins and 0 draws, and its games make 1, 0 and 0"},
			},
			{
				"UPDATE tables SET move_time_limit_seconds = 30 WHERE id = '%table'", "UPDATE tables SET move_time_limit_seconds = 0 WHERE id = '%table'",
				[]string{"table %table is looked for with a clock of 30s and a grace of 30s, and has 0s and 30s"},
			},
			{
				"UPDATE tables SET settings = '[' || settings WHERE id = '%table'", "UPDATE tables SET settings = substr(settings, 2) WHERE id = '%table'",
				[]string{"table %table can't be read: "},
			},
			{
				"UPDATE tables SET draws = 1 WHERE id = '%table'", "UPDATE tables SET draws = 0 WHERE id = '%table'",
				[]string{"table %table has 1 and 0 wins and 1 draws"},
			},
			{
				"UPDATE tables SET seat1_rating = seat1_rating + 1 WHERE id = '%table'", "UPDATE tables SET seat1_rating = seat1_rating - 1 WHERE id = '%table'",
				[]string{"is shown with 15", " at table %table, and had 15", "table %table shows 1 of its players with ratings that they never had"},
			},
			{
				"UPDATE tables SET seat2_rating = 1500000000 WHERE id = '%table'", "UPDATE tables SET seat2_rating = (SELECT rating FROM profiles WHERE id = '%ivan') WHERE id = '%table'",
				[]string{"profile %ivan is shown with 1500000000 at table %table, and had 1"},
			},
			{
				"UPDATE games SET number = 2 WHERE id = '%game'", "UPDATE games SET number = 1 WHERE id = '%game'",
				[]string{"table %table has 1 games, and their numbers go to 2"},
			},
			{
				"UPDATE tables SET status = 'playing', next_first = NULL WHERE id = '%table'", "UPDATE tables SET status = 'between_games' WHERE id = '%table'",
				[]string{"table %table is playing, and 0 of its games run"},
			},
			{
				"UPDATE games SET rating_reason = 'covered' WHERE rating_reason = 'pair_limit'",
				"UPDATE games SET rating_reason = 'pair_limit' WHERE rating_reason = 'covered'",
				[]string{`says "covered" about the ratings, not "pair_limit"`},
			},
			{
				"UPDATE games SET rating_reason = 'never_came' WHERE rating_reason = 'too_short'",
				"UPDATE games SET rating_reason = 'too_short' WHERE rating_reason = 'never_came'",
				[]string{`says "never_came" about the ratings, not "too_short"`},
			},
		} {
			_, err := around.ExecContext(t.Context(), replace(row.change))
			require.NoError(t, err, row.change)
			found := strings.Join(differences(t, w.db), "\n")
			for _, part := range row.found {
				assert.Contains(t, found, replace(part), row.change)
			}
			_, err = around.ExecContext(t.Context(), replace(row.undo))
			require.NoError(t, err, row.undo)
			require.Empty(t, differences(t, w.db), row.undo)
		}
		_, err := around.ExecContext(t.Context(), replace("DELETE FROM rating_changes WHERE game_id = '%game' AND profile_id = '%ivan'"))
		require.NoError(t, err)
		found := strings.Join(differences(t, w.db), "\n")
		assert.Contains(t, found, replace("game %game is finished and has 1 changes of ratings, not 2"))
		assert.Contains(t, found, replace("profile %ivan has 10 changes of its rating and 11 rated games"))
	})
}

func TestVerifyFindsWhatIsLeftOfAPlayerThatIsErased(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		ola, ivan, won := lived(t, w)
		for _, c := range []service.Caller{ola, ivan} {
			require.NoError(t, w.Leaving.Delete(t.Context(), c))
		}
		require.NoError(t, w.Leaving.Erase(t.Context()))
		require.Empty(t, differences(t, w.db))
		for _, left := range []string{
			"UPDATE games SET yellow_name = 'Иван' WHERE id = '" + string(won.game) + "'",
			"UPDATE tables SET seat2_name = 'Иван' WHERE id = '" + string(won.table) + "'",
		} {
			w.tamper(t, left)
		}
		w.tamper(t, "UPDATE devices SET profile_id = $1", string(ola.Profile))
		assert.ElementsMatch(t, []string{
			"profile " + string(ivan.Profile) + " is erased, and its name is in 2 places",
			"profile " + string(ola.Profile) + " is deleted and has 1 devices",
		}, differences(t, w.db))
	})
}
