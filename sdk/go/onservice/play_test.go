package onservice_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/fourinarow/fourinarow/api/client"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// redWins is a whole game.
var redWins = []int{1, 1, 1, 1, 1, 1, 2, 7, 3, 7, 4}

func TestTwoFollowATableThroughAGameAndARematchToItsEnd(t *testing.T) {
	t.Parallel()
	url := serve(t)
	red, yellow := guest(t, url), guest(t, url)
	table := seated(t, red, yellow)

	ends := make(chan ending, 2)
	for _, four := range []*fourinarow.Client{red, yellow} {
		go func() { ends <- playTwoGames(t.Context(), four, table.ID) }()
	}
	for range 2 {
		end := <-ends
		require.NoError(t, end.err)
		assert.Equal(t, []string{"11111127374", "1"}, end.moves)
		assert.Equal(t, "closed", end.statuses[len(end.statuses)-1])
	}
	me, err := yellow.Me(t.Context())
	require.NoError(t, err)
	one, ids := int32(1), map[fourinarow.UUID]bool{}
	for played, err := range yellow.History(t.Context(), me.ID, &client.ListProfileGamesParams{Limit: &one}) {
		require.NoError(t, err)
		ids[played.GameID] = true
	}
	assert.Len(t, ids, 2, "history by pages")
}

// ending is how a player saw games end.
type ending struct {
	moves, statuses []string // of the games and of the table
	err             error
}

// playTwoGames follows a table: it plays a whole game and the first move of another, and resigns.
func playTwoGames(ctx context.Context, four *fourinarow.Client, table fourinarow.UUID) (end ending) {
	seen := fourinarow.OnTable(func(table *fourinarow.Table) { end.statuses = append(end.statuses, table.Status) })
	for game, err := range four.FollowTable(ctx, table, seen) {
		switch {
		case err != nil:
		case game.Over() && game.Number == 1:
			_, err = four.Tables.Rematch(ctx, game)
		case game.Over():
			err = four.Tables.Leave(ctx, table)
		case game.CanMove && game.Number == 2 && game.Ply == 1:
			_, err = four.Games.Resign(ctx, game.ID)
		case game.CanMove:
			_, err = four.Move(ctx, game, redWins[game.Ply])
		}
		if err != nil {
			return ending{err: err}
		}
		if game.Over() {
			end.moves = append(end.moves, game.Moves)
		}
	}
	return end
}

func TestAMoveWhoseAnswerGotLostIsPlayedOnce(t *testing.T) {
	t.Parallel()
	url := serve(t)
	bad, lost := losesOnce(http.MethodPost)
	red, yellow := guest(t, url, bad), guest(t, url)
	before := lost()
	table := seated(t, red, yellow)
	played, err := red.Move(t.Context(), current(t, red, table), 4)
	require.NoError(t, err)
	assert.Equal(t, "4", played.Moves)
	assert.Equal(t, before+2, lost(), "answers lost: to the opened table and to the move")
	tables, err := red.Tables.Mine(t.Context())
	require.NoError(t, err)
	assert.Len(t, tables, 1, "opened once")
}

func TestAMoveThatCannotBePlayedIsRefusedWithTheGameAsItIsNow(t *testing.T) {
	t.Parallel()
	url := serve(t)
	red, yellow := guest(t, url), guest(t, url)
	players := []*fourinarow.Client{red, yellow}
	game := current(t, red, seated(t, red, yellow))
	first := game
	for ply := range 6 {
		played, err := players[ply%2].Move(t.Context(), game, 1)
		require.NoError(t, err)
		game = played
	}
	_, err := red.Move(t.Context(), game, 1)
	assert.EqualValues(t, 6, problem(t, "column_full", err).Game.Ply)
	_, err = red.Move(t.Context(), game, 1<<40)
	assert.Equal(t, "/column", problem(t, "invalid_request", err).Errors[0].Pointer)
	_, err = red.Move(t.Context(), first, 5)
	assert.EqualValues(t, 6, problem(t, "stale_ply", err).Game.Ply)
	_, err = yellow.Games.Resign(t.Context(), game.ID)
	require.NoError(t, err)
	_, err = red.Move(t.Context(), game, 2)
	assert.True(t, problem(t, "game_finished", err).Game.Over())
}

func TestAClientThatStartsAgainIsTheSamePlayer(t *testing.T) {
	t.Parallel()
	url := serve(t)
	path := filepath.Join(t.TempDir(), "tokens.json")
	first := guest(t, url, fourinarow.Tokens(fourinarow.FileTokens(path)))
	again := guest(t, url+"/", fourinarow.Tokens(fourinarow.FileTokens(path)))
	other := guest(t, url, fourinarow.Tokens(fourinarow.FileTokens(path)), fourinarow.ProfileName("other"))
	ids := make([]fourinarow.UUID, 3)
	for i, four := range []*fourinarow.Client{first, again, other} {
		me, err := four.Me(t.Context())
		require.NoError(t, err)
		ids[i] = me.ID
	}
	assert.Equal(t, ids[0], ids[1])
	assert.NotEqual(t, ids[0], ids[2])
	file, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), file.Mode())
}

