package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
)

const versusCPU = `{"opponent":"cpu"}`

// playOut plays a game against the CPU to its end, always in the leftmost column.
func (w *world) playOut(t *testing.T, p player, game uuid.UUID) api.Game {
	t.Helper()
	w.Pass(t, time.Second)
	g := p.reads(t, game)
	for g.Result == nil {
		require.True(t, g.CanMove, "%s", g.Moves)
		p.plays(t, game, int(g.LegalColumns[0]), int(g.Ply)+1)
		w.Pass(t, time.Second)
		g = p.reads(t, game)
	}
	return still(g)
}

func TestATableAgainstTheCPUStartsAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		table := p.opens(t, versusCPU)
		assert.Equal(t, "playing", table.Status)
		assert.EqualValues(t, 1, table.Version)
		assert.Equal(t, api.TableSeat{
			Seat: 2, State: seatTaken, Kind: new("cpu"), ProfileID: nil, DisplayName: nil, Rating: nil, CPULevel: new("medium"), WantsRematch: new(true),
		}, table.Seats[1], "the CPU always agrees")
		g := p.reads(t, *table.CurrentGameID)
		assert.Equal(t, api.GameSide{
			Seat: 2, Kind: "cpu", ProfileID: nil, DisplayName: nil, Rating: nil, CPULevel: new("medium"), Presence: nil, Controller: new(controllerCPU), WantsRematch: true, HintsUsed: nil,
		}, g.Yellow)
		assert.True(t, g.CanMove)
		thinking := p.plays(t, g.ID, 4, 1)
		assert.Nil(t, thinking.MoveDeadline, "the CPU has no clock")
		assert.EqualValues(t, 500, *thinking.PollAfterMs)
		w.Pass(t, time.Second)
		assert.Equal(t, "hc", p.reads(t, g.ID).Movers)
		again := `{"opponent":"cpu","cpu_level":"medium","client_ref":"5b0e7c1a-6f55-4c0e-9d57-2f1f0a4c9b11"}`
		assert.Equal(t, p.opens(t, again).CurrentGameID, p.opens(t, again).CurrentGameID, "sent again it is the same table")
	})
}

func TestASeriesAgainstTheCPU(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		table := p.opens(t, `{"opponent":"cpu","visibility":"public"}`)
		first := w.playOut(t, p, *table.CurrentGameID)
		table = p.looks(t, table.ID)
		assert.Equal(t, "between_games", table.Status)
		assert.EqualValues(t, 1, table.Score.Games)
		assert.EqualValues(t, 2, *table.NextFirstSeat)
		assert.Equal(t, table.Score.Games, table.Score.Seat1Wins+table.Score.Seat2Wins+table.Score.Draws)
		next := p.agrees(t, table.ID, first.ID)
		assert.Equal(t, "playing", next.Status, "the CPU always agrees")
		second := p.reads(t, *next.CurrentGameID)
		assert.EqualValues(t, 2, second.Number)
		assert.Equal(t, "cpu", second.Red.Kind, "the first move alternates")
		assert.False(t, second.CanMove)
		w.Pass(t, time.Second)
		assert.Equal(t, "c", p.reads(t, second.ID).Movers)
		assert.NotNil(t, w.playOut(t, p, second.ID).Result)
		assert.EqualValues(t, 2, p.looks(t, table.ID).Score.Games)
	})
}

func TestATableAgainstTheCPUSleepsWithoutItsHuman(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p, watcher := w.guest(t, "Ola"), w.guest(t, "Zofia")
		table := p.opens(t, `{"opponent":"cpu","visibility":"public"}`)
		id := *table.CurrentGameID
		p.plays(t, id, 4, 1)
		w.Pass(t, time.Second)
		p.says(t, table.ID, api.PresenceChoiceAway)
		asleep := watcher.reads(t, id)
		assert.True(t, asleep.Asleep)
		assert.Equal(t, controllerPlayer, *asleep.Red.Controller, "nothing is covered there")
		assert.Nil(t, asleep.MoveDeadline)
		w.Pass(t, time.Minute)
		assert.Equal(t, "hc", watcher.reads(t, id).Movers, "it is found as it was")
		p.says(t, table.ID, api.PresenceChoiceHere)
		awake := p.reads(t, id)
		assert.False(t, awake.Asleep)
		assert.True(t, awake.CanMove)
	})
}

