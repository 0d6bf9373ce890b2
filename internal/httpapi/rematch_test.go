package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// redWins is a short game.
const redWins = "1213141"

// agree agrees to another game after a finished one.
func (p player) agree(t *testing.T, table, finished uuid.UUID) answer {
	t.Helper()
	return p.send(t, http.MethodPut, tablePath(table)+"/rematch", fmt.Sprintf(`{"game_id":"%s"}`, finished))
}

func (p player) agrees(t *testing.T, table, finished uuid.UUID) api.GameTable {
	t.Helper()
	return decode[api.GameTable](t, p.agree(t, table, finished), http.StatusOK)
}

// takesBack takes an agreement back.
func (p player) takesBack(t *testing.T, table, finished uuid.UUID) answer {
	t.Helper()
	return p.send(t, http.MethodDelete, tablePath(table)+"/rematch?game_id="+finished.String(), "")
}

// again lets both agree, and returns the match with its next game.
func (m match) again(t *testing.T) match {
	t.Helper()
	m.red.agrees(t, m.table.ID, m.game)
	next := m.yellow.agrees(t, m.table.ID, m.game)
	require.Equal(t, "playing", next.Status)
	require.NotEqual(t, m.game, *next.CurrentGameID)
	g := m.red.reads(t, *next.CurrentGameID)
	after := match{red: m.red, yellow: m.yellow, table: next, game: g.ID}
	if *g.Red.ProfileID == m.yellow.id {
		after.red, after.yellow = m.yellow, m.red
	}
	return after
}

func wants(table api.GameTable) []bool {
	return []bool{*table.Seats[0].WantsRematch, *table.Seats[1].WantsRematch}
}

func TestBothAgreeAndPlayAgain(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		heard := later(t, w, func() answer { return m.yellow.get(t, gamePath(m.game)+"?after_version=8&wait=30") })
		first := m.red.agrees(t, m.table.ID, m.game)
		assert.Equal(t, "between_games", first.Status)
		assert.Equal(t, []bool{true, false}, wants(first))
		agreed := decode[api.Game](t, within(t, heard), http.StatusOK)
		assert.EqualValues(t, 9, agreed.Version, "an agreement is a change")
		assert.True(t, agreed.Red.WantsRematch)
		assert.False(t, agreed.Yellow.WantsRematch)
		assert.Equal(t, []bool{true, false}, wants(m.red.agrees(t, m.table.ID, m.game)), "agreeing twice changes nothing")
		assert.EqualValues(t, 9, m.now(t).Version)

		next := m.yellow.agrees(t, m.table.ID, m.game)
		assert.Equal(t, "playing", next.Status)
		assert.EqualValues(t, 2, next.CurrentGame.Number)
		assert.EqualValues(t, 2, *next.CurrentGame.TurnSeat, "the other seat starts")
		assert.Equal(t, []bool{false, false}, wants(next))
		assert.Nil(t, next.NextFirstSeat)
		assert.Nil(t, next.ExpiresAt)
		last := m.now(t)
		assert.Equal(t, *next.CurrentGameID, *last.NextGameID)
		assert.EqualValues(t, 2, *last.NextFirstSeat)
		assert.Nil(t, last.PollAfterMs, "nothing more will come of it")
		second := m.yellow.reads(t, *next.CurrentGameID)
		assert.Equal(t, m.yellow.id, *second.Red.ProfileID)
		assert.EqualValues(t, 1, second.Version)
		assert.True(t, second.CanMove)
	})
}

// A late repeat of an agreement never agrees to a later game.
func TestALateRepeatAgreesToNothing(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		second := m.again(t)
		running := second.now(t)
		assert.Equal(t, second.game, *m.red.agrees(t, m.table.ID, m.game).CurrentGameID)
		assert.Equal(t, http.StatusOK, m.red.takesBack(t, m.table.ID, m.game).status)
		assert.Equal(t, running, second.now(t))
		second.play(t, redWins)
		over := second.now(t)
		late := m.yellow.agrees(t, m.table.ID, m.game)
		assert.Equal(t, []bool{false, false}, wants(late))
		assert.Equal(t, over, second.now(t))
		assert.EqualValues(t, 3, second.again(t).now(t).Number)
	})
}

func TestBothAgreeAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for number := 1; number <= 6; number++ {
			m.play(t, redWins)
			answers := make(chan answer, 4)
			for _, p := range []player{m.red, m.yellow, m.red, m.yellow} {
				go func() { answers <- p.agree(t, m.table.ID, m.game) }()
			}
			for range 4 {
				assert.Equal(t, http.StatusOK, within(t, answers).status)
			}
			table := m.red.looks(t, m.table.ID)
			assert.EqualValues(t, number+1, table.CurrentGame.Number, "one next game")
			assert.EqualValues(t, number, table.Score.Games)
			assert.Equal(t, *table.CurrentGameID, *m.now(t).NextGameID)
			m.red, m.yellow, m.game = m.yellow, m.red, *table.CurrentGameID
		}
	}, configured("RATE_LIMIT=off"))
}

