package game

import (
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
)

// Scene is a game as it stood after one of its plies.
type Scene struct {
	Game     Game
	Ply      int
	Position board.Position
	Last     board.Field // of the ply's disc; the zero value at the beginning
	Turn     board.Side  // NoSide when the game was over with this ply
	Result   Result      // none when it went on
}

// SceneAt returns the game as it stood after a ply, 0 to 42. A resignation or a lost clock belongs to the last ply. The
// fault is stale_ply when the ply has not been made.
func (g Game) SceneAt(ply int) (Scene, error) {
	if ply > g.Ply() {
		return Scene{}, fault.New(fault.StalePly, "the last ply is %d, not %d", g.Ply(), ply)
	}
	position := g.positionAt(ply)
	s := Scene{Game: g, Ply: ply, Position: position, Last: board.Field{}, Turn: position.Turn(), Result: Result{}}
	if ply > 0 {
		s.Last, _ = position.Top(g.columnAt(ply))
	}
	if g.Over() && ply == g.Ply() {
		s.Turn, s.Result = board.NoSide, g.Result
	}
	return s, nil
}

// positionAt returns the board after a ply that was made.
func (g Game) positionAt(ply int) board.Position {
	p := g.position
	for last := g.Ply(); last > ply; last-- {
		p = p.Undo(g.columnAt(last))
	}
	return p
}
