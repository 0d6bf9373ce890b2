package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// oldID is an id that doesn't change from run to run.
func oldID(kind string, n int) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s %d", kind, n)).String()
}

// oldGame is a finished game of before there were ratings.
type oldGame struct {
	red, yellow        int // players; 0 is the CPU
	winner             string
	ranked, unattended bool
}

// insert stores the game and its table as they were in the schema's first version.
func (o oldGame) insert(tb testing.TB, around *sql.DB, n int) {
	tb.Helper()
	quoted := func(text string) string { return "'" + text + "'" }
	who := func(player int) (kind, id, name, level string) {
		if player == 0 {
			return "'cpu'", "NULL", "NULL", "'easy'"
		}
		return "'human'", quoted(oldID("profile", player)), "'Ola'", "NULL"
	}
	outcome, winner, by := "'win'", quoted(o.winner), "'line'"
	if o.winner == "" {
		outcome, winner, by = "'draw'", "NULL", "NULL"
	}
	_, redID, redName, _ := who(o.red)
	kind, id, name, level := who(o.yellow)
	rules := "TRUE, 'seat_order', 0, TRUE, 'cpu_move', TRUE, 30, 'medium'"
	const ruleColumns = "alternate_first_move, first_player, move_time_limit_seconds, end_dead_positions, on_timeout, cpu_cover, cover_grace_seconds, cover_level"
	exec(tb, around, fmt.Sprintf(`INSERT INTO tables (id, version, status, reason, visibility, ranked, settings_version, %s,
seat1_profile, seat1_name, seat1_left, seat1_wins, seat2_kind, seat2_profile, seat2_name, seat2_level, seat2_left, seat2_wins, draws, created, active)
VALUES ('%s', 3, 'closed', 'idle', 'public', %t, 1, %s, %s, 'Ola', FALSE, 0, %s, %s, %s, %s, FALSE, 0, 0, 1, 1)`,
		ruleColumns, oldID("table", n), o.ranked, rules, redID, kind, id, name, level))
	exec(tb, around, fmt.Sprintf(`INSERT INTO games (id, table_id, number, version, private, ranked, unattended, %s,
red_seat, red_kind, red_profile, red_name, red_presence, red_rematch, yellow_seat, yellow_kind, yellow_profile, yellow_name, yellow_level,
yellow_presence, yellow_rematch, moves, movers, took, ply, status, outcome, winner, ended_by, table_done, started, turn_started, timed_out, finished)
VALUES ('%s', '%s', 1, 2, FALSE, %t, %t, %s, 1, 'human', %s, %s, 0, FALSE, 2, %s, %s, %s, %s, 0, FALSE, '12', 'hh', '1,1,', 2,
'finished', %s, %s, %s, TRUE, 1, 1, FALSE, %d)`,
		ruleColumns, oldID("game", n), oldID("table", n), o.ranked, o.unattended, rules, redID, redName, kind, id, name, level, outcome, winner, by, n))
}

// migratedTo brings an empty database to an old version of the schema and returns the way around the store.
func migratedTo(t *testing.T, db *testkit.Database, version int64) *sql.DB {
	t.Helper()
	around := db.SQL(t)
	_, err := oldMigrator(t, db).UpTo(t.Context(), version)
	require.NoError(t, err)
	return around
}

func TestGamesOfBeforeThereWereRatingsAreCounted(t *testing.T) {
	t.Parallel()
	testkit.OnBothEmptyDatabases(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		around := migratedTo(t, db, 1)
		for player := range 3 {
			exec(t, around, fmt.Sprintf("INSERT INTO profiles (id, name, created) VALUES ('%s', 'Ola', 1)", oldID("profile", player+1)))
		}
		const red, yellow = "red", "yellow"
		for n, old := range []oldGame{
			{red: 1, yellow: 2, winner: red},
			{red: 2, yellow: 1, winner: yellow, ranked: true},
			{red: 1, yellow: 0, winner: yellow},
			{red: 1, yellow: 2, winner: red, ranked: true, unattended: true},
			{red: 1, yellow: 2, winner: red},
			{red: 1, yellow: 2},
			{red: 1, yellow: 2, winner: red, ranked: true},
			{red: 1, yellow: 0, winner: red},
		} {
			old.insert(t, around, n+1)
		}

		require.NoError(t, db.Store.Migrate(t.Context()))

		first, second, third := profile.Newcomer(), profile.Newcomer(), profile.Newcomer()
		first.Games, second.Games = 8, 6
		first.People, second.People = profile.Tally{Wins: 4, Draws: 1}, profile.Tally{Losses: 4, Draws: 1}
		first.Ranked, second.Ranked = profile.Tally{Wins: 2}, profile.Tally{Losses: 2}
		first.CPU = profile.Tally{Wins: 1, Losses: 1}
		first.Streak = profile.Streak{Current: 1, Longest: 3}
		for i, want := range []profile.Standing{first, second, third} {
			assert.Equal(t, want, standing(t, db, profile.Profile{ID: profile.ID(oldID("profile", i+1))}), "player %d", i+1)
		}
		reasons := make([]string, 0, 8)
		for n := range 8 {
			g, err := db.Store.Game(t.Context(), game.ID(oldID("game", n+1)))
			require.NoError(t, err)
			reasons = append(reasons, string(g.Rating.Reason))
			assert.Equal(t, profile.FirstRating, g.Red.Rating)
			assert.Equal(t, g.VersusCPU(), g.Yellow.Rating == 0)
		}
		assert.Equal(t, "not_ranked before_ratings cpu_opponent unattended not_ranked not_ranked before_ratings cpu_opponent", strings.Join(reasons, " "))
	})
}
