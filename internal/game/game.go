package game

import (
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
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
	Timeout     EndedBy = "timeout"
)

// Result is how a finished game ended. The zero value is none.
type Result struct {
	Outcome Outcome
	Winner  board.Side // NoSide for a draw
	EndedBy EndedBy    // empty for a draw
}

// Game is one game.
type Game struct {
	ID         ID
	Table      TableID
	Number     int   // which game of its table, from 1
	Version    int64 // grows with every change that a reader sees, from 1
	Stamp      int64 // drawn by the store with each version: tells two states of one version apart
	Private    bool  // seen by its two seats only
	Ranked     bool
	Unattended bool // the CPU finished it because nobody was there for a day
	Settings   Settings
	Red        Player
	Yellow     Player
	Moves      string          // columns played, "1" to "7", first move first
	Movers     string          // who made each ply: "h" a human, "c" the CPU
	Took       []time.Duration // from the ply before (or the start) to each ply, whole milliseconds
	Status     Status
	Result     Result
	Rating     Rating
	Next       ID     // the next game of the table; empty until there is one
	NextFirst  Seat   // who will start or has started it; NoSeat while the game runs and when nothing follows
	TableDone  bool   // the game is over and its table closed: nothing follows
	Hinted     uint64 // the plies for which a hint was given: bit 0 for ply 1

	Started     time.Time
	TurnStarted time.Time // when the running turn began, anew after sleep
	Deadline    time.Time // when it ends, before outages are given back; zero: nothing ends it
	TimedOut    bool      // it has ended: the CPU makes this ply
	AsleepSince time.Time // zero: awake
	Finished    time.Time // zero while the game runs

	position board.Position // where Moves lead
}

// Opening is what a game starts from.
type Opening struct {
	ID       ID
	Table    TableID
	Number   int
	Private  bool
	Ranked   bool
	Settings Settings
	Red      Player
	Yellow   Player
}

// Start begins a game.
func Start(o Opening, at time.Time) Game {
	return Game{
		ID: o.ID, Table: o.Table, Number: o.Number, Version: 1, Stamp: 0, Private: o.Private, Ranked: o.Ranked, Unattended: false,
		Settings: o.Settings, Red: o.Red, Yellow: o.Yellow, Moves: "", Movers: "", Took: nil, Status: InProgress,
		Result: Result{}, Rating: Rating{}, Next: "", NextFirst: NoSeat, TableDone: false, Hinted: 0, Started: at, TurnStarted: at, Deadline: time.Time{}, TimedOut: false,
		AsleepSince: time.Time{}, Finished: time.Time{}, position: board.Position{},
	}.startTurn(at)
}

// Position returns the board.
func (g Game) Position() board.Position { return g.position }

// LegalColumns returns the columns that the side to move may play by the rules of the board and of the house, from left
// to right; none, but not nil, when the game is over.
func (g Game) LegalColumns() []board.Column {
	if g.Over() {
		return []board.Column{}
	}
	return g.Settings.LegalAt(g.position)
}

// LegalAt returns what may be played in a position: none, but not nil, when a game would be over.
func (s Settings) LegalAt(p board.Position) []board.Column {
	if _, over := judge(p, s); over {
		return []board.Column{}
	}
	return p.LegalColumns()
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

// VisibleTo reports whether a profile may see the game. The zero ID is a stranger without a profile.
func (g Game) VisibleTo(who profile.ID) bool { return !g.Private || g.SideOf(who) != board.NoSide }

// Tag names the version of the game.
func (g Game) Tag() string { return strconv.FormatInt(g.Version, 10) }

// VersionIn returns the version that a tag names; 0, which no game has, for what is no tag of one.
func VersionIn(tag string) int64 {
	version, err := strconv.ParseInt(tag, 10, 64)
	if err != nil {
		return 0
	}
	return version
}

// TagFor names what a viewer is shown: the version, marked with the side that is theirs.
func (g Game) TagFor(viewer board.Side) string {
	switch viewer {
	case board.Red:
		return g.Tag() + "-r"
	case board.Yellow:
		return g.Tag() + "-y"
	case board.NoSide:
		return g.Tag()
	default:
		return g.Tag()
	}
}

// Move is one disc that was dropped.
type Move struct {
	Ply    int
	Field  board.Field
	Side   board.Side
	MadeBy Controller
	At     time.Time
	Took   time.Duration // since the ply before, or the start
}

// LastMove returns the move made last; false before the first.
func (g Game) LastMove() (Move, bool) {
	ply := g.Ply()
	if ply == 0 {
		return Move{}, false
	}
	field, _ := g.position.Top(g.columnAt(ply))
	return Move{
		Ply: ply, Field: field, Side: moverOf(ply), MadeBy: madeBy(g.Movers[ply-1]), At: g.lastMoveAt(), Took: g.Took[ply-1],
	}, true
}

// columnAt returns the column of a ply that was made.
func (g Game) columnAt(ply int) board.Column { return board.Column(g.Moves[ply-1] - '0') }

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
			Side: moverOf(i + 1), MadeBy: madeBy(g.Movers[i]), At: at, Took: g.Took[i],
		})
	}
	return moves
}

const (
	pollRunning  = time.Second            // how soon a watcher asks for a running game again
	pollThinking = 500 * time.Millisecond // how soon while the CPU thinks
	pollFinished = 2 * time.Second        // how soon while there may be a next game
)

// PollAfter returns when a profile that does not wait should ask again: often enough that the owner of a seat is
// never taken for away. False means never: the game is over and has its next, or its table is closed.
func (g Game) PollAfter(who profile.ID) (time.Duration, bool) {
	switch {
	case g.Over():
		return pollFinished, !g.TableDone && g.Next == ""
	case g.CPUToMove():
		return pollThinking, true
	case g.SideOf(who) != board.NoSide:
		return min(pollRunning, g.Settings.CoverGrace/3), true
	default:
		return pollRunning, true
	}
}

// madeBy reads a letter of Movers.
func madeBy(letter byte) Controller {
	if letter == 'c' {
		return ByCPU
	}
	return ByPlayer
}

// moverOf returns the side that makes a ply: red makes the odd ones.
func moverOf(ply int) board.Side {
	if ply%2 == 1 {
		return board.Red
	}
	return board.Yellow
}
