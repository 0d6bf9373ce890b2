package game

import (
	"fmt"
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// ID names a game: a UUID in canonical form.
type ID string

// TableID names the table a game is played at: a UUID in canonical form.
type TableID string

// Seat is a seat of a table, 1 or 2. The zero value is no seat.
type Seat int

// The seats of a table.
const (
	NoSeat Seat = iota
	HostSeat
	GuestSeat
)

// Status says whether a game runs.
type Status string

// The statuses.
const (
	InProgress Status = "in_progress"
	Finished   Status = "finished"
)

// Outcome is how a game ended; empty while it runs.
type Outcome string

// The outcomes. There is no third.
const (
	Win  Outcome = "win"
	Draw Outcome = "draw"
)

// EndedBy is what won a game; empty for a draw.
type EndedBy string

// What wins a game.
const (
	Line        EndedBy = "line"
	Resignation EndedBy = "resignation"
)

// Player is who plays a side, named as when the game began.
type Player struct {
	Seat    Seat
	Profile profile.ID
	Name    profile.Name
}

// Settings are the house rules a game is played by. A game keeps those it started with.
type Settings struct {
	FirstPlayer      string // houserule.SeatOrder or houserule.Random
	EndDeadPositions bool   // whether a dead position is a draw at once
}

// Defaults returns the settings of a table whose host chose nothing.
func Defaults(rules houserule.Catalogue) Settings {
	return Settings{
		FirstPlayer:      rules.Default(houserule.FirstPlayer),
		EndDeadPositions: rules.Default(houserule.EndDeadPositions) == houserule.On,
	}
}

// Result is how a finished game ended. The zero value is none.
type Result struct {
	Outcome Outcome
	Winner  board.Side // NoSide for a draw
	EndedBy EndedBy    // empty for a draw
}

// Game is one game.
type Game struct {
	ID       ID
	Table    TableID
	Number   int   // which game of its table, from 1
	Version  int64 // grows with every change that a reader sees, from 1
	Private  bool  // seen by its two seats only
	Settings Settings
	Red      Player
	Yellow   Player
	Moves    string          // columns played, "1" to "7", first move first
	Took     []time.Duration // how long each ply took, whole milliseconds
	Status   Status
	Result   Result

	Started     time.Time
	TurnStarted time.Time // when the running turn began; of a finished game, when its last turn began
	Finished    time.Time // zero while the game runs
}

// Opening is what a game starts from.
type Opening struct {
	ID       ID
	Table    TableID
	Number   int
	Private  bool
	Settings Settings
	Red      Player
	Yellow   Player
}

// Start begins a game.
func Start(o Opening, at time.Time) Game {
	return Game{
		ID: o.ID, Table: o.Table, Number: o.Number, Version: 1, Private: o.Private, Settings: o.Settings,
		Red: o.Red, Yellow: o.Yellow, Moves: "", Took: nil, Status: InProgress, Result: Result{},
		Started: at, TurnStarted: at, Finished: time.Time{},
	}
}

// Position returns the board. The error tells of moves that no game can have, which a store must never hold.
func (g Game) Position() (board.Position, error) {
	p, err := board.Parse(g.Moves)
	if err != nil {
		return board.Position{}, fmt.Errorf("moves of game %s: %w", g.ID, err)
	}
	return p, nil
}

// Ply returns the number of discs on the board.
func (g Game) Ply() int { return len(g.Moves) }

// Over reports whether the game has ended.
func (g Game) Over() bool { return g.Status == Finished }

// Turn returns the side to move, and NoSide when the game is over.
func (g Game) Turn() board.Side {
	if g.Over() {
		return board.NoSide
	}
	return moverOf(g.Ply() + 1)
}

// Player returns who plays a side.
func (g Game) Player(side board.Side) Player {
	if side == board.Yellow {
		return g.Yellow
	}
	return g.Red
}

// SideOf returns the side a profile plays, and NoSide for anybody else.
func (g Game) SideOf(who profile.ID) board.Side {
	switch who {
	case "": // no CPU's side either
		return board.NoSide
	case g.Red.Profile:
		return board.Red
	case g.Yellow.Profile:
		return board.Yellow
	default:
		return board.NoSide
	}
}

// VisibleTo reports whether a profile may see the game. The zero ID is a stranger without a profile.
func (g Game) VisibleTo(who profile.ID) bool { return !g.Private || g.SideOf(who) != board.NoSide }

// Tag names the version of the game as a reader has seen it.
func (g Game) Tag() string { return strconv.FormatInt(g.Version, 10) }

// Move is one disc that was dropped.
type Move struct {
	Ply   int
	Field board.Field
	Side  board.Side
	At    time.Time
	Took  time.Duration // since the turn began
}

// Played returns the moves so far, first move first.
func (g Game) Played() []Move {
	var (
		heights [board.Columns + 1]int
		moves   = make([]Move, 0, g.Ply())
		at      = g.Started
	)
	for i, digit := range []byte(g.Moves) {
		column := board.Column(digit - '0')
		heights[column]++
		at = at.Add(g.Took[i])
		moves = append(moves, Move{
			Ply: i + 1, Field: board.Field{Column: column, Row: heights[column]},
			Side: moverOf(i + 1), At: at, Took: g.Took[i],
		})
	}
	return moves
}

// pollRunning is how soon a client that does not wait should ask for a running game again.
const pollRunning = time.Second

// PollAfter returns when to ask again without waiting; false means never: the game is over and its table closed.
func (g Game) PollAfter() (time.Duration, bool) { return pollRunning, !g.Over() }

// moverOf returns the side that makes a ply: red makes the odd ones.
func moverOf(ply int) board.Side {
	if ply%2 == 1 {
		return board.Red
	}
	return board.Yellow
}
