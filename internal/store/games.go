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

var selectGames = "SELECT " + selection("g", gameColumns) + " FROM games g"

// KnownGame is that of service.GameStore.
func (s *Store) KnownGame(id game.ID) (game.Game, bool) { return s.memory.get(id) }

// Game is that of service.GameStore. It is the row's state at a moment after the call began, from memory where that is
// known to be the same.
func (s *Store) Game(ctx context.Context, id game.ID) (game.Game, error) {
	known, found := s.memory.get(id)
	switch {
	case !found:
		return s.readGame(ctx, id)
	case s.alone:
		return known, nil
	}
	now, there, err := s.versions.mark(ctx, id)
	switch {
	case err != nil:
		return game.Game{}, err
	case there && now == markOf(known):
		return known, nil
	default:
		return s.readGame(ctx, id)
	}
}

// readGame reads the row of a game by its key. The fault is not_found.
func (s *Store) readGame(ctx context.Context, id game.ID) (game.Game, error) {
	begun := s.memory.written(id).Load()
	row, err := one[gameRow](ctx, s, "game", selectGames+" WHERE g.id = ?", string(id))
	if err != nil {
		return game.Game{}, err
	}
	g, err := s.gameOf(ctx, &row)
	if err == nil {
		s.memory.read(&g, begun)
	}
	return g, err
}

// updateGame stores what becomes of a game, and returns it as it would be read: all that a decision rested on is named by
// the version and the stamp, so nothing has to be read back. When the row is another one by now, the error is
// service.ErrChanged.
func (s *Store) updateGame(tx *gorm.DB, before, after game.Game) (game.Game, error) {
	after.Stamp = newStamp()
	was, is := newGameRow(before), newGameRow(after)
	if err := samePast(&was, &is); err != nil {
		return game.Game{}, err
	}
	assigned, err := assign(&was, &is, gameColumns)
	if err != nil {
		return game.Game{}, fmt.Errorf("save game %s: %w", before.ID, err)
	}
	statement, args := assigned.update("games", "id = ? AND version = ? AND stamp = ?", string(before.ID), before.Version, before.Stamp)
	statement, args = s.feed.publishing(idsOf(after), statement, args)
	n, err := affected(tx, statement, args...)
	switch {
	case err != nil:
		return game.Game{}, err // bare: it may be that of a commit
	case n == 0:
		return game.Game{}, service.ErrChanged
	default:
		noteGame(tx, is.game)
		return is.game, nil
	}
}

// samePast makes sure that what was played doesn't change.
func samePast(was, is *gameRow) error {
	if !strings.HasPrefix(is.game.Moves, was.game.Moves) || !strings.HasPrefix(is.game.Movers, was.game.Movers) || !strings.HasPrefix(is.took, was.took) {
		return fmt.Errorf("save game %s: what was played does not change", was.game.ID)
	}
	return nil
}

// insertGame stores a game that begins, and returns it as it would be read.
func insertGame(tx *gorm.DB, g game.Game) (game.Game, error) {
	g.Stamp = newStamp()
	row := newGameRow(g)
	if err := insert(tx, "games", &row, gameColumns); err != nil {
		return game.Game{}, fmt.Errorf("insert game %s: %w", g.ID, err)
	}
	noteGame(tx, row.game)
	return row.game, nil
}

// SaveGame is that of service.GameStore.
func (s *Store) SaveGame(ctx context.Context, before, after game.Game, due time.Time) (saved game.Game, err error) {
	if after.Over() {
		return game.Game{}, fmt.Errorf("save game %s as running: it is over", after.ID)
	}
	if s.updates != nil {
		if saved, done, err := s.shareUpdate(ctx, before, after, due); done || err != nil {
			return saved, err
		}
	}
	if due.IsZero() {
		err = s.write(ctx, func(db *gorm.DB) (err error) {
			saved, err = s.updateGame(db, before, after)
			return err
		})
		return saved, err
	}
	err = s.inTransaction(ctx, func(tx *gorm.DB) (err error) {
		if saved, err = s.updateGame(tx, before, after); err != nil {
			return err
		}
		return setTimer(tx, after.ID, due)
	})
	return saved, err
}

// shareUpdate stores what becomes of a running game by a statement that it may share with others. It isn't done when the
// statement failed, and nothing is stored.
func (s *Store) shareUpdate(ctx context.Context, before, after game.Game, due time.Time) (saved game.Game, done bool, err error) {
	if err = ctx.Err(); err != nil {
		return game.Game{}, false, fmt.Errorf("write: %w", err)
	}
	u, err := newSharedUpdate(before, after, due)
	if err != nil {
		return game.Game{}, false, err
	}
	stored, err := s.updates.store(ctx, u)
	switch err = s.sent(err); {
	case isUnknown(err):
		s.memory.forget(before.ID)
		return game.Game{}, false, s.translate(err)
	case err != nil:
		return game.Game{}, false, nil //nolint:nilerr // by itself it may succeed, or says what is wrong
	case !stored:
		return game.Game{}, false, service.ErrChanged
	default:
		s.memory.wrote(&u.after.game)
		return u.after.game, true, nil
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
		t, err = s.saveEnd(tx, before, open, open.GameOver(counted.game, after.Finished).Rerated(counted.ratings()), counted)
		return err
	})
	if err != nil {
		return game.Game{}, table.Table{}, err
	}
	return *t.Game, t, nil
}

// saveEnd stores a table whose game has ended, the game with what the table says about the next, and how it counts.
func (s *Store) saveEnd(tx *gorm.DB, before game.Game, open, after table.Table, counted counted) (table.Table, error) {
	saved, err := s.updateGame(tx, before, *after.Game)
	if err != nil {
		return table.Table{}, err
	}
	after.Game = &saved
	if after, err = s.updateTable(tx, open, after); err != nil {
		return table.Table{}, err
	}
	if err = counted.store(tx); err != nil {
		return table.Table{}, err
	}
	return after, dropTimer(tx, before.ID)
}
