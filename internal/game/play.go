package game

import (
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Play makes a ply for a player. It returns the game after it and true, or the game as it is and false when the
// same player made this ply with this column before: a request that was sent again. The faults are, in the order
// they are looked for, not_seated, stale_ply (this ply was made differently), game_finished, stale_ply (the ply lies
// ahead), not_your_turn and column_full.
func (g Game) Play(by profile.ID, ply int, column board.Column, at time.Time) (Game, bool, error) {
	side := g.SideOf(by)
	if side == board.NoSide {
		return g, false, notSeated()
	}
	if ply <= g.Ply() {
		if moverOf(ply) == side && g.Moves[ply-1] == digitOf(column) {
			return g, false, nil
		}
		return g, false, g.stale(ply)
	}
	if g.Over() {
		return g, false, finished()
	}
	if ply > g.Ply()+1 {
		return g, false, g.stale(ply)
	}
	if g.Turn() != side {
		return g, false, fault.New(fault.Conflict, fault.NotYourTurn, "ply %d is %s's", ply, g.Turn())
	}
	return g.drop(column, at)
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
		return g.end(Result{Outcome: Win, Winner: side.Other(), EndedBy: Resignation}, at), true, nil
	}
}

// drop plays a column for the side to move.
func (g Game) drop(column board.Column, at time.Time) (Game, bool, error) {
	before, err := g.Position()
	if err != nil {
		return g, false, err
	}
	after, err := before.Play(column)
	if err != nil {
		return g, false, fault.New(fault.Refused, fault.ColumnFull, "column %d has no free field", column)
	}
	took := max(at.Sub(g.TurnStarted), 0).Truncate(time.Millisecond)
	at = g.TurnStarted.Add(took)
	next := g
	next.Moves += strconv.Itoa(int(column))
	next.Took = append(append(make([]time.Duration, 0, len(next.Moves)), g.Took...), took)
	next.TurnStarted = at
	if result, over := judge(after, g.Settings); over {
		return next.end(result, at), true, nil
	}
	next.Version++
	return next, true, nil
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

// end finishes the game: one change, one version.
func (g Game) end(r Result, at time.Time) Game {
	g.Status, g.Result, g.Finished = Finished, r, at
	g.Version++
	return g
}

func (g Game) stale(ply int) error {
	return fault.New(fault.Conflict, fault.StalePly, "the next ply is %d, not %d", g.Ply()+1, ply)
}

func finished() error {
	return fault.New(fault.Conflict, fault.GameFinished, "the game ended before this request")
}

func notSeated() error {
	return fault.New(fault.Forbidden, fault.NotSeated, "only the two seats of this game may do this")
}

func digitOf(column board.Column) byte { return byte('0' + column) } //nolint:gosec // a column is 1 to 7
