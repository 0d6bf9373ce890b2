package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// ChangeTable is that of service.TableStore. Table and game are locked before decide sees them: who changes either
// meanwhile waits, and a move that was faster is seen.
func (s *Store) ChangeTable(
	ctx context.Context, id table.ID, decide func(table.Table) (service.TableChange, error),
) (table.Table, error) {
	var (
		changed table.Table
		refusal error
	)
	err := s.inTransaction(ctx, func(tx *gorm.DB) error {
		before, err := s.lockTableAndGame(tx, id)
		if err != nil {
			return err
		}
		change, err := decide(withOwnGame(before))
		if refusal = err; err != nil {
			return err
		}
		changed, err = s.keep(tx, before, change)
		return err
	})
	switch {
	case refusal != nil: // as it is
		return table.Table{}, refusal
	case err != nil:
		return table.Table{}, err
	default:
		return changed, nil
	}
}

// lockedRow is what locking a table's row tells.
type lockedRow struct {
	GameID *string `gorm:"column:game_id"`
}

// lockTable lets those wait who want to change the same table, until the transaction ends, and returns the table's
// game. A statement that waited for a lock sees other rows as they were before: what is to be decided on is read by
// the next one. The fault is not_found.
func (s *Store) lockTable(tx *gorm.DB, id table.ID) (*string, error) {
	if s.dialect.lockRow == "" {
		return nil, nil
	}
	locked, err := rows[lockedRow](tx, "SELECT game_id FROM tables WHERE id = ?"+s.dialect.lockRow, string(id))
	switch {
	case err != nil && s.dialect.malformed(err):
		return nil, missing("table")
	case err != nil:
		return nil, fmt.Errorf("lock table %s: %w", id, err)
	case len(locked) == 0:
		return nil, missing("table")
	default:
		return locked[0].GameID, nil
	}
}

// lockTableAndGame locks both and returns the table.
func (s *Store) lockTableAndGame(tx *gorm.DB, id table.ID) (table.Table, error) {
	gameID, err := s.lockTable(tx, id)
	if err != nil {
		return table.Table{}, err
	}
	if gameID != nil {
		if _, err = rows[lockedRow](tx, "SELECT id AS game_id FROM games WHERE id = ?"+s.dialect.lockRow, *gameID); err != nil {
			return table.Table{}, fmt.Errorf("lock game %s: %w", *gameID, err)
		}
	}
	return tableIn(tx, id)
}

// tableIn reads a table in a transaction. The fault is not_found.
func tableIn(tx *gorm.DB, id table.ID) (table.Table, error) {
	found, err := rows[seatedRow](tx, selectSeated+" WHERE t.id = ?", string(id))
	if err != nil {
		return table.Table{}, fmt.Errorf("read table %s: %w", id, err)
	}
	if len(found) == 0 {
		return table.Table{}, missing("table")
	}
	return found[0].restored()
}

// withOwnGame returns a table that shares its game with nobody.
func withOwnGame(t table.Table) table.Table {
	if t.Game != nil {
		g := *t.Game
		t.Game = &g
	}
	return t
}

// keep stores a change of a table that is locked, and returns the table as it is then.
func (s *Store) keep(tx *gorm.DB, before table.Table, change service.TableChange) (table.Table, error) {
	ended := before.Game != nil && !before.Game.Over() && change.Game != nil && change.Game.Over()
	after, started := outcome(before, change)
	if said := change.Presence; said != nil { // early: who writes presences in batches refers to the table's row
		if err := sayPresence(tx, before.ID, *said); err != nil {
			return table.Table{}, err
		}
	}
	if started {
		if err := beginGame(tx, after.Game); err != nil {
			return table.Table{}, err
		}
	}
	after, err := s.keepGame(tx, before.Game, change.Game, after)
	if err != nil {
		return table.Table{}, err
	}
	if after, err = s.updateTable(tx, before, after); err != nil {
		return table.Table{}, err
	}
	if err := s.limitTables(tx, change.Seated, change.AtMost); err != nil {
		return table.Table{}, err
	}
	if err := timeChange(tx, before.Game, after.Game, ended, change.Due); err != nil {
		return table.Table{}, err
	}
	return after, nil
}

