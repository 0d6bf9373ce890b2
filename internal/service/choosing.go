package service

import (
	"context"
	"errors"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// thinkAtMost is how long the CPU may think about a turn; what it has found by then is played.
const thinkAtMost = time.Second

// level returns the level at which the CPU makes the next disc of a game under a load.
func (s *Timers) level(g game.Game, load cpu.Load) cpu.Level {
	asked := cpu.Level(g.CPULevel())
	level := asked.Under(load)
	if level != asked {
		s.observe.Lowered(string(asked), string(level))
	}
	return level
}

// unattended plays for both sides of a game that nobody looks at: there is nobody to think long for, and nothing
// depends on it.
func (s *Timers) unattended(ctx context.Context, g game.Game) game.Chooser {
	return func(p board.Position, legal []board.Column) (board.Column, error) {
		return s.choose(ctx, g.ID, p, legal, cpu.Level(g.CPULevel()).Under(cpu.Crowded))
	}
}

// choose asks the CPU for one of the legal columns.
func (s *Timers) choose(
	ctx context.Context, id game.ID, p board.Position, legal []board.Column, level cpu.Level,
) (board.Column, error) {
	limited, cancel := context.WithTimeout(ctx, thinkAtMost)
	defer cancel()
	column, err := s.chooser.Choose(limited, p, legal, level, seedOf(id, p.Ply()))
	switch {
	case ctx.Err() != nil: // told to stop: whoever works on it next has the time to think
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
