package game_test

import (
	"encoding/json"
	"os"
	"slices"
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

const (
	ola  profile.ID = "ola"
	ivan profile.ID = "ivan"
	lei  profile.ID = "lei"
)

var noon = time.Date(2026, 9, 22, 12, 0, 0, 0, time.UTC)

func fresh() game.Game {
	return game.Start(game.Opening{
		ID: "game", Table: "table", Number: 1, Private: false, Ranked: false, Settings: game.Defaults(houserule.Standard()),
		Red:    game.Player{Seat: game.HostSeat, Kind: game.Human, Profile: ola, Name: "Ola"},
		Yellow: game.Player{Seat: game.GuestSeat, Kind: game.Human, Profile: ivan, Name: "Иван"},
	}, noon)
}

// after plays a moves string, one ply a second.
func after(t *testing.T, g game.Game, moves string) game.Game {
	t.Helper()
	for _, digit := range moves {
		mover := g.Player(g.Turn()).Profile
		next, changed, err := g.Play(mover, g.Ply()+1, board.Column(digit-'0'), g.TurnStarted.Add(time.Second), nil)
		require.NoError(t, err, "ply %d of %s", g.Ply()+1, moves)
		require.True(t, changed)
		require.Equal(t, g.Version+1, next.Version, "a move is one version")
		g = next
	}
	return g
}

func TestAMoveIsAnsweredInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	running, won := after(t, fresh(), "4453"), after(t, fresh(), "1213141")
	full := after(t, fresh(), "444444")
	for _, row := range []struct {
		name   string
		game   game.Game
		by     profile.ID
		ply    int
		column board.Column
		want   fault.Code // empty: the move counts
		again  bool       // the move was made before
	}{
		{"the player to move moves", running, ola, 5, 4, "", false},
		{"a stranger has no seat", running, lei, 5, 4, fault.NotSeated, false},
		{"nobody has no seat", running, "", 5, 4, fault.NotSeated, false},
		{"a stranger has no seat, even when all else is wrong too", won, lei, 40, 1, fault.NotSeated, false},
		{"a repeated move is the same move", running, ola, 3, 5, "", true},
		{"the other's repeated move is the same move", running, ivan, 4, 3, "", true},
		{"a repeated move is the same after the end", won, ola, 7, 1, "", true},
		{"an early move is the same after the end", won, ola, 1, 1, "", true},
		{"a ply made differently is stale", running, ola, 3, 4, fault.StalePly, false},
		{"the other's ply is stale", running, ola, 4, 3, fault.StalePly, false},
		{"a ply made differently is stale after the end", won, ola, 7, 2, fault.StalePly, false},
		{"a finished game takes no move", won, ivan, 8, 5, fault.GameFinished, false},
		{"a finished game takes none ahead", won, ola, 9, 5, fault.GameFinished, false},
		{"a ply ahead is stale", running, ola, 7, 4, fault.StalePly, false},
		{"a ply ahead is stale for the other side", running, ivan, 6, 4, fault.StalePly, false},
		{"it is the other's turn", running, ivan, 5, 4, fault.NotYourTurn, false},
		{"it is the other's turn, full column or not", full, ivan, 7, 4, fault.NotYourTurn, false},
		{"the column is full", full, ola, 7, 4, fault.ColumnFull, false},
		{"there is no such column", full, ola, 7, 8, fault.InvalidRequest, false},
		{"another column is not", full, ola, 7, 5, "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			next, changed, err := row.game.Play(row.by, row.ply, row.column, noon.Add(time.Minute), nil)
			switch {
			case row.want != "":
				require.True(t, fault.Is(err, row.want), "%v", err)
				fallthrough
			case row.again:
				assert.False(t, changed)
				assert.Equal(t, row.game, next, "nothing changes")
			default:
				require.NoError(t, err)
				assert.True(t, changed)
				assert.Equal(t, row.game.Ply()+1, next.Ply())
			}
		})
	}
}

func TestAGameKnowsItsMovesAndTheirTimes(t *testing.T) {
	t.Parallel()
	g := after(t, fresh(), "4453")
	want := []game.Move{
		{Ply: 1, Field: board.Field{Column: 4, Row: 1}, Side: board.Red, MadeBy: game.ByPlayer, At: noon.Add(1 * time.Second), Took: time.Second},
		{Ply: 2, Field: board.Field{Column: 4, Row: 2}, Side: board.Yellow, MadeBy: game.ByPlayer, At: noon.Add(2 * time.Second), Took: time.Second},
		{Ply: 3, Field: board.Field{Column: 5, Row: 1}, Side: board.Red, MadeBy: game.ByPlayer, At: noon.Add(3 * time.Second), Took: time.Second},
		{Ply: 4, Field: board.Field{Column: 3, Row: 1}, Side: board.Yellow, MadeBy: game.ByPlayer, At: noon.Add(4 * time.Second), Took: time.Second},
	}
	assert.Equal(t, want, g.Played())
	last, moved := g.LastMove()
	assert.True(t, moved)
	assert.Equal(t, want[3], last)
	_, moved = fresh().LastMove()
	assert.False(t, moved)
	assert.Equal(t, want[3].At, g.TurnStarted)
}

func TestAMoveThatSeemsToComeBeforeItsTurnTookNoTime(t *testing.T) {
	t.Parallel()
	g := after(t, fresh(), "4")
	next, _, err := g.Play(ivan, 2, 4, noon, nil) // another replica's clock is behind
	require.NoError(t, err)
	assert.Zero(t, next.Took[1])
	assert.Equal(t, g.TurnStarted, next.TurnStarted)
}

