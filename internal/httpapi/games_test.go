package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

func TestTwoGuestsPlayAGameToAWin(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		won := m.play(t, "1213141")
		require.NotNil(t, won.Result, "the answer to the winning move says that it is over")
		assert.Equal(t, api.GameOutcomeWin, won.Result.Outcome)
		assert.Equal(t, api.SideRed, *won.Result.Winner)
		assert.Equal(t, "line", *won.Result.EndedBy)
		assert.Equal(t, []api.BoardField{{Column: 1, Row: 1}, {Column: 1, Row: 2}, {Column: 1, Row: 3}, {Column: 1, Row: 4}}, won.Result.Fields)
		assert.Equal(t, "finished", won.Status)
		assert.Nil(t, won.Turn)
		assert.EqualValues(t, 2000, *won.PollAfterMs, "there may be a next game")
		assert.EqualValues(t, 2, *won.NextFirstSeat, "the first move alternates")
		assert.Empty(t, won.LegalColumns)
		assert.False(t, won.CanMove)
		assert.EqualValues(t, 8, won.Version)

		table := decode[api.GameTable](t, w.get(t, tablePath(m.table.ID)), http.StatusOK)
		assert.Equal(t, "between_games", table.Status)
		assert.Equal(t, api.TableScore{Games: 1, Seat1Wins: 1, Seat2Wins: 0, Draws: 0}, table.Score)
		assert.Equal(t, "finished", table.CurrentGame.Status)
		assert.Nil(t, table.CurrentGame.TurnSeat)
		assert.Nil(t, table.CurrentGame.MoveDeadline)
		assert.EqualValues(t, 2, *table.NextFirstSeat)
		assert.NotNil(t, table.PollAfterMs)
		assert.Equal(t, won, m.now(t), "however often it is read, nothing changes any more")
	})
}

const ruleOff = `{"visibility":"public","settings":{"end_dead_positions":false}}`

// Games that others have judged wrongly. A game ends on the ply that ends it, and not one later.
func TestAGameEndsWhenItIsOver(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for _, row := range endRows {
			t.Run(row.what, func(t *testing.T) {
				t.Parallel()
				row.check(t, w)
			})
		}
	}, configured("RATE_LIMIT=off"))
}

type endRow struct {
	what, request, moves string
	outcome              api.GameOutcome // empty: it goes on
	fields               int
}

var endRows = []endRow{
	{"a gap resets the count", public, "11224455", "", 0},
	{"the disc in the gap makes five in a row", public, "112244553", api.GameOutcomeWin, 5},
	{"five in a row are five winning fields", public, "412167553", api.GameOutcomeWin, 5},
	{"one disc completes two lines", public, "734545435672634", api.GameOutcomeWin, 7},
	{"a line doesn't go round the edge", public, "5462711", "", 0},
	{"nor round the other one", public, "66575561", "", 0},
	{"nor over the top", public, "55755762545", "", 0},
	{"a win on the last disc is a win", public, "211131416572345677654327654322345677654321", api.GameOutcomeWin, 4},
	{"the earliest dead position is a draw", public, "7764264462462224664277153153311355", api.GameOutcomeDraw, 0},
	{"a dead position one disc before the end is a draw", public, "56116112242752466712157647275733653354443", api.GameOutcomeDraw, 0},
	{"with the rule off it is played to the end", ruleOff, "561161122427524667121576472757336533544433", api.GameOutcomeDraw, 0},
	{"a full board without a line is a draw", public, "525555776252742437426111231136747143336646", api.GameOutcomeDraw, 0},
}

func (row endRow) check(t *testing.T, w *world) {
	t.Helper()
	g := w.match(t, row.request).play(t, row.moves)
	assert.EqualValues(t, len(row.moves), g.Ply)
	if row.outcome == "" {
		assert.Nil(t, g.Result)
		return
	}
	require.NotNil(t, g.Result)
	assert.Equal(t, row.outcome, g.Result.Outcome)
	assert.Len(t, g.Result.Fields, row.fields)
	assert.Equal(t, row.outcome == api.GameOutcomeWin, g.Result.Winner != nil)
	assert.Equal(t, row.outcome == api.GameOutcomeWin, g.Result.EndedBy != nil, "a draw doesn't say how it ended")
}

func TestAGameIsResigned(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, private)
		m.play(t, "44")
		resigned := still(decode[api.Game](t, m.yellow.post(t, gamePath(m.game)+"/resignation", ""), http.StatusOK))
		assert.Equal(t, api.SideRed, *resigned.Result.Winner)
		assert.Equal(t, "resignation", *resigned.Result.EndedBy)
		assert.Empty(t, resigned.Result.Fields)
		again := m.yellow.post(t, gamePath(m.game)+"/resignation", "")
		assert.Equal(t, resigned, still(decode[api.Game](t, again, http.StatusOK)), "doing it again changes nothing")
		assert.Equal(t, `W/"4-y"`, again.header.Get("ETag"))
		other := m.red.post(t, gamePath(m.game)+"/resignation", "")
		assert.Equal(t, "game_finished", other.problem(t).Code)
		assert.Equal(t, api.GameOutcomeWin, other.problem(t).Game.Result.Outcome)
		table := decode[api.GameTable](t, m.red.get(t, tablePath(m.table.ID)), http.StatusOK)
		assert.Equal(t, "between_games", table.Status)
	})
}

func TestAWatcherMayNotResign(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		refused := w.guest(t, "Zofia").post(t, gamePath(m.game)+"/resignation", "")
		assert.Equal(t, http.StatusForbidden, refused.status)
		assert.Nil(t, m.now(t).Result)
	})
}
