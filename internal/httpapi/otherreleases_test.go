package httpapi_test

import (
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// reporting serves with a log of the store, and another release beside it, which a file that is served alone doesn't have.
func reporting(t *testing.T, db *testkit.Database) (w *world, told *lines) {
	t.Helper()
	told = &lines{}
	db.Store = db.Open(t, func(o *store.Options) { o.Logger, o.Alone = slog.New(slog.NewTextHandler(told, nil)), false })
	w = serve(t, db, calm)
	checked, _ := w.http.Transport.(*checkedTransport)
	checked.another = []string{"coin", "loser"}
	return w, told
}

// onBothBesideAnotherRelease is onBoth with that log.
func onBothBesideAnotherRelease(t *testing.T, test func(t *testing.T, w *world, told *lines)) {
	t.Helper()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		w, told := reporting(t, db)
		test(t, w, told)
	})
}

// tamper changes the database past the service.
func (w *world) tamper(t *testing.T, statement string, args ...any) {
	t.Helper()
	_, err := w.db.SQL(t).ExecContext(t.Context(), statement, args...)
	require.NoError(t, err, statement)
}

// writes lets another release write one setting otherwise, in a game, or a table: as JSON.
func (w *world) writes(t *testing.T, table string, id uuid.UUID, was, is string) {
	t.Helper()
	stamp := ""
	if table == "games" {
		stamp = ", stamp = stamp / 2 + 1"
	}
	w.tamper(t, "UPDATE "+table+" SET settings = replace(settings, $1, $2), version = version + 1"+stamp+" WHERE id = $3", was, is, id.String())
	assert.Contains(t, w.document(t, table, id), is)
}

// document is what is stored of the settings.
func (w *world) document(t *testing.T, table string, id uuid.UUID) (document string) {
	t.Helper()
	require.NoError(t, w.db.SQL(t).QueryRowContext(t.Context(), "SELECT settings FROM "+table+" WHERE id = $1", id.String()).Scan(&document))
	return document
}

// unread fails the test when something can't be read.
func unread(t *testing.T) func(string) {
	t.Helper()
	return func(what string) { assert.Fail(t, "not read: "+what) }
}

// wrong returns what verify finds.
func (w *world) wrong(t *testing.T) string {
	t.Helper()
	var found []string
	_, err := service.NewVerifier(w.db.Store, func(d service.Difference) { found = append(found, d.String()) }, unread(t), func(service.Verified) {}).Run(t.Context())
	require.NoError(t, err)
	return strings.Join(found, "\n")
}

func TestAGameWithAnotherReleasesSettingIsShownAndNotChanged(t *testing.T) {
	t.Parallel()
	w, _ := reporting(t, testkit.SQLite(t))
	m := w.match(t, `{"visibility":"public","settings":{"move_time_limit_seconds":30}}`)
	m.play(t, "44")
	w.writes(t, "games", m.game, `"on_timeout":"cpu_move","cpu_cover":"on"`, `"on_timeout":"coin","cpu_cover":"sometimes"`)
	document := w.document(t, "games", m.game)

	shown := m.red.reads(t, m.game)
	assert.Equal(t, "coin", shown.Settings.OnTimeout, "as it stands")
	assert.True(t, shown.Settings.CPUCover, "what is no boolean is shown as the standard default")
	assert.False(t, shown.CanMove)
	assert.Equal(t, "44", shown.Moves)
	for what, refused := range map[string]answer{
		"a move":      m.red.move(t, m.game, 4, 3),
		"a hint":      m.red.post(t, gamePath(m.game)+"/hint", ""),
		"resigning":   m.red.post(t, gamePath(m.game)+"/resignation", ""),
		"leaving":     m.red.leaves(t, m.table.ID),
		"saying away": m.red.send(t, http.MethodPut, tablePath(m.table.ID)+"/presence", `{"state":"away"}`),
	} {
		assert.Equal(t, http.StatusServiceUnavailable, refused.status, what)
		assert.Equal(t, "unavailable", refused.problem(t).Code, what)
	}

	w.Pass(t, 90*time.Second)
	assert.Equal(t, shown.Version, m.red.reads(t, m.game).Version, "neither silence nor the clock is judged here")
	var timers int
	require.NoError(t, w.db.SQL(t).QueryRowContext(t.Context(), "SELECT count(*) FROM game_timers WHERE game_id = $1", m.game.String()).Scan(&timers))
	assert.Equal(t, 1, timers)
	assert.Equal(t, "game "+m.game.String()+` is played by cpu_cover "sometimes", which this release doesn't know`, w.wrong(t))

	m.red.leavesForGood(t)
	assert.Equal(t, "deleted", m.yellow.reads(t, m.game).Red.Kind)
	assert.JSONEq(t, document, w.document(t, "games", m.game))

	w.writes(t, "games", m.game, `"on_timeout":"coin"`, `"on_timeout":"cpu_move"`)
	w.writes(t, "games", m.game, `"cpu_cover":"sometimes"`, `"cpu_cover":"on"`)
	w.Pass(t, time.Minute)
	assert.Equal(t, "cpu", *m.yellow.reads(t, m.game).Red.Controller, "who understands it judges it")
}

