package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// leavingStore sees which pages of exports are read.
type leavingStore struct {
	service.LeavingStore

	mu     sync.Mutex
	games  []int                // in the pages of games
	tables []int                // in those of tables
	before func(page int) error // happens before the page of games with this number, from 1, is read; nil: nothing
}

// GamesAt reads a page of games.
func (s *leavingStore) GamesAt(ctx context.Context, places []service.Place) ([]game.Game, error) {
	s.mu.Lock()
	s.games = append(s.games, len(places))
	page, before := len(s.games), s.before
	s.mu.Unlock()
	if before != nil {
		if err := before(page); err != nil {
			return nil, err
		}
	}
	return s.LeavingStore.GamesAt(ctx, places)
}

// TablesAt reads a page of tables.
func (s *leavingStore) TablesAt(ctx context.Context, places []service.Place) ([]table.Table, error) {
	s.mu.Lock()
	s.tables = append(s.tables, len(places))
	s.mu.Unlock()
	return s.LeavingStore.TablesAt(ctx, places)
}

// seen returns how many pages of games were read.
func (s *leavingStore) seen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.games)
}

// watched lets a test see the pages of exports.
func watched(s *leavingStore) option {
	return func(w *world) {
		w.wired(func(o *service.Outside) { s.LeavingStore, o.Leaving = o.Leaving, s })
	}
}

// many stores 250 copies of a game and its table, around the store.
func (m match) many(t *testing.T) {
	t.Helper()
	tx, err := m.red.world.db.SQL(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	copied := func(table, id string, other map[string]string) {
		none, err := tx.QueryContext(t.Context(), "SELECT * FROM "+table+" WHERE 1 = 0")
		require.NoError(t, err)
		defer none.Close()
		columns, err := none.Columns()
		require.NoError(t, err)
		require.False(t, none.Next())
		require.NoError(t, none.Err())
		values := slices.Clone(columns)
		for i, c := range columns {
			if value, changed := other[c]; changed {
				values[i] = value
			}
		}
		_, err = tx.ExecContext(t.Context(),
			"INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") SELECT "+strings.Join(values, ", ")+" FROM "+table+" WHERE id = $1", id)
		require.NoError(t, err)
	}
	for i := range 250 {
		newID := func() string {
			id, err := uuid.NewV7()
			require.NoError(t, err)
			return "'" + id.String() + "'"
		}
		copied("games", m.game.String(), map[string]string{"id": newID(), "number": fmt.Sprint(i + 100)})
		copied("tables", m.table.ID.String(), map[string]string{
			"id": newID(), "status": "'closed'", "reason": "'host_left'", "game_id": "NULL", "next_first": "NULL", "client_ref": "NULL",
		})
	}
	require.NoError(t, tx.Commit())
}

// exporting asks for an export as a client that gets whatever comes, and returns the answer with what ended its body.
func (p player) exporting(t *testing.T) (answer, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.world.url+"/v1/me/export", http.NoBody)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+p.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{status: response.StatusCode, header: response.Header, body: body}, err
}

func TestAnExportIsReadPageByPage(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		store := &leavingStore{LeavingStore: nil}
		w := serve(t, db, watched(store))
		m := w.match(t, public)
		m.play(t, redWins)
		m.many(t)
		db.Statements.Reset()
		got, err := m.yellow.exporting(t)
		require.NoError(t, err)
		all := decode[api.PlayerExport](t, got, http.StatusOK)
		counts := db.Statements.Reset()
		require.Len(t, all.Games, 251)
		require.Len(t, all.Tables, 251)
		ids := map[uuid.UUID]bool{}
		for i, g := range all.Games {
			ids[g.ID] = true
			assert.Equal(t, g.ID, all.Moves[i].GameID, "in the same order")
			assert.Len(t, all.Moves[i].Items, len(redWins))
		}
		assert.Len(t, ids, 251)
		assert.True(t, slices.IsSortedFunc(all.Tables, func(a, b api.ExportedTable) int {
			return b.Table.CreatedAt.Compare(a.Table.CreatedAt)
		}))
		assert.Equal(t, []int{100, 100, 51, 100, 100, 51}, store.games, "once for the games and once for their moves")
		assert.Equal(t, []int{100, 100, 51}, store.tables)
		const pages, lists = 9, 3
		assert.LessOrEqual(t, counts.Reads, 6+lists+2*pages)
		assert.Zero(t, counts.Begins, "no transaction goes across pages")
	})
}

