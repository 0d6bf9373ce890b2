//go:build soak

package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// crowd fills a database by SQL: %p players and %g games. Player 1 has a tenth of all games: many more of some kinds
// than of others, so that whoever looks for the rare ones could read past many. Half of all players are on the
// leaderboard.
const crowd = `
SET session_replication_role = replica; -- what refers to what is right, and checking it takes most of the time
INSERT INTO profiles (id, name, created, games, rated, opponents, rating)
SELECT md5('p' || i)::uuid, 'Player ' || i, i, 20, CASE WHEN i % 2 = 0 THEN 20 ELSE 5 END, 7, 1000000000 + (i::bigint * 7919) % 1000000000
FROM generate_series(1, %p) AS i;
INSERT INTO tables (id, version, status, reason, visibility, ranked, settings_version, settings,
	move_time_limit_seconds, cover_grace_seconds, seat1_profile, seat1_name, seat1_left, seat1_wins, seat2_left, seat2_wins, draws, created, active)
SELECT md5('t' || i)::uuid, 1, 'closed', 'idle', 'public', FALSE, 1, '%settings', 0, 30,
	md5('p' || i)::uuid, 'Ola', FALSE, 0, FALSE, 0, 0, i, i
FROM generate_series(1, %p / 100) AS i;
INSERT INTO games (id, table_id, number, version, stamp, private, ranked, unattended, settings, hinted,
	red_seat, red_kind, red_profile, red_name, red_rating, red_presence, red_rematch,
	yellow_seat, yellow_kind, yellow_profile, yellow_name, yellow_rating, yellow_presence, yellow_rematch, moves, movers, took,
	status, outcome, winner, ended_by, table_done, started, turn_started, timed_out, finished, rating_reason, red_before, red_after, yellow_before, yellow_after)
SELECT md5('g' || i)::uuid, md5('t' || (i % (%p / 100) + 1))::uuid, i / (%p / 100) + 1, 8, i, private, ranked, FALSE, '%settings', 0,
	1, 'human', md5('p' || red)::uuid, 'Ola', 1500000000, 0, FALSE, 2, 'human', md5('p' || yellow)::uuid, 'Ivan',
	1500000000, 0, FALSE, '1213141', 'hhhhhhh', '1,1,1,1,1,1,1,', 'finished', CASE WHEN drawn THEN 'draw' ELSE 'win' END,
	CASE WHEN drawn THEN NULL ELSE 'red' END, CASE WHEN drawn THEN NULL ELSE 'line' END, TRUE, i, i, FALSE, i,
	CASE WHEN ranked THEN 'rated' ELSE 'not_ranked' END, CASE WHEN ranked THEN 1500000000 END, CASE WHEN ranked THEN 1500000000 END,
	CASE WHEN ranked THEN 1500000000 END, CASE WHEN ranked THEN 1500000000 END
FROM (SELECT i, CASE WHEN i % 10 = 0 THEN 1 ELSE 2 + (i * 31) % (%p - 2) END AS red,
	CASE WHEN i % 1000 = 0 THEN 7 WHEN i % 10 = 0 THEN 2 + i % 5 ELSE 2 + (i * 31 + 1) % (%p - 2) END AS yellow,
	i % 3 <> 0 AS private, i % 4 <> 0 AS ranked, i % 20000 = 0 AS drawn FROM generate_series(1, %g) AS i) AS made;
INSERT INTO profile_games (profile_id, n, game_id, opponent_id, class)
SELECT profile_id, row_number() OVER (PARTITION BY profile_id ORDER BY finished), id, opponent_id, class FROM (
	SELECT red_profile AS profile_id, yellow_profile AS opponent_id, id, finished, CASE WHEN outcome = 'draw' THEN 12 ELSE 4 END
		+ CASE WHEN ranked THEN 2 ELSE 0 END + CASE WHEN private THEN 1 ELSE 0 END AS class FROM games
	UNION ALL SELECT yellow_profile, red_profile, id, finished, CASE WHEN outcome = 'draw' THEN 12 ELSE 8 END
		+ CASE WHEN ranked THEN 2 ELSE 0 END + CASE WHEN private THEN 1 ELSE 0 END FROM games
) AS sides;
INSERT INTO rating_changes (profile_id, n, game_id, opponent_id, before, after, changed)
SELECT profile_id, row_number() OVER (PARTITION BY profile_id ORDER BY n), game_id, opponent_id, 1500000000, 1500000000, n
FROM profile_games WHERE class & 2 = 2;
SET session_replication_role = DEFAULT;
ANALYZE;`

