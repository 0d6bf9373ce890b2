package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

var returnGame = " RETURNING " + strings.Join(gameColumns, ", ")

// Game is that of service.GameStore: one row by its key.
func (s *Store) Game(ctx context.Context, id game.ID) (game.Game, error) {
	row, err := one[gameRow](ctx, s, "game", "SELECT "+strings.Join(gameColumns, ", ")+" FROM games WHERE id = ?", string(id))
	if err != nil {
		return game.Game{}, err
	}
	return row.game()
}

// asBefore is what a decision about a running game rests on. Two turns of one ply differ in when they began, two
// sleeps in since when: a deadline or a sleep that is over and done with finishes nothing.
const asBefore = `id = ? AND status = 'in_progress' AND ply = ? AND red_presence = ? AND yellow_presence = ? AND timed_out = ?
AND turn_started = ? AND asleep_since IS NOT DISTINCT FROM ?`

// guardedUpdate is the UPDATE of a game, which does nothing unless it is as before.
func guardedUpdate(before, after game.Game) (string, []any, error) {
	was := newGameRow(before)
	assigned, err := assignGame(was, newGameRow(after))
	if err != nil {
		return "", nil, err
	}
	statement, args := assigned.update("games", asBefore,
		was.ID, was.Ply, was.Red.Presence, was.Yellow.Presence, was.TimedOut, was.TurnStarted, value(was.AsleepSince))
	return statement + returnGame, args, nil
}

// assignGame sets what differs. Moves are appended to what is there, so that nothing can undo one.
func assignGame(before, after gameRow) (assignment, error) {
	var assigned assignment
	if !strings.HasPrefix(after.Moves, before.Moves) || !strings.HasPrefix(after.Movers, before.Movers) ||
		!strings.HasPrefix(after.Took, before.Took) || before.ID != after.ID {
		return assigned, fmt.Errorf("save game %s: what was played does not change", before.ID)
	}
	assigned.to("version = version + ?", after.Version-before.Version)
	if after.Ply > before.Ply {
		assigned.to("moves = moves || ?", after.Moves[len(before.Moves):])
		assigned.to("movers = movers || ?", after.Movers[len(before.Movers):])
		assigned.to("took = took || ?", after.Took[len(before.Took):])
	}
	assigned.changes(before.cells(), after.cells())
	return assigned, nil
}

// SaveGame is that of service.GameStore.
func (s *Store) SaveGame(ctx context.Context, before, after game.Game, look time.Time) (game.Game, error) {
	if after.Over() {
		return game.Game{}, fmt.Errorf("save game %s as running: it is over", after.ID)
	}
	statement, args, err := guardedUpdate(before, after)
	if err != nil {
		return game.Game{}, err
	}
	var saved []gameRow
	if look.IsZero() {
		err = s.write(ctx, func(db *gorm.DB) (err error) {
			saved, err = rows[gameRow](db, statement, args...)
			return err
		})
		return onlyGame(saved, err)
	}
	err = s.inTransaction(ctx, func(tx *gorm.DB) (err error) {
		if saved, err = rows[gameRow](tx, statement, args...); err != nil {
			return fmt.Errorf("save game %s: %w", after.ID, err)
		}
		if len(saved) == 0 {
			return service.ErrChanged
		}
		return setTimer(tx, after.ID, look)
	})
	return onlyGame(saved, err)
}

// onlyGame is the game that a guarded statement let through.
func onlyGame(saved []gameRow, err error) (game.Game, error) {
	switch {
	case err != nil:
		return game.Game{}, err
	case len(saved) == 0:
		return game.Game{}, service.ErrChanged
	default:
		return saved[0].game()
	}
}

// SaveEnd is that of service.GameStore. The rows of the table and the game are locked from before they are read, so
// that nobody leaves or changes them while the game ends.
func (s *Store) SaveEnd(ctx context.Context, before, after game.Game) (game.Game, table.Table, error) {
	if !after.Over() {
		return game.Game{}, table.Table{}, fmt.Errorf("save the end of game %s: it is not over", after.ID)
	}
	var t table.Table
	err := s.inTransaction(ctx, func(tx *gorm.DB) error {
		open, err := s.lockTableAndGame(tx, after.Table)
		if err != nil {
			return err
		}
		if open.Status != table.Playing || open.Game == nil || open.Game.ID != after.ID {
			return service.ErrChanged
		}
		counted, err := s.count(tx, after)
		if err != nil {
			return err
		}
		t, err = saveEnd(tx, before, open, open.GameOver(counted.game, after.Finished).Rerated(counted.ratings()), counted)
		return err
	})
	if err != nil {
		return game.Game{}, table.Table{}, err
	}
	return *t.Game, t, nil
}

// saveEnd stores a table whose game has ended, the game with what the table says about the next, and how it counts.
func saveEnd(tx *gorm.DB, before game.Game, open, after table.Table, counted counted) (table.Table, error) {
	id := before.ID
	statement, args, err := guardedUpdate(before, *after.Game)
	if err != nil {
		return table.Table{}, err
	}
	saved, err := rows[gameRow](tx, statement, args...)
	if err != nil {
		return table.Table{}, fmt.Errorf("finish game %s: %w", id, err)
	}
	if len(saved) == 0 {
		return table.Table{}, service.ErrChanged
	}
	if err = updateTable(tx, open, after); err != nil {
		return table.Table{}, err
	}
	if err = counted.store(tx); err != nil {
		return table.Table{}, err
	}
	if err = dropTimer(tx, id); err != nil {
		return table.Table{}, err
	}
	kept := newSeatedRow(after)
	kept.Game = saved[0]
	return kept.table()
}
