package service

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Deletion is what a player's leaving for good changes at once.
type Deletion struct {
	Tables  []table.Table    // that were open, as they are after it
	Unread  []table.ID       // that were open, and can't be read
	Last    []game.ID        // the games at these that nothing follows any more
	Devices []profile.Device // whose tokens are good no more
}

// Erasure is what a step of erasing has changed: where a name is gone.
type Erasure struct {
	Games  []game.ID
	Tables []table.ID
	More   bool // something is left for another step
}

// LeavingStore lets players leave for good.
type LeavingStore interface {
	// DeleteProfile removes in one transaction a profile's name, locale, devices and codes, and stores what forget makes
	// of each of its open tables, which are locked; of one that can't be read, which the log says, the seat is left, and
	// it closes, and says so in its game, unless that runs. The profile stays without a name and is to be erased. The fault is
	// unauthenticated: there is no such profile any more.
	DeleteProfile(ctx context.Context, who profile.ID, at time.Time, forget func(table.Table) (TableChange, error)) (Deletion, error)
	// Erase takes the names of deleted profiles off some of their old games and tables.
	Erase(ctx context.Context) (Erasure, error)
	ExportStore
}

// Leaving lets players leave for good, and take along what is stored about them.
type Leaving struct {
	store    LeavingStore
	profiles *Profiles
	devices  *Devices
	tables   *Tables
	games    *Games
	saver    *gameSaver
	uptime   *Uptime
	wakeups  *wakeups
	clock    func() time.Time
}

// Delete lets the caller leave for good. Its name is gone at once from its profile and its open tables, and soon from
// its old games and tables (Erase); games and ratings stay.
func (s *Leaving) Delete(ctx context.Context, c Caller) error {
	if err := signedIn(c); err != nil {
		return err
	}
	o, err := s.uptime.Outages(ctx)
	if err != nil {
		return err
	}
	now, dues := s.clock(), map[table.ID]time.Time{}
	gone, err := s.store.DeleteProfile(ctx, c.Profile, now, func(t table.Table) (TableChange, error) {
		change := s.forgotten(t, c.Profile, now, o)
		dues[t.ID] = change.Due
		return change, nil
	})
	if err != nil {
		return wrap(err, "delete profile %s", c.Profile)
	}
	s.devices.forget(gone.Devices...)
	for _, t := range gone.Tables {
		s.wakeups.table(t, dues[t.ID])
	}
	s.wakeups.named(gone.Last, gone.Unread)
	return nil
}

// forgotten returns the change of a table by somebody's leaving for good.
func (s *Leaving) forgotten(t table.Table, who profile.ID, now time.Time, o game.Outages) TableChange {
	seat, after := t.SeatOf(who), t.Forget(who, now)
	change := TableChange{
		Table: after, Game: after.Game, Due: noTimer, Seated: "", AtMost: 0,
		Presence: &PresenceSaid{Seat: seat, Away: true, At: now},
	}
	if after.Game != nil && !after.Game.Over() && after.Game.Settings.Understood() {
		change.Due = s.saver.nextDue(*after.Game, o)
	}
	return change
}

// Erase takes the names of deleted players off their old games and tables, step by step.
func (s *Leaving) Erase(ctx context.Context) error {
	for more := true; more; {
		erased, err := s.store.Erase(ctx)
		if err != nil {
			return wrap(err, "erase deleted players")
		}
		s.wakeups.named(erased.Games, erased.Tables)
		more = erased.More
	}
	return nil
}