func TestTheCPUPlaysAtEveryLevel(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		for _, l := range level.All() {
			name := string(l.Name)
			table := p.opens(t, `{"opponent":"cpu","cpu_level":"`+name+`"}`)
			assert.Equal(t, name, *table.Seats[1].CPULevel)
			id := *table.CurrentGameID
			// Its only answer to three in a row, which some levels may miss.
			for i, column := range []int{1, 1, 1} {
				g := p.reads(t, id)
				require.True(t, g.CanMove, "%s: %s", name, g.Moves)
				if g = p.plays(t, id, column, int(g.Ply)+1); i < 2 {
					w.Pass(t, time.Second)
				}
			}
			w.Pass(t, time.Second)
			g := p.reads(t, id)
			assert.Equal(t, name, *g.Yellow.CPULevel)
			if blocked := g.Moves[len(g.Moves)-1] == '1'; l.BlocksOne == 1 && !hasInColumn(g, 0, 'Y') {
				assert.True(t, blocked, "%s: %s", name, g.Moves)
			}
		}
	})
}

// hasInColumn reports whether a column, from 0, has a disc of a colour.
func hasInColumn(g api.Game, column int, disc byte) bool {
	for _, row := range g.Board {
		if row[column] == disc {
			return true
		}
	}
	return false
}

func TestOnlyWhatIsOnOfferIsAnOpponent(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		for request, want := range map[string]struct {
			status  int
			code    string
			pointer string
		}{
			`{"cpu_level":"medium"}`:                        {400, "invalid_request", "/cpu_level"},
			`{"opponent":"human","cpu_level":"medium"}`:     {400, "invalid_request", "/cpu_level"},
			`{"opponent":"` + secretInput + `"}`:            {400, "invalid_request", "/opponent"},
			`{"opponent":"cpu","cpu_level":7}`:              {400, "invalid_request", "/cpu_level"},
			`{"opponent":"cpu","cpu_level":"grandmaster"}`:  {400, "invalid_request", "/cpu_level"},
			`{"opponent":"cpu","cpu_level":"x"}`:            {400, "invalid_request", "/cpu_level"},
			`{"opponent":"cpu","ranked":true}`:              {422, "cpu_table_not_ranked", "/ranked"},
			`{"ranked":"yes"}`:                              {400, "invalid_request", "/ranked"},
			`{"settings":{"cover_level":"perfect"}}`:        {422, "rule_not_changeable", "/settings/cover_level"},
			`{"settings":{"cover_grace_seconds":20}}`:       {422, "rule_not_changeable", "/settings/cover_grace_seconds"},
			`{"settings":{"move_time_limit_seconds":31}}`:   {422, "option_not_offered", "/settings/move_time_limit_seconds"},
			`{"settings":{"move_time_limit_seconds":-1}}`:   {400, "invalid_request", "/settings/move_time_limit_seconds"},
			`{"settings":{"move_time_limit_seconds":"30"}}`: {400, "invalid_request", "/settings/move_time_limit_seconds"},
			`{"settings":{"on_timeout":"draw"}}`:            {400, "invalid_request", "/settings/on_timeout"},
			`{"settings":{"first_player":"oldest"}}`:        {400, "invalid_request", "/settings/first_player"},
			`{"settings":{"alternate_first_move":"on"}}`:    {400, "invalid_request", "/settings/alternate_first_move"},
			`{"settings":{"cpu_cover":1}}`:                  {400, "invalid_request", "/settings/cpu_cover"},
		} {
			refused := p.post(t, "/v1/tables", request)
			assert.Equal(t, want.status, refused.status, request)
			assert.Equal(t, want.code, refused.problem(t).Code, request)
			assert.Equal(t, []string{want.pointer}, pointersOf(refused.problem(t)), request)
			assert.NotContains(t, string(refused.body), secretInput)
		}
		assert.Empty(t, decode[api.MyTables](t, p.get(t, "/v1/me/tables"), http.StatusOK).Items, "nothing has been opened")
	})
}
