package table_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// played plays moves in the table's game, and lets the table follow when that ends it.
func played(t table.Table, moves string) table.Table {
	g := *t.Game
	for _, digit := range moves {
		next, _, err := g.Play(g.Player(g.Turn()).Profile, g.Ply()+1, board.Column(digit-'0'), noon, nil)
		if err != nil {
			panic(err)
		}
		g = next
	}
	if g.Over() {
		return t.GameOver(g, noon)
	}
	t.Game = &g
	return t
}

// finished wins the table's game for red.
func finished(t table.Table) table.Table { return played(t, "1213141") }

// present has both owners seen a moment ago.
func present(t table.Table, at time.Time) table.Table {
	for i := range t.Seats {
		t.Seats[i].Seen = at
	}
	return t
}

func agree(t *testing.T, at table.Table, who profile.ID) table.Agreed {
	t.Helper()
	agreed, err := at.Agree(table.Agreement{By: who, Game: at.Game.ID}, "next", time.Time{}, noon.Add(time.Second))
	require.NoError(t, err)
	return agreed
}

func TestBothAgreementsStartExactlyOneNextGame(t *testing.T) {
	t.Parallel()
	over := present(finished(taken(table.Public)), noon)
	one := agree(t, over, ola)
	assert.False(t, one.Started)
	assert.True(t, one.Last.Red.Rematch)
	again := agree(t, one.Table, ola)
	assert.False(t, again.Changed, "agreeing twice changes nothing")

	both := agree(t, one.Table, ivan)
	require.True(t, both.Started)
	assert.Equal(t, game.ID("next"), both.Last.Next)
	assert.Equal(t, one.Last.Version+1, both.Last.Version, "the agreement and the next game are one change")
	assert.Equal(t, table.Playing, both.Table.Status)
	assert.Equal(t, 2, both.Table.Game.Number)
	assert.Equal(t, ivan, both.Table.Game.Red.Profile, "the other side's player starts")
	assert.False(t, both.Table.Game.Red.Rematch)

	_, err := both.Table.Agree(table.Agreement{By: ola, Game: "game"}, "third", time.Time{}, noon)
	require.True(t, fault.Is(err, fault.StaleGame), "a late repeat never agrees to a later game")
}

func TestWhoStartsTheNextGame(t *testing.T) {
	t.Parallel()
	const draw = "525555776252742437426111231136747143336646"
	for name, row := range map[string]struct {
		alternate bool
		moves     string
		want      game.Seat
	}{
		"the other side's player after a win":  {true, "1213141", game.GuestSeat},
		"the other side's player after a draw": {true, draw, game.GuestSeat},
		"the same seat after a win":            {false, "1213141", game.HostSeat},
		"the same seat after a draw":           {false, draw, game.HostSeat},
	} {
		at := taken(table.Public)
		at.Settings.AlternateFirstMove = row.alternate
		over := played(at, row.moves)
		assert.Equal(t, row.want, over.NextFirst, name)
		assert.Equal(t, row.want, over.Game.NextFirst, name)
	}
}

func TestWhoAgreedAndWentAwayHasNotAgreed(t *testing.T) {
	t.Parallel()
	silent := finished(taken(table.Public)) // nobody was seen
	one := agree(t, silent, ola)
	both := agree(t, one.Table, ivan)
	assert.False(t, both.Started)
	assert.False(t, both.Last.Red.Rematch, "the first isn't here, so its agreement is removed")
	assert.True(t, both.Last.Yellow.Rematch)
	assert.Equal(t, one.Last.Version+1, both.Last.Version)

	said := present(finished(taken(table.Public)), noon)
	said.Seats[0].SaidAway = true
	assert.False(t, agree(t, agree(t, said, ola).Table, ivan).Started)
}

func TestTheCPUAlwaysAgrees(t *testing.T) {
	t.Parallel()
	at := open(table.Public).Sit(table.Seat{Kind: game.CPU, Level: "medium"}, "game", false, time.Time{}, noon)
	lost, _, err := at.Game.Resign(ola, noon)
	require.NoError(t, err)
	assert.True(t, agree(t, at.GameOver(lost, noon), ola).Started)
}

func TestAgreementsAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	over := finished(taken(table.Public))
	for name, row := range map[string]struct {
		table table.Table
		a     table.Agreement
		want  fault.Code
	}{
		"by a stranger":                  {over, table.Agreement{By: lei, Game: "game"}, fault.NotSeated},
		"while the game runs":            {taken(table.Public), table.Agreement{By: ola, Game: "game"}, fault.GameRunning},
		"for another game":               {over, table.Agreement{By: ola, Game: "other"}, fault.StaleGame},
		"before there was a game":        {open(table.Public), table.Agreement{By: ola, Game: "game"}, fault.StaleGame},
		"at a closed table":              {over.Close(table.Idle), table.Agreement{By: ola, Game: "game"}, fault.TableClosed},
		"for settings that have changed": {over, table.Agreement{By: ola, Game: "game", SettingsVersion: 2}, fault.StaleVersion},
	} {
		_, err := row.table.Agree(row.a, "next", time.Time{}, noon)
		require.True(t, fault.Is(err, row.want), name)
		_, err = row.table.TakeBack(row.a)
		require.True(t, fault.Is(err, row.want), name)
	}
}

