package store_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// What a hand might write by mistake, the database refuses; in rows of games, which moves rewrite, verify finds most of it.
func (conformance) TestDatabaseRefusesWhatCannotBe(t *testing.T, db *testkit.Database) {
	around := db.SQL(t)
	room, g := playing(t, db)
	g = saved(t, db, g, "44")
	request := newTable(t, db, guest(t, db, "Ola"), table.Private)
	request.ClientRef = newID(t)
	private := opened(t, db, request)
	alone := waiting(t, db, guest(t, db, "Ola"), table.Private)
	_, versus := versusCPU(t, db, db.Clock.Now())
	p := guest(t, db, "Ola")

	changes := map[string]string{ // what it would mean: how
		"a game in an unknown status":              "UPDATE games SET status = 'paused' WHERE id = '%game'",
		"an end without an outcome":                "UPDATE games SET status = 'finished', deadline = NULL, finished = 1 WHERE id = '%game'",
		"an outcome without an end":                "UPDATE games SET outcome = 'draw' WHERE id = '%game'",
		"a third outcome":                          "UPDATE games SET status = 'finished', deadline = NULL, finished = 1, outcome = 'loss' WHERE id = '%game'",
		"a next game that is none":                 "UPDATE games SET status = 'finished', deadline = NULL, finished = 1, outcome = 'draw', next_game = '%nobody' WHERE id = '%game'",
		"an analysis of no game":                   "INSERT INTO analyses (game_id, scores, computed) VALUES ('%nobody', '', 1)",
		"a second timer of a game":                 "INSERT INTO game_timers (game_id, due, seq) VALUES ('%versus', 1, 1)",
		"a timer of no game":                       "INSERT INTO game_timers (game_id, due, seq) VALUES ('%nobody', 1, 1)",
		"a timer that nobody set":                  "UPDATE game_timers SET seq = 0 WHERE game_id = '%versus'",
		"somebody at no table":                     "INSERT INTO seat_presence (table_id, seat, last_seen, said_away) VALUES ('%nobody', 1, 1, false)",
		"somebody in a third seat":                 "INSERT INTO seat_presence (table_id, seat, last_seen, said_away) VALUES ('%table', 3, 1, false)",
		"somebody twice":                           "INSERT INTO seat_presence (table_id, seat, last_seen, said_away) VALUES ('%table', 1, 1, false)",
		"a second heartbeat":                       "INSERT INTO heartbeat (id, beaten) VALUES (2, 1)",
		"an outage that ends before it began":      "INSERT INTO outages (began, ended) VALUES (2, 1)",
		"a game at no table":                       "UPDATE games SET table_id = '%nobody' WHERE id = '%game'",
		"a game of nobody":                         "UPDATE games SET red_profile = '%nobody' WHERE id = '%game'",
		"one player in both seats":                 "UPDATE tables SET seat2_profile = seat1_profile WHERE id = '%table'",
		"a table of nobody":                        "UPDATE tables SET seat1_profile = '%nobody' WHERE id = '%table'",
		"a table without a host":                   "UPDATE tables SET seat1_profile = NULL WHERE id = '%table'",
		"a table before its first version":         "UPDATE tables SET version = 0 WHERE id = '%table'",
		"a table in an unknown status":             "UPDATE tables SET status = 'burning' WHERE id = '%table'",
		"a table that waits with a guest":          "UPDATE tables SET status = 'waiting', game_id = NULL WHERE id = '%table'",
		"a table that waits with a game":           "UPDATE tables SET status = 'waiting', seat2_kind = NULL, seat2_profile = NULL, seat2_name = NULL WHERE id = '%table'",
		"a table that plays alone":                 "UPDATE tables SET seat2_kind = NULL, seat2_profile = NULL, seat2_name = NULL WHERE id = '%table'",
		"a free seat of somebody":                  "UPDATE tables SET seat2_profile = '%profile' WHERE id = '%alone'",
		"a free seat with a level":                 "UPDATE tables SET seat2_level = 'easy' WHERE id = '%alone'",
		"a guest without a profile":                "UPDATE tables SET seat2_profile = NULL WHERE id = '%table'",
		"a guest that is neither":                  "UPDATE tables SET seat2_kind = 'dog' WHERE id = '%table'",
		"a seat of the CPU without a level":        "UPDATE tables SET seat2_level = NULL WHERE game_id = '%versus'",
		"a seat of the CPU with a profile":         "UPDATE tables SET seat2_profile = '%profile' WHERE game_id = '%versus'",
		"a ranked table against the CPU":           "UPDATE tables SET ranked = true WHERE game_id = '%versus'",
		"a table with a clock that runs backwards": "UPDATE tables SET move_time_limit_seconds = -1 WHERE id = '%table'",
		"a table with no grace at all":             "UPDATE tables SET cover_grace_seconds = 0 WHERE id = '%table'",
		"settings before their first version":      "UPDATE tables SET settings_version = 0 WHERE id = '%table'",
		"fewer wins than none":                     "UPDATE tables SET seat1_wins = -1 WHERE id = '%table'",
		"who starts next while a game runs":        "UPDATE tables SET next_first = 1 WHERE id = '%table'",
		"a table that closed for no reason":        "UPDATE tables SET status = 'closed' WHERE id = '%table'",
		"a table that plays nothing":               "UPDATE tables SET game_id = NULL WHERE id = '%table'",
		"a table that plays an unknown game":       "UPDATE tables SET game_id = '%nobody' WHERE id = '%table'",
		"a reason to close without closing":        "UPDATE tables SET reason = 'host_left' WHERE id = '%table'",
		"a reason to close without a word":         "UPDATE tables SET status = 'closed', reason = '' WHERE id = '%table'",
		"a reason to close that is a novel":        "UPDATE tables SET status = 'closed', reason = '" + strings.Repeat("x", 41) + "' WHERE id = '%table'",
		"an open table that was moved from":        "UPDATE tables SET moved_to = '%table' WHERE id = '%alone'",
		"a table that was moved from nowhere":      "UPDATE tables SET status = 'closed', reason = 'moved', next_first = NULL WHERE id = '%alone'",
		"a table that was moved from to itself":    "UPDATE tables SET status = 'closed', reason = 'moved', next_first = NULL, moved_to = id WHERE id = '%alone'",
		"a table that was moved from to none":      "UPDATE tables SET status = 'closed', reason = 'moved', next_first = NULL, moved_to = '%nobody' WHERE id = '%alone'",
		"a request of a client without an end":     "UPDATE tables SET client_request = '" + strings.Repeat("x", 1001) + "' WHERE id = '%private'",
		"no clock named for no quick match":        "UPDATE tables SET any_clock = true WHERE id = '%alone'",
		"a table half public":                      "UPDATE tables SET visibility = 'unlisted' WHERE id = '%table'",
		"a public table with an invite code":       "UPDATE tables SET invite_code = 'ABCDEFGHJK' WHERE id = '%table'",
		"a private table without an invite code":   "UPDATE tables SET invite_code = NULL WHERE id = '%private'",
		"two tables with one invite code":          "UPDATE tables SET invite_code = (SELECT invite_code FROM tables WHERE id = '%private') WHERE id = '%alone'",
		"two tables of one name of a client":       "UPDATE tables SET seat1_profile = '%host', client_ref = '%ref' WHERE id = '%alone'",
		"a name of 33 characters":                  "UPDATE profiles SET name = '" + strings.Repeat("ж", 33) + "' WHERE id = '%profile'",
		"a language without a name":                "UPDATE profiles SET locale = '' WHERE id = '%profile'",
		"a language of 36 characters":              "UPDATE profiles SET locale = '" + strings.Repeat("x", 36) + "' WHERE id = '%profile'",
		"a deleted profile with a language":        "UPDATE profiles SET name = '', locale = 'pl', deleted = 1 WHERE id = '%profile'",
		"an erased profile that isn't deleted":     "UPDATE profiles SET erased = TRUE WHERE id = '%profile'",
		"a device of nobody":                       "UPDATE devices SET profile_id = '%nobody' WHERE profile_id = '%profile'",
		"a profile without its device's owner":     "DELETE FROM profiles WHERE id = '%profile'",
	}
	fill := strings.NewReplacer("%game", string(g.ID), "%table", string(room.ID), "%private", string(private.ID), "%alone", string(alone.ID),
		"%host", string(private.Host()), "%ref", private.ClientRef, "%profile", string(p.ID), "%nobody", newID(t),
		"%versus", string(versus.ID))
	for means, change := range changes {
		_, err := around.ExecContext(t.Context(), fill.Replace(change))
		require.Error(t, err, means)
	}

	for _, change := range []string{ // what can be, it takes
		"UPDATE tables SET status = 'between_games', next_first = 2 WHERE id = '%table'",
		"UPDATE tables SET status = 'closed', reason = 'abandoned', next_first = NULL WHERE id = '%table'",
		"UPDATE tables SET reason = 'a reason of next year' WHERE id = '%table'",
		"UPDATE tables SET status = 'closed', reason = 'moved', next_first = NULL, moved_to = '%table' WHERE id = '%alone'",
		"UPDATE profiles SET name = '" + strings.Repeat("ж", 32) + "', locale = 'pl' WHERE id = '%profile'",
		"UPDATE profiles SET locale = '" + strings.Repeat("x", 35) + "' WHERE id = '%profile'",
	} {
		done, err := around.ExecContext(t.Context(), fill.Replace(change))
		require.NoError(t, err, change)
		requireOneRow(t, done)
	}
}

