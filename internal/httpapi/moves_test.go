package httpapi_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// The table of the contract's section on moves, row by row.
func TestAMoveIsDecidedInThisOrder(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for _, row := range moveRows {
			t.Run(row.situation, func(t *testing.T) {
				t.Parallel()
				row.check(t, w)
			})
		}
	}, configured("RATE_LIMIT=off"))
}

// moveRow is a row of the table.
type moveRow struct {
	situation   string
	moves       string // played before
	by          string // red, yellow, watcher
	column, ply int
	status      int
	code        string
}

var moveRows = []moveRow{
	{"the next move is made", "44", "red", 5, 3, http.StatusOK, ""},
	{"a move is sent again", "44", "yellow", 4, 2, http.StatusOK, ""},
	{"a move is sent again after the opponent has answered", "443", "yellow", 4, 2, http.StatusOK, ""},
	{"a move is sent again after the end", "1213141", "red", 1, 1, http.StatusOK, ""},
	{"the winning move is sent again", "1213141", "red", 1, 7, http.StatusOK, ""},
	{"a ply was made differently", "44", "yellow", 5, 2, http.StatusConflict, "stale_ply"},
	{"a ply was made by the other side", "44", "red", 4, 2, http.StatusConflict, "stale_ply"},
	{"a ply was made differently and the game is over", "1213141", "red", 3, 7, http.StatusConflict, "stale_ply"},
	{"the game is over", "1213141", "yellow", 3, 8, http.StatusConflict, "game_finished"},
	{"the game is over and the ply lies ahead", "1213141", "red", 3, 12, http.StatusConflict, "game_finished"},
	{"the ply lies ahead", "44", "red", 3, 4, http.StatusConflict, "stale_ply"},
	{"the ply lies ahead by two", "44", "red", 3, 5, http.StatusConflict, "stale_ply"},
	{"it is the other side's turn", "44", "yellow", 3, 3, http.StatusConflict, "not_your_turn"},
	{"the column is full", "444444", "red", 4, 7, http.StatusUnprocessableEntity, "column_full"},
	{"the column is full and it is the other side's turn", "444444", "yellow", 4, 7, http.StatusConflict, "not_your_turn"},
	{"a watcher tries", "44", "watcher", 3, 3, http.StatusForbidden, "not_seated"},
}

func (row moveRow) check(t *testing.T, w *world) {
	t.Helper()
	m := w.match(t, public)
	m.play(t, row.moves)
	before := m.now(t)
	by := m.red
	switch row.by {
	case "yellow":
		by = m.yellow
	case "watcher":
		by = w.guest(t, "Zofia")
	}
	answered := by.move(t, m.game, row.column, row.ply)
	require.Equal(t, row.status, answered.status, "%s", answered.body)
	after := m.now(t)
	if row.status == http.StatusOK && row.ply == int(before.Ply)+1 {
		assert.Equal(t, before.Version+1, after.Version)
		assert.EqualValues(t, row.ply, after.Ply)
		return
	}
	assert.Equal(t, before, after, "nothing has changed")
	if row.status != http.StatusOK {
		checkRefusal(t, answered.problem(t), row.code, row.by, before)
	}
}

// checkRefusal checks that a conflict carries the game as the caller sees it.
func checkRefusal(t *testing.T, p api.Problem, code, by string, g api.Game) {
	t.Helper()
	assert.Equal(t, code, p.Code)
	if by == "watcher" {
		assert.Nil(t, p.Game)
		return
	}
	require.NotNil(t, p.Game)
	assert.Equal(t, g.Version, p.Game.Version)
	assert.Equal(t, by, string(*p.Game.MySide))
}