func TestTheScoreCountsGamesThatSomebodyWasThereFor(t *testing.T) {
	t.Parallel()
	over := finished(taken(table.Public))
	assert.Equal(t, table.Score{Games: 1, Wins: [2]int{1, 0}, Draws: 0}, over.Score)

	at := taken(table.Public)
	slept := *finished(at).Game
	slept.Unattended = true
	abandoned := at.GameOver(slept, noon)
	assert.Equal(t, table.Score{}, abandoned.Score)
	assert.Equal(t, table.Abandoned, abandoned.Reason)
	assert.True(t, abandoned.Game.TableDone)
}

func TestATableClosesWithTheGameOfALeaverWhoHasNotComeBack(t *testing.T) {
	t.Parallel()
	for seat, reason := range map[game.Seat]table.CloseReason{game.HostSeat: table.HostLeft, game.GuestSeat: table.PlayerLeft} {
		left := finished(taken(table.Public).Mark(seat, true))
		assert.Equal(t, table.Closed, left.Status)
		assert.Equal(t, reason, left.Reason)
		back := finished(taken(table.Public).Mark(seat, true).Mark(seat, false))
		assert.Equal(t, table.BetweenGames, back.Status)
	}
}

func TestSettingsChangeBetweenGamesByTheHostAlone(t *testing.T) {
	t.Parallel()
	over := present(finished(taken(table.Public)), noon)
	settings := over.Settings
	settings.MoveTimeLimit = time.Minute
	edit := table.Edit{By: ola, SettingsVersion: 1, Settings: settings, Ranked: true}
	for name, row := range map[string]struct {
		table table.Table
		edit  func(*table.Edit)
		want  fault.Code
	}{
		"a stranger":                {over, func(e *table.Edit) { e.By = lei }, fault.NotSeated},
		"the other seat":            {over, func(e *table.Edit) { e.By = ivan }, fault.NotHost},
		"during a game":             {taken(table.Public), func(*table.Edit) {}, fault.GameRunning},
		"at a closed table":         {over.Close(table.Idle), func(*table.Edit) {}, fault.TableClosed},
		"for a version that is old": {over, func(e *table.Edit) { e.SettingsVersion = 2 }, fault.StaleVersion},
	} {
		e := edit
		row.edit(&e)
		require.True(t, fault.Is(row.table.Editable(e), row.want), name)
	}
	require.NoError(t, over.Editable(edit))
	agreed := agree(t, over, ola).Table
	edited, changed := agreed.Change(edit, noon)
	require.True(t, changed)
	assert.Equal(t, int64(2), edited.SettingsVersion)
	assert.Equal(t, agreed.Version+1, edited.Version)
	assert.False(t, edited.Game.Red.Rematch, "a change takes agreements back")
	assert.NotEqual(t, edited.Settings, edited.Game.Settings, "a game keeps the settings it started with")
	edit.SettingsVersion = 2
	_, changed = edited.Change(edit, noon)
	assert.False(t, changed)
}

func TestAnEditSentAgainIsKnownByWhatItWants(t *testing.T) {
	t.Parallel()
	settings := open(table.Public).Settings
	settings.MoveTimeLimit = time.Minute
	edit := table.Edit{By: ola, SettingsVersion: 1, Settings: settings, Ranked: true}
	edited, _ := open(table.Public).Change(edit, noon)
	playing := edited.Sit(table.Seat{Kind: game.Human, Profile: ivan, Name: "Иван"}, "game", false, time.Time{}, noon)
	for name, row := range map[string]struct {
		table table.Table
		edit  func(*table.Edit)
		want  bool
	}{
		"the same, for the version before":    {edited, func(*table.Edit) {}, true},
		"while a game runs":                   {playing, func(*table.Edit) {}, true},
		"after it":                            {finished(playing), func(*table.Edit) {}, true},
		"at a closed table":                   {edited.Close(table.Idle), func(*table.Edit) {}, true},
		"for the version that came of it":     {edited, func(e *table.Edit) { e.SettingsVersion = 2 }, false},
		"for a version long ago":              {edited, func(e *table.Edit) { e.SettingsVersion = 0 }, false},
		"by the other seat":                   {playing, func(e *table.Edit) { e.By = ivan }, false},
		"by a stranger":                       {edited, func(e *table.Edit) { e.By = lei }, false},
		"with another setting":                {edited, func(e *table.Edit) { e.Settings.MoveTimeLimit = 0 }, false},
		"for games that don't change ratings": {edited, func(e *table.Edit) { e.Ranked = false }, false},
	} {
		e := edit
		row.edit(&e)
		assert.Equal(t, row.want, row.table.Repeats(e), name)
	}
}

func TestWhenATableExpires(t *testing.T) {
	t.Parallel()
	assert.Equal(t, noon.Add(24*time.Hour), open(table.Public).Expires())
	assert.Equal(t, noon.Add(30*24*time.Hour), open(table.Private).Expires())
	seen := present(open(table.Public), noon.Add(time.Hour))
	assert.Equal(t, noon.Add(25*time.Hour), seen.Expires())
	assert.True(t, taken(table.Public).Expires().IsZero(), "never while a game runs")
}
