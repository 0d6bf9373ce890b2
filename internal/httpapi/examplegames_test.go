package httpapi_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
)

func TestTheGamesInTheExamplesAreTrue(t *testing.T) {
	t.Parallel()
	found := 0
	for name, example := range everyExample(t) {
		find(example, func(object map[string]any) {
			if _, isGame := object["movers"]; isGame {
				found++
				checkGame(t, name, as[api.Game](t, object))
			}
		})
	}
	assert.GreaterOrEqual(t, found, 7)
}

func checkGame(t *testing.T, at string, g api.Game) {
	t.Helper()
	p, err := board.Parse(g.Moves)
	require.NoError(t, err, at)
	picture := p.Picture()
	assert.Equal(t, picture[:], g.Board, at)
	assert.EqualValues(t, len(g.Moves), g.Ply, at)
	last, _ := p.Top(board.Column(g.Moves[len(g.Moves)-1] - '0'))
	require.NotNil(t, g.LastMove, at)
	assert.Equal(t, [3]int32{g.Ply, int32(last.Column), int32(last.Row)}, [3]int32{g.LastMove.Ply, g.LastMove.Column, g.LastMove.Row}, at)
	assert.Equal(t, p.Turn().Other().String(), string(g.LastMove.Side), at)
	assert.False(t, g.LastMove.At.Before(g.StartedAt), at)
	over := g.Result != nil
	assert.Equal(t, over, g.Status == "finished", at)
	assert.Equal(t, over, g.FinishedAt != nil, at)
	assert.Equal(t, !over, g.Turn != nil, at)
	assert.Equal(t, !over || g.NextGameID == nil && g.NextFirstSeat != nil, g.PollAfterMs != nil, at)
	checkMovers(t, at, g)
	checkDeadline(t, at, g)
	legal, red, yellow := []int32{}, []api.Threat{}, []api.Threat{}
	version := int64(g.Ply) + 1
	if over {
		checkResult(t, at, *g.Result, p)
		if !p.Over() {
			version++ // a resignation is a change of its own
		}
	} else {
		assert.Equal(t, p.Turn().String(), string(*g.Turn), at)
		for _, column := range p.LegalColumns() {
			legal = append(legal, int32(column))
		}
		red, yellow = threatsOf(p, board.Red), threatsOf(p, board.Yellow)
	}
	assert.Equal(t, legal, g.LegalColumns, at)
	assert.Equal(t, api.Threats{Red: red, Yellow: yellow}, g.Threats, at)
	assert.GreaterOrEqual(t, g.Version, version, "%s: presence and agreements are changes too", at)
}

// checkMovers checks who made the moves, and who makes the next one.
func checkMovers(t *testing.T, at string, g api.Game) {
	t.Helper()
	require.Len(t, g.Movers, int(g.Ply), at)
	assert.Equal(t, g.Movers[g.Ply-1] == 'c', g.LastMove.MadeBy == moverCPU, at)
	running := g.Result == nil
	for _, side := range []api.GameSide{g.Red, g.Yellow} {
		assert.Equal(t, running, side.Controller != nil, at)
		assert.Equal(t, running && side.Kind == "human", side.Presence != nil, at)
		assert.Equal(t, side.Kind == "human", side.ProfileID != nil, at)
	}
	if !running {
		assert.False(t, g.CanMove, at)
		assert.Equal(t, g.Yellow.Seat, *g.NextFirstSeat, "%s: the first move alternates", at)
		return
	}
	next := map[api.Side]api.GameSide{api.SideRed: g.Red, api.SideYellow: g.Yellow}[*g.Turn]
	assert.Equal(t, *g.MySide == *g.Turn && *next.Controller == controllerPlayer, g.CanMove, at)
}

// checkDeadline checks that the times of a game fit one another.
func checkDeadline(t *testing.T, at string, g api.Game) {
	t.Helper()
	now := time.UnixMilli(g.ServerTimeMs)
	assert.False(t, now.Before(g.LastMove.At), at)
	assert.Equal(t, g.MoveDeadline != nil, g.RemainingMs != nil, at)
	if g.FinishedAt != nil {
		assert.False(t, now.Before(*g.FinishedAt), at)
		assert.Nil(t, g.MoveDeadline, at)
	}
	if g.MoveDeadline != nil {
		rounded := g.MoveDeadline.Sub(now.Add(time.Duration(*g.RemainingMs) * time.Millisecond))
		assert.True(t, rounded >= 0 && rounded < time.Second, "%s: %s", at, rounded)
	}
}

func threatsOf(p board.Position, side board.Side) []api.Threat {
	threats := []api.Threat{}
	for _, threat := range p.Threats(side) {
		threats = append(threats, api.Threat{Column: int32(threat.Field.Column), Row: int32(threat.Field.Row), Playable: threat.Playable})
	}
	return threats
}

func checkResult(t *testing.T, at string, r api.GameResult, p board.Position) {
	t.Helper()
	fields := []api.BoardField{}
	for _, field := range p.WinningFields() {
		fields = append(fields, api.BoardField{Column: int32(field.Column), Row: int32(field.Row)})
	}
	assert.Equal(t, fields, r.Fields, at)
	assert.Equal(t, p.Winner() != board.NoSide, r.EndedBy != nil && *r.EndedBy == "line", at)
	if p.Winner() != board.NoSide {
		assert.Equal(t, p.Winner().String(), string(*r.Winner), at)
	}
}