func TestAStrangerFindsNoPrivateGame(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, private)
		stranger := w.guest(t, "Zofia")
		assert.Equal(t, "not_found", stranger.move(t, m.game, 4, 1).problem(t).Code)
		assert.Equal(t, "not_found", stranger.get(t, gamePath(m.game)).problem(t).Code)
		assert.Equal(t, "not_found", stranger.get(t, gamePath(m.game)+"/moves").problem(t).Code)
		assert.Equal(t, "not_found", stranger.post(t, gamePath(m.game)+"/resignation", "").problem(t).Code)
		assert.Equal(t, "not_found", stranger.get(t, tablePath(m.table.ID)).problem(t).Code)
		assert.Equal(t, "not_found", stranger.send(t, http.MethodDelete, tablePath(m.table.ID)+"/seats/me", "").problem(t).Code)
		assert.Equal(t, "not_found", w.get(t, gamePath(m.game)).problem(t).Code)
		assert.Equal(t, "unauthenticated", w.send(t, http.MethodPost, gamePath(m.game)+"/moves", moveBody(4, 1)).problem(t).Code)
		assert.EqualValues(t, 0, m.now(t).Ply, "nothing is placed")
	})
}

// A full column is refused and costs nothing.
func TestARefusedMoveCostsNothing(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		before := m.play(t, "444444")
		assert.NotContains(t, before.LegalColumns, int32(4), "a full column is not offered")
		refused := m.red.move(t, m.game, 4, 7)
		assert.Equal(t, http.StatusUnprocessableEntity, refused.status)
		assert.Equal(t, before.Version, refused.problem(t).Game.Version)
		assert.Equal(t, api.SideRed, *refused.problem(t).Game.Turn)
		assert.EqualValues(t, 7, m.red.plays(t, m.game, 5, 7).Ply, "another column is accepted")
	})
}

// Of two requests for one ply with different columns one is a move, and the other is told what was played.
func TestADoubleClickIsOneMove(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for ply := 1; ply <= 10; ply++ {
			mover := m.red
			if ply%2 == 0 {
				mover = m.yellow
			}
			answers := make(chan answer, 2)
			for _, column := range []int{1 + ply%7, 1 + (ply+3)%7} {
				go func() { answers <- mover.move(t, m.game, column, ply) }()
			}
			first, second := <-answers, <-answers
			assert.ElementsMatch(t, []int{http.StatusOK, http.StatusConflict}, []int{first.status, second.status}, "ply %d", ply)
			if m.now(t).Result != nil {
				return
			}
			assert.EqualValues(t, ply, m.now(t).Ply)
		}
	}, configured("RATE_LIMIT=off"))
}

func TestThePlayerSeesItsMovesOnAnotherDevice(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "445")
		moves := decode[api.MoveList](t, m.red.get(t, gamePath(m.game)+"/moves?after_ply=1"), http.StatusOK)
		require.Len(t, moves.Items, 2)
		assert.EqualValues(t, 2, moves.Items[0].Ply)
		assert.EqualValues(t, 4, moves.Items[0].Column)
		assert.EqualValues(t, 2, moves.Items[0].Row)
		assert.Equal(t, api.SideYellow, moves.Items[0].Side)
		assert.Positive(t, moves.Items[1].TookMs)
		assert.Empty(t, decode[api.MoveList](t, m.red.get(t, gamePath(m.game)+"/moves?after_ply=42"), http.StatusOK).Items)
		assert.Len(t, decode[api.MoveList](t, w.get(t, gamePath(m.game)+"/moves"), http.StatusOK).Items, 3)
	})
}

// A client sends a move and is gone before the answer: whether it was made or not, sent again it is made once.
func TestAMoveWhoseAnswerWasLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for i, digit := range []byte("4433521675") {
			mover, ply, column := m.red, i+1, int(digit-'0')
			if i%2 == 1 {
				mover = m.yellow
			}
			body := moveBody(column, ply)
			var dialer net.Dialer
			connection, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
			require.NoError(t, err)
			_, err = fmt.Fprintf(connection,
				"POST %s/moves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
				gamePath(m.game), mover.token, len(body), body)
			require.NoError(t, err)
			require.NoError(t, connection.Close())
			again := mover.plays(t, m.game, column, ply)
			assert.EqualValues(t, ply, again.Ply)
			assert.EqualValues(t, ply+1, again.Version)
		}
	})
}
