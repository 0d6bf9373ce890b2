package game

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Play makes a ply for a player, who is here by it. It returns the game after it and true, or the game as it is and
// false when the same player made this ply with this column before: a request that was sent again. The faults are,
// in the order they are looked for, not_seated, stale_ply (this ply was made differently, or by the CPU),
// game_finished, stale_ply (the ply lies ahead), not_your_turn, time_is_up and column_full. After time_is_up the
// deadline may still have to be applied: ask TimeIsUp.
func (g Game) Play(by profile.ID, ply int, column board.Column, arrived time.Time, o Outages) (Game, bool, error) {
	side := g.SideOf(by)
	switch {
	case side == board.NoSide:
		return g, false, notSeated()
	case ply <= g.Ply() && g.madeBefore(side, ply, column):
		return g, false, nil
	case ply <= g.Ply():
		return g, false, g.stale(ply)
	case g.Over():
		return g, false, finished()
	case ply > g.Ply()+1:
		return g, false, g.stale(ply)
	case g.Turn() != side:
		return g, false, fault.New(fault.NotYourTurn, "ply %d is %s's", ply, g.Turn())
	case g.TimedOut, g.TimeIsUp(arrived, o):
		return g, false, fault.New(fault.TimeIsUp, "the clock of ply %d had run out", ply)
	}
	returned, _ := g.withPresence(side, Here, arrived)
	next, err := returned.drop(column, 'h', arrived)
	if err != nil {
		return g, false, err
	}
	next.Version++
	return next, true, nil
}

// madeBefore reports whether a side's owner made a ply with a column.
func (g Game) madeBefore(side board.Side, ply int, column board.Column) bool {
	return moverOf(ply) == side && g.Movers[ply-1] == 'h' && g.Moves[ply-1] == digitOf(column)
}

// PlayCPU makes the next ply for the CPU. Ask CPUToMove first.
func (g Game) PlayCPU(column board.Column, at time.Time) (Game, error) {
	next, err := g.drop(column, 'c', at)
	if err != nil {
		return g, err
	}
	next.Version++
	return next, nil
}

// Resign gives the game to the other side. It returns the game after it and true, or the game as it is and false
// when the same player resigned it before. The faults are not_seated and game_finished.
func (g Game) Resign(by profile.ID, at time.Time) (Game, bool, error) {
	side := g.SideOf(by)
	switch {
	case side == board.NoSide:
		return g, false, notSeated()
	case g.Over() && g.Result.EndedBy == Resignation && g.Result.Winner == side.Other():
		return g, false, nil
	case g.Over():
		return g, false, finished()
	default:
		lost := g.resigned(side, at)
		lost.Version++
		return lost, true, nil
	}
}

// resigned is the step of giving the game to the other side.
func (g Game) resigned(side board.Side, at time.Time) Game {
	return g.end(Result{Outcome: Win, Winner: side.Other(), EndedBy: Resignation}, at)
}

// LeavingResigns reports whether leaving the running game gives it up, because nobody would play on.
func (g Game) LeavingResigns() bool {
	return !g.Settings.CPUCover && !g.VersusCPU() && g.Settings.Understood()
}

// drop is the step of playing a column for the side to move.
func (g Game) drop(column board.Column, mover byte, at time.Time) (Game, error) {
	after, err := g.position.Play(column)
	if err != nil {
		return g, refusedMove(column, err)
	}
	last := g.lastMoveAt()
	took := max(at.Sub(last), 0).Truncate(time.Millisecond)
	at = last.Add(took)
	next := g
	next.position = after
	next.Moves += strconv.Itoa(int(column))
	next.Movers += string(mover)
	next.Took = append(append(make([]time.Duration, 0, len(next.Moves)), g.Took...), took)
	if result, over := judge(after, g.Settings); over {
		return next.end(result, at), nil
	}
	return next.startTurn(at), nil
}

// refusedMove returns what an error of the board means to a player.
func refusedMove(column board.Column, err error) error {
	switch {
	case errors.Is(err, board.ErrColumnFull):
		return fault.New(fault.ColumnFull, "column %d has no free field", column)
	case errors.Is(err, board.ErrNoSuchColumn):
		return fault.At("/column", fault.InvalidRequest, "there is no column %d", column)
	case errors.Is(err, board.ErrGameOver):
		return finished()
	default:
		return fmt.Errorf("play column %d: %w", column, err)
	}
}

// lastMoveAt returns when the last ply was made, or the start.
func (g Game) lastMoveAt() time.Time {
	at := g.Started
	for _, took := range g.Took {
		at = at.Add(took)
	}
	return at
}

// EndsAt reports whether the game would be over, by its own settings, with a position on the board.
func (g Game) EndsAt(p board.Position) bool {
	_, over := judge(p, g.Settings)
	return over
}

// ResultOf returns how a position ended by the rules of the board alone; a position that goes on has none.
func ResultOf(p board.Position) Result {
	result, _ := judge(p, Settings{}) //nolint:exhaustruct // no house rule ends it
	return result
}

// judge says whether a position ends a game that is played by the settings, and how.
func judge(p board.Position, s Settings) (Result, bool) {
	switch {
	case p.Winner() != board.NoSide:
		return Result{Outcome: Win, Winner: p.Winner(), EndedBy: Line}, true
	case p.Full(), s.EndDeadPositions && p.Dead():
		return Result{Outcome: Draw, Winner: board.NoSide, EndedBy: ""}, true
	default:
		return Result{}, false
	}
}

// end is the step of finishing the game. A finished game has no running clock and nobody asleep at it.
func (g Game) end(r Result, at time.Time) Game {
	g.Status, g.Result, g.Finished = Finished, r, at
	g.Deadline, g.TimedOut, g.AsleepSince = time.Time{}, false, time.Time{}
	return g
}

func (g Game) stale(ply int) error {
	if ply <= g.Ply() {
		return fault.New(fault.StalePly, "ply %d was made otherwise", ply)
	}
	return fault.New(fault.StalePly, "the next ply is %d, not %d", g.Ply()+1, ply)
}

func finished() error {
	return fault.New(fault.GameFinished, "the game ended before this request")
}

func notSeated() error {
	return fault.New(fault.NotSeated, "only the two seats of this game may do this")
}

func digitOf(column board.Column) byte { return byte('0' + column) } //nolint:gosec // a column is 1 to 7
