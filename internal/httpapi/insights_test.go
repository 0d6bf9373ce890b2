package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

const rankedTable = `{"visibility":"public","ranked":true}`

// insightful lifts the limit on scores, hints and analyses.
func insightful(w *world) { configured("RATE_INSIGHTS_PER_SECOND=1000")(w) }

func position(t *testing.T, a answer) api.BoardPosition {
	t.Helper()
	return decode[api.BoardPosition](t, a, http.StatusOK)
}

func (p player) hint(t *testing.T, m match) answer {
	t.Helper()
	return patient(func() answer { return p.post(t, gamePath(m.game)+"/hint", "") })
}

// patient asks again while others keep the only reader busy, as a client would.
func patient(ask func() answer) answer {
	for range 30 {
		if a := ask(); a.status != http.StatusServiceUnavailable {
			return a
		}
	}
	return ask()
}

func (p player) analyses(t *testing.T, m match) answer {
	t.Helper()
	return patient(func() answer { return p.get(t, gamePath(m.game)+"/analysis") })
}

func TestPositionsHintsAndAnalysesAreAsTheExamplesSay(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		examples := everyExample(t)
		m := w.match(t, public)
		assert.Equal(t, as[api.BoardPosition](t, examples["Position"]), position(t, m.red.get(t, "/v1/positions/4455")))
		assert.Equal(t, as[api.BoardPosition](t, examples["PositionWithoutToken"]), position(t, w.get(t, "/v1/positions/4455")))
		m.play(t, "4453")
		want, hint := as[api.BoardPosition](t, examples["HintedPosition"]), position(t, m.red.hint(t, m))
		assert.True(t, strings.HasPrefix(*want.PrincipalLine, *hint.PrincipalLine), "as far as there was time")
		want.PrincipalLine = hint.PrincipalLine
		assert.Equal(t, want, hint)
		over := w.match(t, public)
		over.play(t, "1213141")
		judged := as[api.GameAnalysis](t, examples["Analysis"])
		judged.GameID = over.game
		assert.Equal(t, judged, decode[api.GameAnalysis](t, m.red.analyses(t, over), http.StatusOK))
	}, insightful)
}

func TestTheScoresOfTheEmptyBoard(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	p := position(t, w.guest(t, "Ola").get(t, "/v1/positions/-"))
	var scores []int32
	for _, c := range p.Columns {
		scores = append(scores, *c.Score)
	}
	assert.Equal(t, []int32{-2, -1, 0, 1, 0, -1, -2}, scores)
	assert.Equal(t, []api.ColumnNumber{4}, p.BestColumns)
	assert.True(t, strings.HasPrefix(*p.PrincipalLine, "4444"), *p.PrincipalLine)
	assert.EqualValues(t, 41, *p.Columns[3].PliesToEnd, "red wins with the 41st disc")
	assert.Empty(t, p.Moves)
	assert.True(t, p.Exact)
}

func TestAPositionIsJudgedByTheRulesOfTheBoardAlone(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), insightful)
	p := w.guest(t, "Ola")
	won := position(t, p.get(t, "/v1/positions/1213141"))
	assert.Equal(t, "finished", won.Status)
	assert.Nil(t, won.Turn)
	assert.Len(t, won.Result.Fields, 4)
	assert.Equal(t, api.SideRed, *won.Result.Winner)
	assert.Equal(t, "line", *won.Result.EndedBy)
	assert.Empty(t, won.LegalColumns)
	assert.Empty(t, won.Columns)
	assert.Empty(t, won.BestColumns)
	assert.Nil(t, won.PrincipalLine)
	assert.Equal(t, won, position(t, w.get(t, "/v1/positions/1213141")), "there is nothing to ask for a token")

	dead := deadGame(t)
	alive := position(t, p.get(t, "/v1/positions/"+dead))
	assert.Equal(t, "in_progress", alive.Status, "a dead position goes on")
	assert.NotNil(t, alive.Turn)
	for _, c := range alive.Columns {
		assert.EqualValues(t, 0, *c.Score)
		assert.Equal(t, api.HeldOutcomeDraw, *c.Outcome)
		assert.Nil(t, c.PliesToEnd)
	}
	assert.Len(t, dead+*alive.PrincipalLine, board.Fields, "until the board is full")
	full := position(t, p.get(t, "/v1/positions/"+dead+*alive.PrincipalLine))
	assert.Equal(t, api.GameResult{Outcome: api.GameOutcomeDraw, Winner: nil, EndedBy: nil, Fields: []api.BoardField{}}, *full.Result)
}

// deadGame returns moves after which no line can be completed, with fields left.
func deadGame(t *testing.T) string {
	t.Helper()
	for seed := range 100_000 {
		var p board.Position
		moves := ""
		for x := seed*2_654_435_761 + 1; !p.Over() && !p.Dead(); x = (x*1_103_515_245 + 12_345) & 0x7fffffff {
			legal := p.LegalColumns()
			column := legal[x>>8%len(legal)]
			next, err := p.Play(column)
			require.NoError(t, err)
			p, moves = next, moves+string(rune('0'+column))
		}
		if !p.Over() && len(moves) < board.Fields {
			return moves
		}
	}
	t.Fatal("no game went dead")
	return ""
}