// keepGame stores what becomes of a table's game, if anything does, and returns the table as it is by that.
func (s *Store) keepGame(tx *gorm.DB, before, g *game.Game, after table.Table) (table.Table, error) {
	if before == nil || g == nil {
		return after, nil
	}
	if !before.Over() && g.Over() {
		ratings, err := s.countEnd(tx, g)
		if err != nil {
			return table.Table{}, err
		}
		after = after.Rerated(ratings)
	}
	saved, err := s.updateGame(tx, *before, *g)
	*g = saved // which is the table's unless another one has begun
	return after, err
}

// beginGame stores a game that begins, with the ratings of the moment.
func beginGame(tx *gorm.DB, g *game.Game) error {
	found, err := rows[playerRow](tx, "SELECT id, rating FROM profiles WHERE id IN ?", playersOf(*g))
	if err != nil {
		return fmt.Errorf("read the ratings of those who begin game %s: %w", g.ID, err)
	}
	for _, row := range found {
		for _, p := range []*game.Player{&g.Red, &g.Yellow} {
			if string(p.Profile) == row.ID {
				p.Rating = profile.Rating(row.Standing.Rating)
			}
		}
	}
	*g, err = insertGame(tx, *g)
	return err
}

// countEnd lets a game that ends by a change of its table count, and returns its players' ratings after it.
func (s *Store) countEnd(tx *gorm.DB, g *game.Game) (map[profile.ID]profile.Rating, error) {
	counted, err := s.count(tx, *g)
	if err != nil {
		return nil, err
	}
	*g = counted.game
	return counted.ratings(), counted.store(tx)
}

// outcome returns what a table is after a change, and whether a game began by it.
func outcome(before table.Table, change service.TableChange) (table.Table, bool) {
	after := change.Table
	for i := range after.Seats {
		after.Seats[i].Seen, after.Seats[i].SaidAway = before.Seats[i].Seen, before.Seats[i].SaidAway
	}
	if said := change.Presence; said != nil {
		seat := &after.Seats[said.Seat-1]
		seat.SaidAway = said.Away
		if seat.Seen.IsZero() || !said.Away && said.At.After(seat.Seen) {
			seat.Seen = said.At
		}
	}
	if after.Game != nil && (before.Game == nil || after.Game.ID != before.Game.ID) {
		return after, true
	}
	if after.Game = before.Game; change.Game != nil {
		after.Game = change.Game
	}
	return after, false
}

// updateTable stores what differs of a table that is locked, and returns it as it would be read.
func (s *Store) updateTable(tx *gorm.DB, before, after table.Table) (table.Table, error) {
	was, is := newTableRow(before), newTableRow(after)
	assigned, err := assign(&was, &is, tableColumns)
	switch {
	case err != nil:
		return table.Table{}, fmt.Errorf("change table %s: %w", before.ID, err)
	case len(assigned.args) == 0:
		return is.table, nil
	}
	statement, args := assigned.update("tables", "id = ?", string(before.ID))
	statement, args = s.feed.publishing(idsAt(before, after), statement, args)
	if _, err := affected(tx, statement, args...); err != nil {
		return table.Table{}, fmt.Errorf("change table %s: %w", before.ID, err)
	}
	return is.table, nil
}

// limitTables refuses somebody who sits at too many tables, the one that has just changed among them. One profile may
// want many seats at once: these queue up at it. The fault is too_many_tables.
func (s *Store) limitTables(tx *gorm.DB, who profile.ID, atMost int) error {
	if who == "" {
		return nil
	}
	if err := s.lockProfile(tx, who); err != nil {
		return err
	}
	open, err := openTablesOf(tx, who)
	if err == nil && open > atMost {
		err = tooManyTables(atMost)
	}
	return err
}

// timeChange sets when a table's game is due; one that is over has no timer.
func timeChange(tx *gorm.DB, before, after *game.Game, ended bool, due time.Time) error {
	if ended {
		if err := dropTimer(tx, before.ID); err != nil {
			return err
		}
	}
	if after == nil || after.Over() || due.IsZero() {
		return nil
	}
	return setTimer(tx, after.ID, due)
}
