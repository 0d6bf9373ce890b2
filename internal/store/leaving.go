package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// DeleteProfile is that of service.LeavingStore. All tables and games are locked first, then all players of theirs, so
// that it waits in no circle with those whose games end.
func (s *Store) DeleteProfile(
	ctx context.Context, who profile.ID, now time.Time, forget func(table.Table) (service.TableChange, error),
) (service.Deletion, error) {
	var gone service.Deletion
	deleted := func(tx *gorm.DB) error {
		gone = service.Deletion{Tables: nil, Unread: nil, Last: nil, Devices: nil}
		var err error
		if gone.Tables, gone.Unread, err = s.leaveTables(tx, who, forget); err != nil {
			return err
		}
		if gone.Last, err = s.leaveUnreadable(tx, gone.Unread, who); err != nil {
			return err
		}
		gone.Devices, err = s.deleteProfile(tx, who, now)
		return err
	}
	err := service.ErrChanged
	for range writeTries {
		if err = s.inTransaction(ctx, deleted); !errors.Is(err, service.ErrChanged) {
			break
		}
	}
	for _, id := range gone.Last {
		s.memory.forget(id)
	}
	return gone, err
}

// leaveTables stores what forget makes of each open table of a profile, and returns these, and those that can't be read.
func (s *Store) leaveTables(
	tx *gorm.DB, who profile.ID, forget func(table.Table) (service.TableChange, error),
) (open []table.Table, unreadable []table.ID, err error) {
	if open, unreadable, err = s.lockOpenTables(tx, who); err != nil {
		return nil, nil, err
	}
	for i, t := range open {
		change, err := forget(withOwnGame(t))
		if err != nil {
			return nil, nil, err
		}
		if open[i], err = s.keep(tx, t, change); err != nil {
			return nil, nil, err
		}
	}
	return open, unreadable, nil
}

// lockOpenTables locks the open tables of a profile with their games and players, and returns them, and the ids of those
// that can't be read. ErrChanged says that another one was opened or taken meanwhile. The fault is unauthenticated.
func (s *Store) lockOpenTables(tx *gorm.DB, who profile.ID) (open []table.Table, unreadable []table.ID, err error) {
	ids, err := openTableIDs(tx, who)
	if err != nil {
		return nil, nil, err
	}
	players := []string{string(who)}
	for _, id := range ids {
		t, err := s.lockTableAndGame(tx, id)
		switch {
		case errors.Is(err, service.ErrUnreadable):
			s.PassOver(tx.Statement.Context, err)
			unreadable = append(unreadable, id)
			continue
		case err != nil:
			return nil, nil, err
		case t.Status == table.Closed:
			continue
		}
		open = append(open, t)
		for _, seat := range t.Seats {
			if seat.Profile != "" {
				players = append(players, string(seat.Profile))
			}
		}
	}
	slices.Sort(players)
	lock := "SELECT id FROM profiles WHERE id IN ? ORDER BY id" + s.dialect.lockRow
	if _, err = rows[idRow](tx, lock, slices.Compact(players)); err != nil {
		return nil, nil, fmt.Errorf("lock the players at the tables of profile %s: %w", who, err)
	}
	if err = s.lockProfile(tx, who); err != nil { // it is there
		return nil, nil, err
	}
	now, err := openTableIDs(tx, who)
	if err == nil && len(now) > len(open)+len(unreadable) {
		err = service.ErrChanged
	}
	return open, unreadable, err
}

// openTableIDs returns the open tables of a profile in the order in which many are locked.
func openTableIDs(tx *gorm.DB, who profile.ID) ([]table.ID, error) {
	found, err := rows[idRow](tx, `SELECT id FROM tables WHERE seat1_profile = ? AND status <> 'closed'
UNION SELECT id FROM tables WHERE seat2_profile = ? AND status <> 'closed' ORDER BY id`, string(who), string(who))
	if err != nil {
		return nil, fmt.Errorf("list the open tables of profile %s: %w", who, err)
	}
	ids := make([]table.ID, 0, len(found))
	for _, row := range found {
		ids = append(ids, table.ID(row.ID))
	}
	return ids, nil
}

// deleteProfile removes what tells who a profile was, and returns its devices. The profile is locked.
func (s *Store) deleteProfile(tx *gorm.DB, who profile.ID, now time.Time) ([]profile.Device, error) {
	if _, err := affected(tx, "UPDATE profiles SET name = '', locale = NULL, deleted = ? WHERE id = ?", micros(now), string(who)); err != nil {
		return nil, fmt.Errorf("delete profile %s: %w", who, err)
	}
	for _, from := range []string{"device_codes", "leaderboard"} {
		if _, err := affected(tx, "DELETE FROM "+from+" WHERE profile_id = ?", string(who)); err != nil {
			return nil, fmt.Errorf("delete profile %s from %s: %w", who, from, err)
		}
	}
	removed, err := rows[deviceRow](tx, "DELETE FROM devices WHERE profile_id = ? RETURNING "+deviceColumns, string(who))
	if err != nil {
		return nil, fmt.Errorf("delete the devices of profile %s: %w", who, err)
	}
	return devicesFrom(removed), s.feed.publishRemoved(tx, removed)
}

// gone is the fault about a caller that has deleted itself.
func gone() error {
	return fault.New(fault.NoToken, "this player has left for good")
}

// eraseAtOnce is how many rows one statement takes a name off.
const eraseAtOnce = 500

