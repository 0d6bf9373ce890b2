package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api/client"
	"github.com/fourinarow/fourinarow/internal/testkit/served"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

func TestTheBotPlaysAtAPublicTableThroughARestartAndIsTheSameWhenItStartsAgain(t *testing.T) {
	t.Parallel()
	service := served.New(t)
	bot := filepath.Join(t.TempDir(), "bot")
	said, err := exec.CommandContext(t.Context(), "go", "build", "-o", bot, ".").CombinedOutput()
	require.NoError(t, err, string(said))

	stop := start(t, bot, service.URL)
	four, err := fourinarow.New(service.URL)
	require.NoError(t, err)
	_, err = four.SignIn(t.Context(), fourinarow.Guest{})
	require.NoError(t, err)
	first := play(t, four, func(ply int32) {
		if ply == 4 {
			service.Stop()
			service.Restart(t)
		}
	})
	second := play(t, four, func(ply int32) {
		if ply == 4 {
			stop()
			start(t, bot, service.URL)
		}
	})
	assert.Equal(t, first, second)
}

// play opens a table, plays a whole game and gives up a second one. It is the profile of who came.
func play(t *testing.T, four *fourinarow.Client, before func(ply int32)) fourinarow.UUID {
	t.Helper()
	public := client.VisibilityChoicePublic
	table, err := four.Tables.Open(t.Context(), client.OpenTableRequest{Visibility: &public})
	require.NoError(t, err)
	var opponent fourinarow.UUID
	for game, err := range four.FollowTable(t.Context(), table.ID) {
		require.NoError(t, err)
		switch {
		case game.Over() && game.Number == 1:
			opponent = *game.Yellow.ProfileID
			assert.Equal(t, "7474777474", game.Moves, "it blocks three in a column, and wins")
			_, err = four.Tables.Rematch(t.Context(), game)
		case game.Over():
			err = four.Tables.Leave(t.Context(), table.ID)
		case game.CanMove && game.Number == 2:
			_, err = four.Games.Resign(t.Context(), game.ID)
		case game.CanMove:
			before(game.Ply)
			_, err = four.Move(t.Context(), game, int(game.LegalColumns[len(game.LegalColumns)-1]))
		}
		require.NoError(t, err)
	}
	return opponent
}

// start starts the bot, and is how to kill it.
func start(t *testing.T, bot, url string) (stop func()) {
	t.Helper()
	command := exec.CommandContext(t.Context(), bot, url)
	command.Dir, command.Stderr = filepath.Dir(bot), os.Stderr
	require.NoError(t, command.Start())
	return func() {
		require.NoError(t, command.Process.Kill())
		require.Error(t, command.Wait(), "it was killed")
	}
}