func (conformance) TestDatabaseRefusesAHashOfAnotherLength(t *testing.T, db *testkit.Database) {
	p := guest(t, db, "Ola")
	insert := "INSERT INTO devices (id, profile_id, token_hash, created) VALUES ($1, $2, $3, 0)"
	for _, length := range []int{0, 31, 33} {
		_, err := db.SQL(t).ExecContext(t.Context(), insert, newID(t), string(p.ID), make([]byte, length))
		require.Error(t, err)
	}
}

func (conformance) TestDamagedTimesOfAGameAreAnErrorAndNoPanic(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	saved(t, db, g, "44")
	exec(t, db.SQL(t), "UPDATE games SET took = 'x,,' WHERE id = '"+string(g.ID)+"'")
	_, err := db.Open(t).Game(t.Context(), g.ID)
	require.ErrorContains(t, err, string(g.ID))
}

func exec(tb testing.TB, db *sql.DB, statement string) {
	tb.Helper()
	_, err := db.ExecContext(context.WithoutCancel(tb.Context()), statement)
	require.NoError(tb, err, statement)
}

func requireOneRow(tb testing.TB, done sql.Result) {
	tb.Helper()
	changed, err := done.RowsAffected()
	require.NoError(tb, err)
	require.Equal(tb, int64(1), changed)
}