// erasure takes a name off the rows of a table where a profile has one.
type erasure struct{ table, set, profile, named string }

// erasures take a name off old games and tables. Each reads an index that holds only rows with a name, or of the player.
var erasures = []erasure{
	{"games", "red_name = NULL", "red_profile", "red_name IS NOT NULL"},
	{"games", "yellow_name = NULL", "yellow_profile", "yellow_name IS NOT NULL"},
	{"tables", "seat1_name = '', client_ref = NULL, client_request = NULL", "seat1_profile", "seat1_name <> ''"},
	{"tables", "seat2_name = NULL", "seat2_profile", "seat2_name IS NOT NULL"},
}

// profilesAtOnce is how many deleted profiles one step is about.
const profilesAtOnce = 100

// Erase is that of service.LeavingStore. Profiles are erased when nothing is left to take their names off, and nothing of
// what was there before is left in the database's files.
func (s *Store) Erase(ctx context.Context) (service.Erasure, error) {
	const deleted = "SELECT id FROM profiles WHERE deleted IS NOT NULL AND NOT erased ORDER BY deleted LIMIT ?"
	found, err := read[idRow](ctx, s, deleted, profilesAtOnce)
	if err != nil || len(found) == 0 {
		return service.Erasure{}, err
	}
	ids := make([]string, 0, len(found))
	for _, row := range found {
		ids = append(ids, row.ID)
	}
	step, err := s.eraseNames(ctx, ids)
	if err != nil {
		return step, err
	}
	forgotten, err := s.forgetPresences(ctx, ids)
	if err != nil {
		return step, err
	}
	left := forgotten > 0 || len(step.Games)+len(step.Tables) > 0
	step.More = left || len(found) == profilesAtOnce
	if left {
		return step, nil
	}
	if err = s.dialect.tidy(ctx, s); err != nil {
		return step, err
	}
	return step, s.write(ctx, func(db *gorm.DB) error {
		_, err := affected(db, "UPDATE profiles SET erased = TRUE WHERE id IN ?", ids)
		return err
	})
}

// eraseNames does a step of each erasure and returns where names are gone.
func (s *Store) eraseNames(ctx context.Context, profiles []string) (step service.Erasure, err error) {
	for _, e := range erasures {
		erased, err := s.erase(ctx, e, profiles)
		if err != nil {
			return step, err
		}
		for _, row := range erased {
			if e.table == "games" {
				step.Games = append(step.Games, game.ID(row.ID))
			} else {
				step.Tables = append(step.Tables, table.ID(row.ID))
			}
		}
	}
	return step, nil
}

// erase takes the names of some profiles off a number of rows, and returns these.
func (s *Store) erase(ctx context.Context, e erasure, profiles []string) (erased []idRow, err error) {
	statement, args := "UPDATE "+e.table+" SET "+e.set+", version = version + 1", []any(nil)
	if e.table == "games" {
		statement, args = statement+", stamp = ?", append(args, newStamp())
	}
	statement += " WHERE id IN (SELECT id FROM " + e.table + " WHERE " + e.profile + " IN ? AND " + e.named + " ORDER BY id LIMIT ?) RETURNING id"
	args = append(args, profiles, eraseAtOnce)
	err = s.inTransactionWithin(ctx, s.writeTimeout, func(tx *gorm.DB) error {
		if erased, err = rows[idRow](tx, statement, args...); err != nil {
			return err
		}
		ids := make([]string, 0, len(erased))
		for _, row := range erased {
			ids = append(ids, row.ID)
		}
		return s.feed.publish(tx, ids)
	})
	for _, row := range erased {
		s.memory.forget(game.ID(row.ID)) // the id of a table is no game's
	}
	return erased, err
}

// forgetPresences removes when some profiles were last seen at tables that are closed, a number of rows, and returns
// how many. A game that still runs is timed by its owners' presence.
func (s *Store) forgetPresences(ctx context.Context, profiles []string) (forgotten int64, err error) {
	for _, seat := range []string{"1", "2"} {
		statement := "DELETE FROM seat_presence WHERE seat = " + seat + " AND table_id IN (SELECT t.id FROM tables t" +
			" JOIN seat_presence p ON p.table_id = t.id AND p.seat = " + seat +
			" WHERE t.seat" + seat + "_profile IN ? AND t.status = 'closed' LIMIT ?)"
		err = s.writeAlone(ctx, func(db *gorm.DB) error {
			removed, err := affected(db, statement, profiles, eraseAtOnce)
			forgotten += removed
			return err
		})
		if err != nil {
			return forgotten, err
		}
	}
	return forgotten, nil
}

// tidyNothing is for a database whose dump holds only what is there.
func tidyNothing(context.Context, *Store) error { return nil }

// tidyFile empties an SQLite file's log of writes, which keeps pages as they were. In the file itself what is deleted is
// overwritten (secure_delete).
func tidyFile(ctx context.Context, s *Store) error {
	return s.writeAlone(ctx, func(db *gorm.DB) error {
		done, err := rows[checkpointRow](db, "PRAGMA wal_checkpoint(TRUNCATE)")
		if err != nil {
			return fmt.Errorf("empty the log of writes: %w", err)
		}
		if len(done) != 1 || done[0].Busy != 0 {
			return errors.New("the log of writes is in use, and will be emptied later")
		}
		return nil
	})
}

// checkpointRow is what SQLite says of a checkpoint.
type checkpointRow struct {
	Busy int `gorm:"column:busy"`
}