func TestImpossibleMovesAreToldFromNoMoves(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_LIMIT=off"))
	for _, moves := range []string{"4444444", "11111117", "12121212", "12121217", strings.Repeat("1", 42)} {
		for _, headers := range [][]header{nil, {{"Authorization", "Bearer " + w.guest(t, "Ola").token}}} {
			refused := w.get(t, "/v1/positions/"+moves, headers...)
			assert.Equal(t, http.StatusUnprocessableEntity, refused.status, moves)
			assert.Equal(t, "impossible_moves", refused.problem(t).Code, moves)
			assert.Equal(t, []string{"/path/moves"}, pointersOf(refused.problem(t)), moves)
		}
	}
	for _, moves := range []string{
		"8", "0", "44a", "4-4", "--", "44-", "-44", "%20", "4%204", "４", "4,4", "+4", "1e3", "%00", "null", secretInput, strings.Repeat("4", 43),
		"1234567123456712345671234567123456712345671",
	} {
		refused := w.get(t, "/v1/positions/"+moves)
		assert.Equal(t, http.StatusBadRequest, refused.status, moves)
		assert.Equal(t, "invalid_request", refused.problem(t).Code, moves)
		assert.Equal(t, []string{"/path/moves"}, pointersOf(refused.problem(t)), moves)
		assert.NotContains(t, string(refused.body), secretInput)
	}
	assert.Equal(t, http.StatusNotFound, w.get(t, "/v1/positions/").status)
	assert.Equal(t, http.StatusMethodNotAllowed, w.send(t, http.MethodPost, "/v1/positions/44", "").status)
}

func TestAHintIsForWhoeverIsToMoveInAnUnrankedGame(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		stranger := w.guest(t, "Zofia")
		open, closed, over, scored := w.match(t, public), w.match(t, private), w.match(t, public), w.match(t, rankedTable)
		over.play(t, "1213141")
		for _, row := range []struct {
			why    string
			by     player
			m      match
			status int
			code   string
		}{
			{"it is red's turn", open.yellow, open, 409, "not_your_turn"},
			{"a watcher", stranger, open, 403, "not_seated"},
			{"a stranger", stranger, closed, 404, "not_found"},
			{"the game is over", over.red, over, 409, "game_finished"},
			{"a watcher of a game that is over", stranger, over, 403, "not_seated"},
			{"a ranked game", scored.red, scored, 403, "ranked_game_running"},
			{"a ranked game at the other's turn", scored.yellow, scored, 403, "ranked_game_running"},
			{"a watcher of a ranked game", stranger, scored, 403, "not_seated"},
		} {
			refused := row.by.hint(t, row.m)
			assert.Equal(t, row.status, refused.status, row.why)
			p := refused.problem(t)
			assert.Equal(t, row.code, p.Code, row.why)
			assert.Equal(t, row.status == 409, p.Game != nil, row.why)
		}
		assert.Equal(t, "unauthenticated", w.send(t, http.MethodPost, gamePath(open.game)+"/hint", "").problem(t).Code)
		assert.Equal(t, http.StatusOK, open.red.hint(t, open).status)
		assert.Equal(t, http.StatusOK, closed.red.hint(t, closed).status)
		assert.Nil(t, scored.red.reads(t, scored.game).Red.HintsUsed)
	}, insightful)
}

func TestWhoPlaysARankedGameIsToldNothingUntilItIsOver(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m, over := w.match(t, public), w.match(t, public)
		over.play(t, "1213141")
		scored := m.red.opens(t, rankedTable)
		assert.Equal(t, http.StatusOK, m.red.hint(t, m).status, "a table that waits is no game")
		scored = w.guest(t, "Lei").joins(t, scored)
		for _, asked := range []answer{m.red.hint(t, m), m.red.analyses(t, over), m.red.get(t, "/v1/positions/44")} {
			assert.Equal(t, http.StatusForbidden, asked.status)
			assert.Equal(t, "ranked_game_running", asked.problem(t).Code)
		}
		assert.Equal(t, http.StatusOK, m.yellow.get(t, "/v1/positions/44").status, "others are told")
		assert.Equal(t, http.StatusOK, m.red.post(t, "/v1/games/"+scored.CurrentGameID.String()+"/resignation", "").status)
		for _, asked := range []answer{m.red.hint(t, m), m.red.analyses(t, over), m.red.get(t, "/v1/positions/44")} {
			assert.Equal(t, http.StatusOK, asked.status, "it is over")
		}
		ranked := match{red: m.red, yellow: m.red, table: scored, game: *scored.CurrentGameID}
		assert.Equal(t, http.StatusOK, m.red.analyses(t, ranked).status, "then it is judged like any other")
	}, insightful)
}

// quick is a position that is solved at once, with red to move.
const quick = "35662673555166267533114741"
