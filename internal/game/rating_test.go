package game_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

const (
	even    profile.Rating = 1500_000_000
	weaker  profile.Rating = 1100_000_000
	redWins                = "1213141"
)

// ended is a game that is over after some moves, made by people but for the plies of the CPU's.
func ended(moves string, cpuPlies []int, result game.Result) game.Game {
	movers := []byte(strings.Repeat("h", len(moves)))
	for _, ply := range cpuPlies {
		movers[ply-1] = 'c'
	}
	g := fresh()
	g.Ranked, g.Status, g.Moves, g.Movers, g.Result, g.Finished = true, game.Finished, moves, string(movers), result, noon.Add(time.Minute)
	g.Took = make([]time.Duration, len(moves))
	g, err := game.Restore(g)
	if err != nil {
		panic(err)
	}
	return g
}

var (
	redByLine    = game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Line}
	byResigning  = game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Resignation}
	yellowByTime = game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Timeout}
	draw         = game.Result{Outcome: game.Draw}
)

func TestTheFirstReasonThatHoldsDecidesWhetherAGameIsRated(t *testing.T) {
	t.Parallel()
	with := func(g game.Game, change func(*game.Game)) game.Game {
		change(&g)
		return g
	}
	usual := ended(redWins, nil, redByLine)
	for _, row := range []struct {
		when        string
		game        game.Game
		red, yellow profile.Rating
		lately      int
		want        game.Reason
	}{
		{"two people finish it", usual, even, even, 0, game.Rated},
		{"the CPU sits there", with(usual, func(g *game.Game) { g.Yellow.Kind, g.Ranked, g.Unattended = game.CPU, false, true }), even, 0, 0, game.CPUOpponent},
		{"the table isn't ranked", with(usual, func(g *game.Game) { g.Ranked, g.Unattended = false, true }), even, even, 0, game.NotRanked},
		{"nobody was there", with(ended("12", []int{1, 2}, draw), func(g *game.Game) { g.Unattended = true }), even, even, 0, game.NotAttended},
		{"yellow never came", ended("1", nil, byResigning), even, even, 0, game.NeverCame},
		{"the CPU made all moves of yellow's", ended(redWins, []int{2, 4, 6}, redByLine), even, even, 20, game.NeverCame},
		{"resigned at seven discs", ended("1213243", nil, byResigning), even, even, 20, game.TooShort},
		{"resigned at eight discs", ended("12132435", nil, byResigning), even, even, 0, game.Rated},
		{"lost by time at two discs", ended("12", nil, yellowByTime), even, even, 0, game.Rated},
		{"the ninth in a day was the last", usual, even, even, 9, game.Rated},
		{"ten in a day were played", ended(redWins, []int{3}, redByLine), even, even, 10, game.PairLimit},
		{"the CPU moved for the winner", ended(redWins, []int{3}, redByLine), even, even, 0, game.Covered},
		{"the CPU moved for the loser", ended(redWins, []int{2}, redByLine), even, even, 0, game.Rated},
		{"the CPU moved for the weaker in a draw", ended("12212112", []int{3}, draw), weaker, even, 0, game.Covered},
		{"the CPU moved for the stronger in a draw", ended("12212112", []int{2}, draw), weaker, even, 0, game.Rated},
		{"the CPU moved in a draw of equals", ended("12212112", []int{2, 3}, draw), even, even, 0, game.Rated},
	} {
		got := row.game.Rate(row.red, row.yellow, row.lately)
		assert.Equal(t, row.want, got.Reason, row.when)
		if row.want != game.Rated {
			assert.Equal(t, game.Rating{Reason: row.want}, got, row.when)
			continue
		}
		assert.Equal(t, row.red, got.Red.Before, row.when)
		assert.Equal(t, row.yellow, got.Yellow.Before, row.when)
		assert.Equal(t, row.red+row.yellow, got.Red.After+got.Yellow.After, "%s: what one gains the other loses", row.when)
	}
}

func TestADrawOfEqualsIsRatedAndMovesNobody(t *testing.T) {
	t.Parallel()
	got := ended("12212112", nil, draw).Rate(even, even, 0)
	assert.Equal(t, game.Rating{Reason: game.Rated, Red: game.RatingChange{Before: even, After: even}, Yellow: game.RatingChange{Before: even, After: even}}, got)
}

func TestAGameCountsForBothOfItsPlayers(t *testing.T) {
	t.Parallel()
	won := ended(redWins, nil, redByLine)
	won.Rating = won.Rate(even, even, 0)
	for side, want := range map[board.Side]profile.Finished{
		board.Red:    {Result: profile.Won, Ranked: true, Rated: true, After: even + 16_000_000, NewRival: true},
		board.Yellow: {Result: profile.Lost, Ranked: true, Rated: true, After: even - 16_000_000, NewRival: true},
	} {
		assert.Equal(t, want, won.FinishedFor(side, true))
	}
	assert.Equal(t, profile.Drawn, ended("12212112", nil, draw).ResultOf(board.Yellow))
	deserted := ended(redWins, nil, redByLine)
	deserted.Unattended = true
	assert.Equal(t, profile.NoResult, deserted.ResultOf(board.Red))
	running := after(t, fresh(), "44")
	require.Equal(t, profile.NoResult, running.ResultOf(board.Red))
	assert.Empty(t, running.Rating.Reason)
}
