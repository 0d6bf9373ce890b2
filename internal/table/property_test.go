package table_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// series is a table in a time that moves.
type series struct {
	table table.Table
	now   time.Time
	games map[game.ID]game.Game // finished, as they were last
	next  int
}

// Whatever people do at a table, in any order: versions never go back, nothing happens after it closed, a finished
// game changes only by agreements, its next game and the table's closing, two agreements start one game and a change
// of settings takes them back, the score adds up, and a running game keeps its settings.
func TestAnyOrderOfEventsAtATableKeepsTheInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &series{table: open(table.Public), now: noon, games: map[game.ID]game.Game{}}
		if rapid.Bool().Draw(t, "against the CPU") {
			s.table = s.table.Sit(table.Seat{Kind: game.CPU, Level: "medium"}, s.id(), false, time.Time{}, s.now)
		} else {
			s.table = s.table.Sit(person(ivan, "Иван"), s.id(), rapid.Bool().Draw(t, "chance"), time.Time{}, s.now)
		}
		who := rapid.SampledFrom([]profile.ID{ola, ivan, ola, ivan, lei})
		t.Repeat(map[string]func(*rapid.T){
			"play":     func(t *rapid.T) { s.play(t) },
			"resign":   func(t *rapid.T) { s.resign(t, who.Draw(t, "who")) },
			"agree":    func(t *rapid.T) { s.agree(t, who.Draw(t, "who")) },
			"withdraw": func(t *rapid.T) { s.withdraw(t, who.Draw(t, "who")) },
			"edit":     func(t *rapid.T) { s.edit(t, who.Draw(t, "who")) },
			"leave":    func(t *rapid.T) { s.leave(t, who.Draw(t, "who")) },
			"wait": func(t *rapid.T) {
				s.now = s.now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute}).Draw(t, "time"))
			},
			"": func(t *rapid.T) { s.consistent(t) },
		})
	})
}

func (s *series) id() game.ID {
	s.next++
	return game.ID("game " + string(rune('a'+s.next%26)) + time.Duration(s.next).String())
}

// becomes lets the table change, and holds what must not.
func (s *series) becomes(t *rapid.T, after table.Table) {
	require.GreaterOrEqual(t, after.Version, s.table.Version)
	require.LessOrEqual(t, after.Version, s.table.Version+1, "a command bumps once")
	require.NotEqual(t, table.Closed, s.table.Status, "a closed table changed")
	if before := s.table.Game; before != nil && after.Game.ID == before.ID {
		require.GreaterOrEqual(t, after.Game.Version, before.Version)
		require.LessOrEqual(t, after.Game.Version, before.Version+1, "a command bumps once")
		require.Equal(t, before.Settings, after.Game.Settings, "a game keeps its settings")
	}
	s.table = after
	if after.Game != nil && after.Game.Over() {
		if was, known := s.games[after.Game.ID]; known {
			require.Equal(t, was.Moves, after.Game.Moves)
			require.Equal(t, was.Result, after.Game.Result)
		}
		s.games[after.Game.ID] = *after.Game
	}
}

// runs stores a game that may have ended.
func (s *series) runs(t *rapid.T, g game.Game) {
	if g.Over() {
		s.becomes(t, s.table.GameOver(g, s.now))
		return
	}
	after := s.table
	after.Game = &g
	s.becomes(t, after)
}

func (s *series) play(t *rapid.T) {
	g := *s.table.Game
	if g.Over() || s.table.Status == table.Closed {
		return
	}
	column := board.Column(rapid.IntRange(1, 7).Draw(t, "column"))
	if g.CPUToMove() {
		if next, err := g.PlayCPU(column, s.now); err == nil {
			s.runs(t, next)
		}
		return
	}
	if next, changed, err := g.Play(g.Player(g.Turn()).Profile, g.Ply()+1, column, s.now, nil); err == nil && changed {
		s.runs(t, next)
	}
}

func (s *series) resign(t *rapid.T, who profile.ID) {
	if next, changed, err := s.table.Game.Resign(who, s.now); err == nil && changed && s.table.Status == table.Playing {
		s.runs(t, next)
	}
}

func (s *series) agree(t *rapid.T, who profile.ID) {
	before := *s.table.Game
	for i := range s.table.Seats {
		if rapid.Bool().Draw(t, "here") {
			s.table.Seats[i].Seen = s.now
		}
	}
	agreed, err := s.table.Agree(table.Agreement{By: who, Game: before.ID}, s.id(), time.Time{}, s.now)
	if err != nil {
		return
	}
	require.LessOrEqual(t, agreed.Last.Version, before.Version+1)
	if agreed.Started {
		require.Equal(t, agreed.Table.Game.ID, agreed.Last.Next)
		require.True(t, agreed.Last.Red.Rematch && agreed.Last.Yellow.Rematch)
		require.Equal(t, before.Number+1, agreed.Table.Game.Number)
		require.Equal(t, s.table.NextFirst, agreed.Table.Game.Red.Seat)
		require.Equal(t, s.table.Settings, agreed.Table.Game.Settings)
	}
	s.becomes(t, agreed.Table)
}

func (s *series) withdraw(t *rapid.T, who profile.ID) {
	if agreed, err := s.table.TakeBack(table.Agreement{By: who, Game: s.table.Game.ID}); err == nil {
		s.becomes(t, agreed.Table)
	}
}

func (s *series) edit(t *rapid.T, who profile.ID) {
	edit := table.Edit{By: who, SettingsVersion: s.table.SettingsVersion, Settings: s.table.Settings, Ranked: false}
	edit.Settings.AlternateFirstMove = rapid.Bool().Draw(t, "alternate")
	edit.Settings.MoveTimeLimit = rapid.SampledFrom([]time.Duration{0, 30 * time.Second}).Draw(t, "limit")
	if s.table.Editable(edit) != nil {
		return
	}
	after, changed := s.table.Change(edit, s.now)
	if !changed {
		return
	}
	for _, side := range []board.Side{board.Red, board.Yellow} {
		if p := after.Game.Player(side); p.Kind == game.Human {
			require.False(t, p.Rematch, "a change takes agreements back")
		}
	}
	s.becomes(t, after)
}

func (s *series) leave(t *rapid.T, who profile.ID) {
	leaving, err := s.table.Leave(who)
	if err != nil || rapid.IntRange(0, 9).Draw(t, "mood") != 0 {
		return
	}
	switch leaving {
	case table.ClosesTable:
		s.becomes(t, s.table.CloseBy(s.table.SeatOf(who)))
	case table.LeavesGame:
		s.becomes(t, s.table.Mark(s.table.SeatOf(who), true))
	case table.ResignsGame, table.NothingToLeave:
	}
}

func (s *series) consistent(t *rapid.T) {
	at := s.table
	require.Equal(t, at.Score.Games, at.Score.Wins[0]+at.Score.Wins[1]+at.Score.Draws)
	require.Len(t, s.games, at.Score.Games)
	require.Equal(t, at.Status == table.Closed, at.Reason != "")
	require.Equal(t, at.Status == table.Playing, !at.Game.Over())
	require.Equal(t, at.Status == table.BetweenGames, at.NextFirst != game.NoSeat)
	if at.Game.Over() {
		require.Equal(t, at.Status == table.Closed, at.Game.TableDone)
	}
}
