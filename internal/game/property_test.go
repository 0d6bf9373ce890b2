package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Whatever anybody asks for, in any order: a version never goes back, a change is one version, a ply is one disc, a
// finished game stays as it is, and it ended as a win with a winner or a draw without.
func TestAnyOrderOfRequestsKeepsTheInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := fresh()
		g.Settings.EndDeadPositions = rapid.Bool().Draw(t, "end dead positions")
		who := rapid.SampledFrom([]profile.ID{ola, ivan, ola, ivan, lei, ""})
		t.Repeat(map[string]func(*rapid.T){
			"play": func(t *rapid.T) {
				ply := max(g.Ply()+rapid.SampledFrom([]int{1, 1, 1, 1, 0, -1, 2}).Draw(t, "ply"), 1)
				next, changed, err := g.Play(who.Draw(t, "who"), ply, board.Column(rapid.IntRange(1, 7).Draw(t, "column")),
					g.TurnStarted.Add(time.Duration(rapid.IntRange(-5, 5).Draw(t, "seconds"))*time.Second))
				g = checked(t, g, next, changed, err)
			},
			"resign": func(t *rapid.T) {
				if rapid.IntRange(0, 40).Draw(t, "mood") != 0 {
					return
				}
				next, changed, err := g.Resign(who.Draw(t, "who"), g.TurnStarted.Add(time.Second))
				g = checked(t, g, next, changed, err)
			},
			"": func(t *rapid.T) { consistent(t, g) },
		})
	})
}

func checked(t *rapid.T, before, after game.Game, changed bool, err error) game.Game {
	if err != nil || !changed {
		require.Equal(t, before, after)
		return before
	}
	require.False(t, before.Over(), "a finished game changed")
	require.Equal(t, before.Version+1, after.Version)
	return after
}

func consistent(t *rapid.T, g game.Game) {
	p, err := g.Position()
	require.NoError(t, err)
	require.Len(t, g.Took, g.Ply())
	require.Equal(t, g.Over(), !g.Finished.IsZero())
	switch g.Result.Outcome {
	case game.Win:
		require.NotEqual(t, board.NoSide, g.Result.Winner)
		require.Equal(t, g.Result.EndedBy == game.Line, p.Winner() != board.NoSide)
	case game.Draw:
		require.Equal(t, game.Result{Outcome: game.Draw}, g.Result)
		require.True(t, p.Full() || g.Settings.EndDeadPositions && p.Dead())
	default:
		require.False(t, g.Over())
		require.False(t, p.Over())
	}
}
