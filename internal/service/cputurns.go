package service

import (
	"context"
	"errors"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// thinkAtMost is how long the CPU may think about a turn; what it has found by then is played.
const thinkAtMost = time.Second

// MoveCPU thinks about a turn of the CPU and plays it, at the level of its side or the one that is left of it under
// the load. It is void when the ply was made or the control of the side has changed meanwhile; another change doesn't
// matter.
func (s *Timers) MoveCPU(ctx context.Context, t Turn, load cpu.Load) error {
	name, err := s.level(t.Game, load)
	if err != nil {
		return err
	}
	column, err := s.choose(ctx, t.Game.ID, t.Game.Position(), t.Game.LegalColumns(), name)
	if err != nil {
		return err
	}
	g, stale := t.Game, false
	_, err = decide(func() (struct{}, error) {
		if stale {
			if g, err = s.games.Game(ctx, t.Game.ID); err != nil {
				return struct{}{}, err
			}
		}
		stale = true
		return struct{}{}, s.dropCPU(ctx, t, g, column)
	})
	if err != nil {
		return wrap(err, "move for the CPU in game %s", t.Game.ID)
	}
	return nil
}

// dropCPU plays a column for the CPU in a game as it is now, unless it is another's turn by now.
func (s *Timers) dropCPU(ctx context.Context, t Turn, g game.Game, column board.Column) error {
	if g.Ply() != t.Game.Ply() || !g.CPUToMove() {
		return nil
	}
	after, err := g.PlayCPU(column, s.clock())
	if err != nil {
		return err
	}
	if after, err = s.saver.save(ctx, g, after); err != nil {
		return err
	}
	s.observe.Moved(game.ByCPU, after.Result.Outcome)
	if g.Player(g.Turn()).Kind == game.Human {
		s.observe.Covered()
	}
	return nil
}

// level returns the level at which the CPU makes the next disc of a game under a load. The fault is unavailable: this
// program doesn't know the level.
func (s *Timers) level(g game.Game, load cpu.Load) (level.Name, error) {
	asked := level.Name(g.CPULevel())
	name, err := cpu.Under(asked, load)
	if err != nil {
		return "", unknownLevel(g, err)
	}
	if name != asked {
		s.observe.Lowered(string(asked), string(name))
	}
	return name, nil
}

// unknownLevel says that a level was stored by a program that knows more of them: the turn is left to it.
func unknownLevel(g game.Game, err error) error {
	return fault.New(fault.Away, "the CPU's turn in game %s: %v", g.ID, err)
}

// unattended plays for both sides of a game that nobody looks at: there is nobody to think long for, and nothing
// depends on it.
func (s *Timers) unattended(ctx context.Context, g game.Game) game.Chooser {
	return func(p board.Position, legal []board.Column) (board.Column, error) {
		name, err := cpu.Under(level.Name(g.CPULevel()), cpu.Crowded)
		if err != nil {
			return 0, unknownLevel(g, err)
		}
		return s.choose(ctx, g.ID, p, legal, name)
	}
}

// choose asks the CPU for one of the legal columns.
func (s *Timers) choose(
	ctx context.Context, id game.ID, p board.Position, legal []board.Column, name level.Name,
) (board.Column, error) {
	limited, cancel := context.WithTimeout(ctx, thinkAtMost)
	defer cancel()
	column, err := s.chooser.Choose(limited, p, legal, name, seedOf(id, p.Ply()))
	switch {
	case ctx.Err() != nil: // told to stop: the next process to work on it has the time to think
		return 0, wrap(ctx.Err(), "choose ply %d of game %s", p.Ply()+1, id)
	case errors.Is(err, solver.ErrCutShort): // what was found in time is played
		s.observe.CutShort()
	case err != nil:
		return 0, wrap(err, "choose ply %d of game %s", p.Ply()+1, id)
	}
	return column, nil
}

// seedOf makes the CPU vary between games, and answer the same when it is asked twice.
func seedOf(id game.ID, ply int) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(string(id) + strconv.Itoa(ply))) // it never fails
	return sum.Sum64()
}