func TestATableWithAnotherReleasesSettingBeginsNoGame(t *testing.T) {
	t.Parallel()
	w, _ := reporting(t, testkit.SQLite(t))
	ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
	table := ola.opens(t, public)
	w.writes(t, "tables", table.ID, `"first_player":"seat_order"`, `"first_player":"loser"`)
	assert.Equal(t, "loser", ola.looks(t, table.ID).Settings.FirstPlayer)
	assert.Equal(t, []uuid.UUID{table.ID}, w.tablesIn(t, ""))
	assert.Equal(t, http.StatusServiceUnavailable, ivan.send(t, http.MethodPost, tablePath(table.ID)+"/seats", "{}").status)
	assert.Equal(t, http.StatusServiceUnavailable, ola.edits(t, table.ID, `{"settings_version":1,"settings":{"cpu_cover":false}}`).status)

	edited := decode[api.GameTable](t, ola.edits(t, table.ID, `{"settings_version":1,"settings":{"first_player":"random"}}`), http.StatusOK)
	assert.Equal(t, "random", edited.Settings.FirstPlayer)
	ivan.joins(t, edited)
}

func TestARuleOfAnotherReleaseIsKeptAndTheGameGoesOn(t *testing.T) {
	t.Parallel()
	w, told := reporting(t, testkit.SQLite(t))
	m := w.match(t, public)
	for table, id := range map[string]uuid.UUID{"games": m.game, "tables": m.table.ID} {
		w.writes(t, table, id, `,"cover_level"`, `,"gravity":{"down": 1},"cover_level"`)
	}
	m.play(t, redWins)
	decode[api.GameTable](t, m.red.edits(t, m.table.ID, `{"settings_version":1,"settings":{"cpu_cover":false}}`), http.StatusOK)
	m.red.agrees(t, m.table.ID, m.game)
	next := m.yellow.agrees(t, m.table.ID, m.game)
	for table, id := range map[string]uuid.UUID{"games": *next.CurrentGameID, "tables": m.table.ID} {
		assert.Contains(t, w.document(t, table, id), `"gravity":{"down":1}`, table)
		assert.Contains(t, w.document(t, table, id), `"cpu_cover":"off"`, table)
	}
	assert.Empty(t, w.wrong(t))
	assert.Equal(t, 1, strings.Count(told.String(), "rule=gravity"), told)
}

func TestWhatCannotBeReadIsPassedOver(t *testing.T) {
	t.Parallel()
	onBothBesideAnotherRelease(t, func(t *testing.T, w *world, told *lines) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		finished := make([]match, 5)
		for i := range finished {
			finished[i] = w.meet(t, ola, ivan, public)
			finished[i].play(t, redWins)
			assert.Equal(t, http.StatusNoContent, ola.leaves(t, finished[i].table.ID).status)
			w.db.Clock.Advance(time.Second)
		}
		running, broken := w.meet(t, ola, ivan, public), w.meet(t, ola, ivan, public)
		ruin := func(m match, change string) {
			w.tamper(t, "UPDATE games SET version = version + 1, stamp = stamp / 2 + 1, "+change+" WHERE id = $1", m.game.String())
		}
		ruin(finished[1], "settings = '[]'")
		ruin(finished[2], "took = 'x'")
		ruin(finished[3], "moves = '9' || substr(moves, 2)")
		ruin(broken, "settings = '{'")

		for _, m := range append(finished[1:4:4], broken) {
			assert.Equal(t, http.StatusInternalServerError, ola.get(t, gamePath(m.game)).status)
		}
		assert.Equal(t, http.StatusInternalServerError, ola.get(t, tablePath(broken.table.ID)).status)
		require.NotContains(t, told.String(), "level=ERROR")
		for limit := 1; limit <= 3; limit++ {
			assert.Equal(t, []uuid.UUID{finished[4].game, finished[0].game}, allGames(t, w, ola, limit), "pages of %d", limit)
		}
		for _, m := range finished[1:4] {
			assert.Contains(t, told.String(), m.game.String(), "the log names what was passed over")
		}
		assert.Equal(t, []uuid.UUID{running.table.ID}, w.tablesIn(t, "?status=playing&limit=1"))
		assert.Len(t, ola.mine(t, "").Items, 1)
		exported := decode[api.PlayerExport](t, ola.get(t, "/v1/me/export"), http.StatusOK)
		assert.Len(t, exported.Games, 3)
		assert.Len(t, exported.Tables, 3, "with a game that can be read")

		w.Pass(t, 40*time.Second)
		assert.Equal(t, "away", *running.now(t).Yellow.Presence, "the worker goes on")
		found := w.wrong(t)
		for _, m := range append(finished[1:4:4], broken) {
			assert.Contains(t, found, "game "+m.game.String()+" can't be read", "verify names each")
		}
	})
}

// allGames reads all pages of a player's games.
func allGames(t *testing.T, w *world, p player, limit int) (ids []uuid.UUID) {
	t.Helper()
	path := profilePath(p, "/games?limit="+strconv.Itoa(limit))
	for next := ""; ; {
		page := decode[api.PlayedGameList](t, w.get(t, path+next), http.StatusOK)
		for _, game := range page.Items {
			ids = append(ids, game.GameID)
		}
		if page.NextCursor == nil {
			return ids
		}
		next = "&cursor=" + *page.NextCursor
	}
}
