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
// fault is stale_ply when the ply has not been made; another error tells of moves that no game can have.
func (g Game) SceneAt(ply int) (Scene, error) {
	if ply > g.Ply() {
		return Scene{}, fault.New(fault.StalePly, "the last ply is %d, not %d", g.Ply(), ply)
	}
	before := g
	before.Moves = g.Moves[:ply]
	position, err := before.Position()
	if err != nil {
		return Scene{}, err
	}
	s := Scene{Game: g, Ply: ply, Position: position, Last: board.Field{}, Turn: position.Turn(), Result: Result{}}
	if ply > 0 {
		s.Last, _ = position.Top(board.Column(g.Moves[ply-1] - '0'))
	}
	if g.Over() && ply == g.Ply() {
		s.Turn, s.Result = board.NoSide, g.Result
	}
	return s, nil
}