func TestARevokedTokenIsAProblemUnlessItShallBeReplaced(t *testing.T) {
	t.Parallel()
	url := serve(t)
	phone := guest(t, url)
	code, err := phone.Devices.Code(t.Context())
	require.NoError(t, err)
	tablet, err := fourinarow.New(url)
	require.NoError(t, err)
	same, err := tablet.Devices.Use(t.Context(), code.Code, "tablet")
	require.NoError(t, err)
	_, err = tablet.Devices.Use(t.Context(), code.Code, "")
	refused(t, "code_expired", err)

	bad, lost := losesOnce(http.MethodDelete)
	leaving, err := fourinarow.New(url, bad, fourinarow.Tokens(holding(t, url, phone)))
	require.NoError(t, err)
	require.NoError(t, leaving.DeleteMe(t.Context()), "also when the answer got lost")
	assert.Equal(t, 1, lost())
	_, err = tablet.SignIn(t.Context(), fourinarow.Guest{})
	refused(t, "unauthenticated", err)
	replaced, err := tablet.SignIn(t.Context(), fourinarow.Guest{DisplayName: "Noa", ReplaceRevoked: true})
	require.NoError(t, err)
	assert.NotEqual(t, same.ID, replaced.ID)
}

// holding is a store with the token of another device of the player.
func holding(t *testing.T, url string, four *fourinarow.Client) fourinarow.TokenStore {
	t.Helper()
	store := fourinarow.MemoryTokens()
	code, err := four.Devices.Code(t.Context())
	require.NoError(t, err)
	device, err := fourinarow.New(url, fourinarow.Tokens(store))
	require.NoError(t, err)
	_, err = device.Devices.Use(t.Context(), code.Code, "")
	require.NoError(t, err)
	return store
}

func TestFollowingEndsAtOnceWhenTheContextDoes(t *testing.T) {
	t.Parallel()
	url := serve(t)
	red, yellow := guest(t, url), guest(t, url)
	table := seated(t, red, yellow)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range red.Follow(ctx, *table.CurrentGameID) {
		last = err
		cancel() // while it asks for what comes after the first state
	}
	refused(t, fourinarow.CodeCancelled, last)
	assert.ErrorIs(t, last, context.Canceled)
}

func TestQuickMatchSeatsStrangersAndPublicTablesAreListed(t *testing.T) {
	t.Parallel()
	url := serve(t)
	ada, ben := guest(t, url), guest(t, url)
	_, err := ada.QuickMatch(t.Context(), client.QuickMatchRequest{})
	require.NoError(t, err)
	require.NoError(t, ada.StopQuickMatch(t.Context()))
	_, err = ada.QuickMatch(t.Context(), client.QuickMatchRequest{})
	require.NoError(t, err)
	matched, err := ben.QuickMatch(t.Context(), client.QuickMatchRequest{})
	require.NoError(t, err)
	assert.Equal(t, "playing", matched.Status)

	public := client.VisibilityChoicePublic
	opened, err := ada.Tables.Open(t.Context(), client.OpenTableRequest{Visibility: &public})
	require.NoError(t, err)
	for listed, err := range ben.Tables.Waiting(t.Context(), nil) {
		require.NoError(t, err)
		assert.Equal(t, opened.ID, listed.ID)
	}
	listed, err := ben.Tables.Get(t.Context(), opened.ID)
	require.NoError(t, err)
	assert.Equal(t, "waiting", listed.Status)
	hint, err := ada.Games.Hint(t.Context(), *matched.CurrentGameID)
	require.NoError(t, err)
	assert.NotEmpty(t, hint.BestColumns)
	picture, err := ben.Games.Picture(t.Context(), *matched.CurrentGameID, nil)
	require.NoError(t, err)
	assert.Contains(t, string(picture), "<svg")
	_, err = ben.Games.Picture(t.Context(), opened.ID, nil)
	refused(t, "not_found", err)
}

func TestTheVersionIsThatOfTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../openapi.yaml")
	require.NoError(t, err)
	var contract struct{ Info struct{ Version string } }
	require.NoError(t, yaml.Unmarshal(text, &contract))
	assert.Equal(t, contract.Info.Version, fourinarow.Version)
	assert.False(t, strings.HasPrefix(fourinarow.Version, "v"))
}