// node is a step of a plan.
type node struct {
	Kind    string  `json:"Node Type"`
	Table   string  `json:"Relation Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Recheck float64 `json:"Rows Removed by Index Recheck"`
	Plans   []node  `json:"Plans"`
}

// rowsRead counts what a plan read from tables and indexes.
func (n node) rowsRead() float64 {
	read := 0.0
	if n.Table != "" {
		read = (n.Rows + n.Removed + n.Recheck) * n.Loops
	}
	for _, below := range n.Plans {
		read += below.rowsRead()
	}
	return read
}

// assertShort fails when a plan reads more than three times as many rows as a page has.
func assertShort(t *testing.T, what string, limit int, plan store.Plan, err error) {
	t.Helper()
	require.NoError(t, err, what)
	var top []struct{ Plan node }
	require.NoError(t, json.Unmarshal([]byte(plan.JSON), &top), plan.JSON)
	read := top[0].Plan.rowsRead()
	t.Logf("%s, %d a page: %.0f rows read", what, limit, read)
	assert.LessOrEqual(t, read, float64(3*limit), "%s, %d a page:\n%s", what, limit, plan.JSON)
}

// filtersOf are all filters of a player's games with some opponents.
func filtersOf(who profile.ID, opponents ...profile.ID) []service.GameFilter {
	var filters []service.GameFilter
	for _, opponent := range opponents {
		for _, result := range []profile.Result{profile.NoResult, profile.Won, profile.Lost, profile.Drawn} {
			for _, ranked := range []*bool{nil, new(true), new(false)} {
				filters = append(filters,
					service.GameFilter{Of: who, Opponent: opponent, Result: result, Ranked: ranked, Private: true},
					service.GameFilter{Of: who, Opponent: opponent, Result: result, Ranked: ranked, Private: false})
			}
		}
	}
	return filters
}

func TestSoakListsReadFewRowsOfMany(t *testing.T) {
	db := testkit.Postgres(t)
	players, games := max(soak.Scaled(t, 200_000), 2000), max(soak.Scaled(t, 500_000), 5000)
	seeding := db.SQL(t)
	_, err := seeding.ExecContext(t.Context(), strings.NewReplacer("%p", fmt.Sprint(players), "%g", fmt.Sprint(games),
		"%settings", defaults().Document()).Replace(crowd))
	require.NoError(t, err)
	began := time.Now()
	require.NoError(t, db.Store.MakeLeaderboard(t.Context(), db.Clock.Now(), db.Clock.Now()))
	t.Logf("the leaderboard of %d players was made in %s", players/2, time.Since(began))
	began = time.Now()
	require.NoError(t, db.Store.MakeLeaderboard(t.Context(), db.Clock.Now(), db.Clock.Now()))
	t.Logf("and again in %s", time.Since(began))
	_, err = seeding.ExecContext(t.Context(), "ANALYZE leaderboard")
	require.NoError(t, err)

	player := func(n int) profile.ID {
		var id profile.ID
		require.NoError(t, seeding.QueryRowContext(t.Context(), fmt.Sprintf("SELECT md5('p%d')::uuid", n)).Scan(&id))
		return id
	}
	busy := player(1)
	const shown = 20
	filters := filtersOf(busy, "", player(2), player(7), player(9))
	for _, limit := range []int{shown, 100} {
		for _, before := range []int64{1 << 30, int64(games / 20)} {
			for _, f := range filters {
				plan, err := db.Store.PlanGames(t.Context(), f, before, limit+1)
				assertShort(t, fmt.Sprintf("games of %+v before %d", f, before), limit, plan, err)
			}
			plan, err := db.Store.PlanRatings(t.Context(), string(busy), before, limit+1)
			assertShort(t, fmt.Sprintf("ratings before %d", before), limit, plan, err)
		}
		plan, err := db.Store.PlanLeaders(t.Context(), nil, limit+1)
		assertShort(t, "the top of the leaderboard", limit, plan, err)
		plan, err = db.Store.PlanLeaders(t.Context(), &service.LeaderPlace{Rating: 1_500_000_000, Profile: busy}, limit+1)
		assertShort(t, "the middle of the leaderboard", limit, plan, err)
		above, below, err := db.Store.PlanLeadersAround(t.Context(), service.LeaderPlace{Rating: 1_500_000_000, Profile: busy}, limit/2)
		assertShort(t, "the leaderboard above a player", limit/2, above, err)
		assertShort(t, "the leaderboard from a player on", limit/2, below, err)
	}
}