func TestTheFirstMoveAlternatesOrStays(t *testing.T) {
	t.Parallel()
	const draw = "7764264462462224664277153153311355"
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		for _, moves := range []string{redWins, draw, redWins} {
			m.play(t, moves)
			before := m.red.id
			m = m.again(t)
			assert.NotEqual(t, before, m.red.id, "after draws too")
		}
		table := m.red.looks(t, m.table.ID)
		assert.Equal(t, api.TableScore{Games: 3, Seat1Wins: 2, Seat2Wins: 0, Draws: 1}, table.Score)

		same := w.match(t, `{"visibility":"public","settings":{"alternate_first_move":false}}`)
		host := same.red.id
		for range 2 {
			over := same.play(t, redWins)
			assert.EqualValues(t, 1, *over.NextFirstSeat)
			same = same.again(t)
			assert.Equal(t, host, same.red.id)
		}
	}, configured("RATE_LIMIT=off"))
}

func TestAnAgreementIsTakenBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for what, deed := range map[string]func(m match) answer{
			"by its owner": func(m match) answer { return m.yellow.takesBack(t, m.table.ID, m.game) },
			"by saying away": func(m match) answer {
				return m.yellow.send(t, http.MethodPut, tablePath(m.table.ID)+"/presence", `{"state":"away"}`)
			},
			"by a change of rules": func(m match) answer {
				return m.red.edits(t, m.table.ID, `{"settings_version":1,"settings":{"move_time_limit_seconds":30}}`)
			},
		} {
			m := w.match(t, public)
			m.play(t, redWins)
			assert.Equal(t, []bool{false, true}, wants(m.yellow.agrees(t, m.table.ID, m.game)))
			assert.Equal(t, http.StatusOK, deed(m).status, what)
			assert.Equal(t, []bool{false, false}, wants(m.red.looks(t, m.table.ID)), what)
			assert.EqualValues(t, 10, m.now(t).Version, what)
			assert.Equal(t, []bool{true, false}, wants(m.red.agrees(t, m.table.ID, m.game)), "%s: no game starts", what)
			assert.Equal(t, "playing", m.yellow.agrees(t, m.table.ID, m.game).Status, what)
		}
		m := w.match(t, public)
		m.play(t, redWins)
		before := m.now(t)
		assert.Equal(t, http.StatusOK, m.red.takesBack(t, m.table.ID, m.game).status)
		assert.Equal(t, before, m.now(t), "taking back what was not given changes nothing")
	}, configured("RATE_LIMIT=off"))
}

func TestWhoLeavesBetweenGamesClosesTheTable(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		m.red.agrees(t, m.table.ID, m.game)
		agreed := m.now(t)
		require.Equal(t, http.StatusNoContent, m.red.leaves(t, m.table.ID).status)
		table := m.yellow.looks(t, m.table.ID)
		assert.Equal(t, "closed", table.Status)
		assert.Equal(t, "host_left", *table.CloseReason)
		assert.Nil(t, table.PollAfterMs)
		over := m.now(t)
		assert.Nil(t, over.PollAfterMs)
		assert.Nil(t, over.NextFirstSeat)
		assert.False(t, over.Red.WantsRematch)
		assert.Equal(t, agreed.Version+1, over.Version, "the agreement and the table's end are one change")
		assert.Equal(t, "table_closed", m.yellow.agree(t, m.table.ID, m.game).problem(t).Code)
		assert.Equal(t, over, m.now(t))
	})
}

// Whoever agreed and went silent doesn't find itself in a game.
func TestSilenceTakesAnAgreementBackWhenTheOtherAgrees(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		m.red.agrees(t, m.table.ID, m.game)
		w.passWith(t, grace+2*time.Second, m.game, m.yellow)
		assert.Equal(t, []bool{true, false}, wants(m.yellow.looks(t, m.table.ID)))
		after := m.yellow.agrees(t, m.table.ID, m.game)
		assert.Equal(t, "between_games", after.Status)
		assert.Equal(t, []bool{false, true}, wants(after))
		assert.Equal(t, "playing", m.red.agrees(t, m.table.ID, m.game).Status)
	})
}

func TestWhoAgreesAfterSayingAwayIsBack(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		m.red.says(t, m.table.ID, api.PresenceChoiceAway)
		m.red.agrees(t, m.table.ID, m.game)
		assert.Equal(t, "playing", m.yellow.agrees(t, m.table.ID, m.game).Status)
	})
}

func TestAnAgreementMayNameTheSettingsItIsFor(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, redWins)
		under := func(p player, version int) answer {
			return p.send(t, http.MethodPut, tablePath(m.table.ID)+"/rematch", fmt.Sprintf(`{"game_id":"%s","settings_version":%d}`, m.game, version))
		}
		assert.Equal(t, http.StatusOK, m.red.edits(t, m.table.ID, `{"settings_version":1,"settings":{"move_time_limit_seconds":60}}`).status)
		stale := under(m.yellow, 1).problem(t)
		assert.Equal(t, "stale_version", stale.Code)
		assert.EqualValues(t, 2, stale.Table.SettingsVersion)
		assert.Equal(t, []bool{false, false}, wants(*stale.Table))
		assert.Equal(t, http.StatusOK, under(m.yellow, 2).status)
		next := decode[api.GameTable](t, under(m.red, 2), http.StatusOK)
		assert.Equal(t, "playing", next.Status)
		second := m.red.reads(t, *next.CurrentGameID)
		assert.EqualValues(t, 60, second.Settings.MoveTimeLimitSeconds, "a rule changed between games counts for the next one")
		assert.EqualValues(t, 0, m.now(t).Settings.MoveTimeLimitSeconds, "and never for one before")
		assert.EqualValues(t, 70_000, *second.RemainingMs)
	}, standingStill)
}
