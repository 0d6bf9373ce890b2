package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
)

func TestASceneIsTheGameAsItStood(t *testing.T) {
	t.Parallel()
	const moves = "1213141"
	won := after(t, fresh(), moves)
	for ply := range len(moves) + 1 {
		s, err := won.SceneAt(ply)
		require.NoError(t, err)
		p, err := board.Parse(moves[:ply])
		require.NoError(t, err)
		assert.Equal(t, p, s.Position)
		assert.Equal(t, ply, s.Ply)
		assert.Equal(t, won, s.Game)
		if ply == len(moves) {
			assert.Equal(t, won.Result, s.Result)
			assert.Equal(t, board.NoSide, s.Turn)
		} else {
			assert.Equal(t, game.Result{}, s.Result, "it went on after ply %d", ply)
			assert.Equal(t, p.Turn(), s.Turn)
		}
		if ply == 0 {
			assert.Equal(t, board.Field{}, s.Last)
		} else {
			assert.Equal(t, won.Played()[ply-1].Field, s.Last)
		}
	}
}

func TestAResignationBelongsToTheLastPly(t *testing.T) {
	t.Parallel()
	resigned, _, err := after(t, fresh(), "44").Resign(ola, noon.Add(time.Minute))
	require.NoError(t, err)
	before, err := resigned.SceneAt(1)
	require.NoError(t, err)
	assert.Equal(t, board.Yellow, before.Turn)
	assert.Equal(t, game.Result{}, before.Result)
	end, err := resigned.SceneAt(2)
	require.NoError(t, err)
	assert.Equal(t, game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Resignation}, end.Result)
}

func TestThereIsNoSceneOfAPlyThatLiesAhead(t *testing.T) {
	t.Parallel()
	_, err := after(t, fresh(), "44").SceneAt(3)
	require.True(t, fault.Is(err, fault.StalePly), "%v", err)
	_, err = after(t, fresh(), "1213141").SceneAt(8)
	require.True(t, fault.Is(err, fault.StalePly), "nor of one after the end")
}
