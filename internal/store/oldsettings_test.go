package store_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
	old "github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// otherOptions are settings that no default is among, as the columns of before had them.
const otherOptions = `alternate_first_move = FALSE, first_player = 'random', move_time_limit_seconds = 60, end_dead_positions = FALSE,
on_timeout = 'loss', cpu_cover = FALSE, cover_grace_seconds = 120, cover_level = 'perfect'`

// What stood in eight columns stands in one document, in games and at tables, and what refers to them still does.
func TestSettingsOfBeforeAreCarriedOverIntoDocuments(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"0005", "0007"} { // later ones have documents
		for file, restored := range map[string]func(testing.TB, []byte) *testkit.Database{
			old.SQLite: testkit.RestoredSQLite, old.Postgres: testkit.RestoredPostgres,
		} {
			t.Run(folder+" "+file, func(t *testing.T) {
				t.Parallel()
				content, err := old.Unpack(filepath.Join("..", "..", "migrations", "testdata", folder, file))
				require.NoError(t, err)
				becomeDocuments(t, restored(t, content))
			})
		}
	}
}

func becomeDocuments(t *testing.T, db *testkit.Database) {
	t.Helper()
	around := db.SQL(t)
	was := map[string]map[string]game.Settings{}
	for _, of := range []string{"games", "tables"} {
		exec(t, around, "UPDATE "+of+" SET "+otherOptions+" WHERE id = (SELECT id FROM "+of+" ORDER BY id LIMIT 1)")
		was[of] = oldSettings(t, around, of)
	}
	due := timersOf(t, around)

	require.NoError(t, db.Store.Migrate(t.Context()))

	for of, settings := range was {
		documents := pairs(t, around, "SELECT id, settings FROM "+of)
		assert.Len(t, documents, len(settings))
		for id, s := range settings {
			assert.Equal(t, s.Document(), documents[id], "%s %s", of, id)
		}
	}
	for id, s := range was["games"] {
		g, err := db.Store.Game(t.Context(), game.ID(id))
		require.NoError(t, err)
		assert.Equal(t, s, g.Settings)
	}
	for id, s := range was["tables"] {
		found, err := db.Store.Table(t.Context(), table.ID(id))
		require.NoError(t, err)
		assert.Equal(t, s, found.Settings)
	}
	assert.Equal(t, due, timersOf(t, around))
	assert.Positive(t, len(due))
	var stamps int
	require.NoError(t, around.QueryRowContext(t.Context(), "SELECT count(DISTINCT stamp) FROM games").Scan(&stamps))
	assert.Equal(t, len(was["games"]), stamps, "each game has its own")
	if isSQLite(db) {
		var broken int
		require.NoError(t, around.QueryRowContext(t.Context(), "SELECT count(*) FROM pragma_foreign_key_check").Scan(&broken))
		assert.Zero(t, broken, "rows that refer to none")
	}
}

// oldSettings reads the settings of games or tables, by their ids, from the columns of before.
func oldSettings(t *testing.T, around *sql.DB, of string) map[string]game.Settings {
	t.Helper()
	rows, err := around.QueryContext(t.Context(), `SELECT id, alternate_first_move, first_player, move_time_limit_seconds, end_dead_positions,
on_timeout, cpu_cover, cover_grace_seconds, cover_level FROM `+of)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	all := map[string]game.Settings{}
	for rows.Next() {
		var (
			id           string
			s            game.Settings
			limit, grace int
		)
		require.NoError(t, rows.Scan(&id, &s.AlternateFirstMove, &s.FirstPlayer, &limit, &s.EndDeadPositions, &s.OnTimeout, &s.CPUCover, &grace, &s.CoverLevel))
		s.MoveTimeLimit, s.CoverGrace = time.Duration(limit)*time.Second, time.Duration(grace)*time.Second
		all[id] = s
	}
	require.NoError(t, rows.Err())
	return all
}

// timersOf reads when which game is due.
func timersOf(t *testing.T, around *sql.DB) map[string]string {
	t.Helper()
	return pairs(t, around, "SELECT game_id, due FROM game_timers")
}

// pairs reads the rows of two columns.
func pairs(t *testing.T, around *sql.DB, query string) map[string]string {
	t.Helper()
	rows, err := around.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	all := map[string]string{}
	for rows.Next() {
		var key, value string
		require.NoError(t, rows.Scan(&key, &value))
		all[key] = value
	}
	require.NoError(t, rows.Err())
	return all
}
