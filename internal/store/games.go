package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Game is that of service.GameStore: one row by its key.
func (s *Store) Game(ctx context.Context, id game.ID) (game.Game, error) {
	row, err := one[gameRow](ctx, s, "game", "SELECT "+gameColumns+" FROM games WHERE id = ?", string(id))
	if err != nil {
		return game.Game{}, err
	}
	return row.game()
}

// saveMove appends to what is there, so that it can't undo anything; the guard on the ply lets one of many through.
const saveMove = `UPDATE games SET moves = moves || ?, took = took || ?, ply = ply + 1, turn_started = ?, version = version + 1
WHERE id = ? AND ply = ? AND status = 'in_progress' RETURNING ` + gameColumns

// SaveMove is that of service.GameStore.
func (s *Store) SaveMove(ctx context.Context, g game.Game) (game.Game, error) {
	last := g.Ply() - 1
	if last < 0 {
		return game.Game{}, fmt.Errorf("save a move of game %s: it has none", g.ID)
	}
	var saved []gameRow
	err := s.write(ctx, func(db *gorm.DB) (err error) {
		saved, err = rows[gameRow](db, saveMove, g.Moves[last:], formatTook(g.Took[last:]), micros(g.TurnStarted), string(g.ID), last)
		return err
	})
	return onlyGame(saved, err)
}

const (
	closeTable = `UPDATE tables SET status = 'closed', reason = ?, version = version + 1 WHERE id = ? AND status <> 'closed'`
	saveEnd    = `UPDATE games SET moves = moves || ?, took = took || ?, ply = ply + ?, turn_started = ?, version = version + 1,
status = 'finished', outcome = ?, winner = ?, ended_by = ?, finished = ?
WHERE id = ? AND ply = ? AND status = 'in_progress' RETURNING ` + gameColumns
)

// SaveEnd is that of service.GameStore.
func (s *Store) SaveEnd(ctx context.Context, before, after game.Game, reason table.CloseReason) (game.Game, error) {
	added := after.Moves[before.Ply():]
	result := resultOf(after.Result)
	var saved []gameRow
	err := s.inTransaction(ctx, func(tx *gorm.DB) error {
		closed, err := affected(tx, closeTable, nullable(reason), string(after.Table))
		if err != nil {
			return fmt.Errorf("close table %s: %w", after.Table, err)
		}
		if closed == 0 {
			return service.ErrChanged
		}
		saved, err = rows[gameRow](tx, saveEnd, added, formatTook(after.Took[before.Ply():]), len(added), micros(after.TurnStarted),
			result.outcome, result.winner, result.endedBy, micros(after.Finished), string(after.ID), before.Ply())
		if err != nil {
			return fmt.Errorf("finish game %s: %w", after.ID, err)
		}
		if len(saved) == 0 {
			return service.ErrChanged
		}
		return nil
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
