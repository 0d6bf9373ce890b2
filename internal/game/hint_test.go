package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
)

func TestAHintIsForTheOwnTurnOfAnUnrankedGame(t *testing.T) {
	t.Parallel()
	ranked := started(func(o *game.Opening) { o.Ranked = true })
	resigned, _, err := ranked.Resign(ola, at(time.Second))
	require.NoError(t, err)
	clock := started(withClock(houserule.CPUMove))
	for _, row := range []struct {
		name string
		game game.Game
		by   profile.ID
		at   time.Duration
		want fault.Code // empty: it is given
	}{
		{"the player to move is told", fresh(), ola, 0, ""},
		{"also against the CPU", started(againstCPU), ola, 0, ""},
		{"also one who said away, and may move", gone(fresh(), at(0), board.Red), ola, 0, ""},
		{"a stranger isn't", fresh(), lei, 0, fault.NotSeated},
		{"nor is nobody", ranked, "", 0, fault.NotSeated},
		{"nobody is in a ranked game", ranked, ola, 0, fault.RankedGameRunning},
		{"whoever's turn it is", ranked, ivan, 0, fault.RankedGameRunning},
		{"a game that is over has no turn", resigned, ola, 0, fault.GameFinished},
		{"nor has it for the winner", after(t, fresh(), "1213141"), ola, 0, fault.GameFinished},
		{"the other waits", fresh(), ivan, 0, fault.NotYourTurn},
		{"after the deadline there is no hint", clock, ola, time.Minute, fault.TimeIsUp},
		{"nor when it was applied", clock.Expire(at(time.Minute)), ola, 0, fault.TimeIsUp},
	} {
		hinted, err := row.game.Hint(row.by, at(row.at), nil)
		if row.want != "" {
			require.True(t, fault.Is(err, row.want), row.name)
			assert.Equal(t, row.game, hinted, row.name)
			continue
		}
		require.NoError(t, err, row.name)
		assert.Equal(t, 1, hinted.Hints(board.Red), row.name)
		assert.Equal(t, row.game.Version+1, hinted.Version, row.name)
	}
}

func TestAHintCountsOnceAPlyForWhoeverAsked(t *testing.T) {
	t.Parallel()
	g := fresh()
	for ply := range 8 {
		before := g.Version
		for range 3 {
			var err error
			g, err = g.Hint(g.Player(g.Turn()).Profile, g.TurnStarted, nil)
			require.NoError(t, err)
			assert.Equal(t, before+1, g.Version, "and is a change once")
		}
		assert.Equal(t, (ply+2)/2, g.Hints(board.Red))
		assert.Equal(t, (ply+1)/2, g.Hints(board.Yellow))
		g = after(t, g, string("12345671"[ply]))
	}
}