func TestAnExportIsReadOneAtATime(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	store := &leavingStore{before: func(int) error { <-goOn; return nil }} //nolint:exhaustruct // nothing was read yet
	w := serve(t, testkit.SQLite(t), watched(store), configured("EXPORTS_AT_ONCE=2"))
	first, second, third := w.match(t, public), w.match(t, public), w.match(t, public)
	for _, m := range []match{first, second, third} {
		m.play(t, redWins)
	}
	phone := first.red.another(t)
	answers := make(chan answer, 2)
	for i, p := range []player{first.red, second.red} {
		go func() { answers <- p.get(t, "/v1/me/export") }()
		require.Eventually(t, func() bool { return store.seen() > i }, soon, time.Millisecond)
	}
	for range 20 {
		for _, p := range []player{first.red, phone, third.red} {
			w.db.Clock.Advance(time.Second)
			refused := p.get(t, "/v1/me/export")
			require.Equal(t, http.StatusTooManyRequests, refused.status)
			assert.Contains(t, refused.problem(t).Detail, "exports_at_once: ")
			assert.EqualValues(t, 5000, *refused.problem(t).RetryAfterMs)
		}
	}
	assert.Equal(t, 2, store.seen(), "who is refused reads nothing")
	close(goOn)
	for range 2 {
		assert.Equal(t, http.StatusOK, within(t, answers).status)
	}
	for _, p := range []player{phone, third.red} {
		assert.Equal(t, http.StatusOK, p.get(t, "/v1/me/export").status, "what was refused costs none of the budget")
	}
}

func TestAProfileMayReadOnlySoManyExports(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill, configured("RATE_EXPORTS_PER_HOUR=2"))
	p, other := w.guest(t, "Ola"), w.guest(t, "Иван")
	phone := p.another(t)
	require.Equal(t, http.StatusOK, p.get(t, "/v1/me/export").status)
	require.Equal(t, http.StatusOK, phone.get(t, "/v1/me/export").status)
	refused := p.get(t, "/v1/me/export")
	assert.Contains(t, refused.problem(t).Detail, "exports_per_hour: ")
	assert.EqualValues(t, 30*60*1000, *refused.problem(t).RetryAfterMs)
	assert.Equal(t, http.StatusOK, other.get(t, "/v1/me/export").status)
	w.db.Clock.Advance(30 * time.Minute)
	assert.Equal(t, http.StatusOK, p.get(t, "/v1/me/export").status)
}

func TestAnExportThatFailsHalfwayIsBrokenOff(t *testing.T) {
	t.Parallel()
	var fails int // the page that can't be read
	store := &leavingStore{}
	store.before = func(page int) error {
		if page == fails {
			return errors.New("the disk is on fire")
		}
		return nil
	}
	w := serve(t, testkit.SQLite(t), watched(store))
	m := w.match(t, public)
	m.play(t, redWins)
	m.many(t)

	fails = 1
	failed := m.red.get(t, "/v1/me/export")
	assert.Equal(t, "internal", failed.problem(t).Code, "nothing was sent yet")

	fails = store.seen() + 3
	got, err := m.red.exporting(t)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "it doesn't end as if it were whole")
	assert.Equal(t, http.StatusOK, got.status)
	assert.Equal(t, 2, strings.Count(w.log.String(), "the disk is on fire"), "once for each")
	assert.Contains(t, w.log.String(), `"operation":"exportMe","status":500`)
	assert.NotContains(t, w.log.String(), `"operation":"exportMe","status":200`)

	fails = 0
	got, err = m.red.exporting(t)
	require.NoError(t, err)
	assert.Len(t, decode[api.PlayerExport](t, got, http.StatusOK).Games, 251, "it can be asked for again")
}

func TestAnExportEndsWithItsToken(t *testing.T) {
	t.Parallel()
	store := &leavingStore{}
	w := serve(t, testkit.SQLite(t), watched(store))
	m := w.match(t, public)
	m.play(t, redWins)
	m.many(t)
	phone := m.red.another(t)
	store.before = func(page int) error {
		if page == 2 {
			m.red.revokes(t, m.red.device(t, false).ID)
		}
		return nil
	}
	got, err := phone.exporting(t)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, http.StatusOK, got.status)
	assert.Equal(t, 2, store.seen())
	assert.NotContains(t, w.log.String(), "a request failed")
}