func TestTheKnownPositionsEndAsTheyShould(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../board/testdata/rules.json")
	require.NoError(t, err)
	var cases []struct {
		Name, Moves, Status, Winner string
		EndDeadPositions            *bool `json:"end_dead_positions"`
	}
	require.NoError(t, json.Unmarshal(raw, &cases))
	require.NotEmpty(t, cases)
	for _, c := range cases {
		t.Run(c.Name+" "+c.Moves, func(t *testing.T) {
			t.Parallel()
			g := fresh()
			g.Settings.EndDeadPositions = c.EndDeadPositions == nil || *c.EndDeadPositions
			g = after(t, g, c.Moves)
			assert.Equal(t, game.Status(c.Status), g.Status)
			assert.Equal(t, c.Winner, g.Result.Winner.String())
			if c.Status == string(game.Finished) && c.Winner == "" {
				assert.Equal(t, game.Result{Outcome: game.Draw}, g.Result)
			}
		})
	}
}

func TestADeadPositionEndsTheGameOnItsPlyUnlessTheRuleIsOff(t *testing.T) {
	t.Parallel()
	const dead = "56116112242752466712157647275733653354443"
	on := after(t, fresh(), dead)
	off := fresh()
	off.Settings.EndDeadPositions = false
	off = after(t, off, dead)
	assert.True(t, on.Over())
	assert.False(t, off.Over(), "switched off, it is played to the last disc")

	full := after(t, off, "3")
	assert.True(t, full.Over())
	assert.Equal(t, on.Result, full.Result, "nothing tells the two draws apart")
}

func TestResigning(t *testing.T) {
	t.Parallel()
	running := after(t, fresh(), "44")
	lost, changed, err := running.Resign(ivan, noon.Add(time.Minute))
	require.NoError(t, err)
	assert.True(t, changed)
	assert.Equal(t, game.Result{Outcome: game.Win, Winner: board.Red, EndedBy: game.Resignation}, lost.Result)
	assert.Equal(t, running.Version+1, lost.Version)
	assert.Equal(t, noon.Add(time.Minute), lost.Finished)

	again, changed, err := lost.Resign(ivan, noon.Add(time.Hour))
	require.NoError(t, err)
	assert.False(t, changed)
	assert.Equal(t, lost, again, "resigning again changes nothing")

	for name, row := range map[string]struct {
		game game.Game
		by   profile.ID
		want fault.Code
	}{
		"a stranger has nothing to resign":         {running, lei, fault.NotSeated},
		"the winner of a resignation cannot":       {lost, ola, fault.GameFinished},
		"nobody can after a line":                  {after(t, fresh(), "1213141"), ivan, fault.GameFinished},
		"a stranger has nothing to resign at last": {lost, lei, fault.NotSeated},
	} {
		_, _, err = row.game.Resign(row.by, noon)
		require.True(t, fault.Is(err, row.want), name)
	}
}

func TestAPrivateGameIsSeenByItsSeatsOnly(t *testing.T) {
	t.Parallel()
	g := fresh()
	for _, who := range []profile.ID{ola, ivan, lei, ""} {
		assert.True(t, g.VisibleTo(who))
	}
	g.Private = true
	assert.True(t, g.VisibleTo(ola))
	assert.True(t, g.VisibleTo(ivan))
	assert.False(t, g.VisibleTo(lei))
	assert.False(t, g.VisibleTo(""))
}

func TestWhoPollsAndWhenItStops(t *testing.T) {
	t.Parallel()
	running, won := after(t, fresh(), "121314"), after(t, fresh(), "1213141")
	assert.Equal(t, board.Red, running.Turn())
	assert.Equal(t, board.NoSide, won.Turn())
	closed, _ := won.CloseTable()
	next := won
	next.Next = "another"
	for name, row := range map[string]struct {
		game  game.Game
		polls bool
	}{
		"a running game":                    {running, true},
		"a finished game, for the next":     {won, true},
		"a finished game that has a next":   {next, false},
		"a finished game at a closed table": {closed, false},
	} {
		pause, polls := row.game.PollAfter(ola)
		assert.Equal(t, row.polls, polls, name)
		assert.LessOrEqual(t, pause, row.game.Settings.CoverGrace/3, name)
	}
}

func TestMovesThatNoGameHasAreAnError(t *testing.T) {
	t.Parallel()
	second := []time.Duration{time.Second}
	for _, row := range []struct {
		what, moves, movers string
		took                []time.Duration
		broken              bool
	}{
		{"a game", "44", "hc", slices.Repeat(second, 2), false},
		{"one that hasn't begun", "", "", nil, false},
		{"a full column", "4444444", "hhhhhhh", slices.Repeat(second, 7), true},
		{"no column", "48", "hh", slices.Repeat(second, 2), true},
		{"a move after a line", "12121212", "hhhhhhhh", slices.Repeat(second, 8), true},
		{"a ply that nobody made", "44", "h", slices.Repeat(second, 2), true},
		{"a ply that a cat made", "44", "hx", slices.Repeat(second, 2), true},
		{"a ply without its time", "44", "hh", second, true},
	} {
		kept := fresh()
		kept.Moves, kept.Movers, kept.Took = row.moves, row.movers, row.took
		g, err := game.Restore(kept)
		if !row.broken {
			require.NoError(t, err, row.what)
			p, err := board.Parse(row.moves)
			require.NoError(t, err)
			assert.Equal(t, p, g.Position(), row.what)
			continue
		}
		require.Error(t, err, row.what)
		var f *fault.Error
		assert.NotErrorAs(t, err, &f, "it is our fault, not the caller's")
	}
}
