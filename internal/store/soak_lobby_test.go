//go:build soak

package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// room fills a database by SQL: %p players, each the host of a public table; %g more tables are closed, with a game. Of
// the tables half are played at; of those that wait nine in ten are deserted, and the others' hosts were here at %now.
// Most of the deserted ones are off the list already. One in twenty is ranked, one in thirty has a clock.
const room = `
INSERT INTO profiles (id, name, created) SELECT md5('p' || i)::uuid, 'Player ' || i, i FROM generate_series(1, %p) AS i;
INSERT INTO tables (id, version, status, reason, visibility, ranked, settings_version, settings,
	move_time_limit_seconds, cover_grace_seconds, seat1_profile, seat1_name, seat1_left, seat1_wins, seat2_left, seat2_wins, draws, created, active, listed)
SELECT md5('t' || i)::uuid, 1, CASE WHEN i <= %p THEN 'waiting' ELSE 'closed' END, CASE WHEN i > %p THEN 'idle' END, 'public', (i / 3) % 20 = 0,
	1, CASE WHEN (i / 7) % 30 = 0 THEN '%clocked' ELSE '%settings' END, CASE WHEN (i / 7) % 30 = 0 THEN 30 ELSE 0 END, 30, md5('p' || (i % %p + 1))::uuid, 'Ola',
	FALSE, 0, FALSE, 0, 0, i, i, i % 20 < 2 OR i % 400 = 7
FROM generate_series(1, %p + %g) AS i;
INSERT INTO seat_presence (table_id, seat, last_seen, said_away)
SELECT md5('t' || i)::uuid, 1, CASE WHEN i % 20 < 2 THEN %now ELSE i END, FALSE FROM generate_series(1, %p) AS i;
INSERT INTO games (id, table_id, number, version, stamp, private, ranked, unattended, settings, hinted,
	red_seat, red_kind, red_profile, red_name, red_rating, red_presence, red_rematch,
	yellow_seat, yellow_kind, yellow_profile, yellow_name, yellow_rating, yellow_presence, yellow_rematch, moves, movers, took,
	status, outcome, table_done, started, turn_started, timed_out, finished, rating_reason)
SELECT md5('g' || i)::uuid, md5('t' || i)::uuid, 1, 1, i, FALSE, i % 200 < 2, FALSE, '%settings', 0,
	1, 'human', md5('p' || (i % %p + 1))::uuid, 'Ola', 1500000000, 0, FALSE, 2, 'human', md5('p' || ((i + 1) % %p + 1))::uuid, 'Ivan', 1500000000, 0,
	FALSE, '', '', '', CASE WHEN i <= %p THEN 'in_progress' ELSE 'finished' END, CASE WHEN i > %p THEN 'draw' END, i > %p, i, i, FALSE,
	CASE WHEN i > %p THEN i END, CASE WHEN i > %p THEN 'not_ranked' END
FROM generate_series(1, %p + %g) AS i WHERE i > %p OR i % 2 = 0;
UPDATE tables SET status = CASE WHEN tables.status = 'waiting' THEN 'playing' ELSE tables.status END, game_id = g.id, seat2_kind = 'human',
	seat2_profile = g.yellow_profile, seat2_name = 'Ivan', seat2_rating = 1500000000 FROM games g WHERE g.table_id = tables.id;
ANALYZE;`

func TestSoakTheLobbyReadsFewTablesOfMany(t *testing.T) {
	db := testkit.Postgres(t)
	now := db.Clock.Now()
	players, games := max(soak.Scaled(t, 200_000), 20_000), max(soak.Scaled(t, 400_000), 40_000) // a planner rightly reads little tables whole
	clocked := defaults()
	clocked.MoveTimeLimit = 30 * time.Second
	filled := strings.NewReplacer("%p", fmt.Sprint(players), "%g", fmt.Sprint(games), "%now", fmt.Sprint(now.UnixMicro()),
		"%settings", defaults().Document(), "%clocked", clocked.Document()).Replace(room)
	_, err := db.SQL(t).ExecContext(t.Context(), filled)
	require.NoError(t, err)
	began := time.Now()
	require.NoError(t, db.Store.UnlistDeserted(t.Context(), now, time.Time{}))
	t.Logf("%d deserted tables were taken off the list in %s", players/400, time.Since(began))
	began = time.Now()
	require.NoError(t, db.Store.UnlistDeserted(t.Context(), now, time.Time{}))
	t.Logf("and the next time in %s", time.Since(began))
	_, err = db.SQL(t).ExecContext(t.Context(), "ANALYZE tables")
	require.NoError(t, err)

	for _, limit := range []int{20, 100} {
		for _, l := range lobbies(service.Place{At: time.UnixMicro(int64(players / 2)).UTC(), ID: newID(t)}) {
			l.Limit, l.Now = limit+1, now
			plan, err := db.Store.PlanLobby(t.Context(), l)
			assertShort(t, fmt.Sprintf("%+v", l), limit, plan, err)
		}
	}
	found, err := db.Store.PublicTables(t.Context(), service.Lobby{Status: table.Waiting, Limit: 50, Now: now})
	require.NoError(t, err)
	assert.Len(t, found, 50)
}

// lobbies are the lists with all kinds of filters, from the top and from a place on.
func lobbies(place service.Place) (all []service.Lobby) {
	for _, status := range []table.Status{table.Waiting, table.Playing} {
		for _, ranked := range []*bool{nil, new(true), new(false)} {
			for _, clock := range []*time.Duration{nil, new(30 * time.Second), new(time.Duration(0))} {
				l := service.Lobby{Status: status, Ranked: ranked, MoveTimeLimit: clock}
				below := l
				below.After = place
				all = append(all, l, below)
			}
		}
	}
	return all
}
