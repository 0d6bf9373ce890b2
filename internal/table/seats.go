package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Admit decides whether a profile may take the free seat of the table with the code it brought. It returns nil when
// it may, and also when it has a seat already (ask SeatOf). The faults are not_found (a private table and no right
// code, or a closed one), table_closed, seat_taken, and stale_version when it wants the seat under other settings (0:
// whatever they are).
func (t Table) Admit(who profile.ID, code InviteCode, settingsVersion int64) error {
	switch {
	case t.SeatOf(who) != game.NoSeat:
		return nil
	case t.Visibility == Private && (code != t.Invite || t.Status == Closed):
		return Unknown()
	case t.Status == Closed:
		return closed()
	case t.Searching():
		return fault.New(fault.SeatTaken, "quick match gives this seat")
	case !t.Seats[game.GuestSeat-1].Free():
		return fault.New(fault.SeatTaken, "both seats of this table are taken")
	case settingsVersion != 0 && settingsVersion != t.SettingsVersion:
		return fault.New(fault.StaleVersion, "the settings are at version %d", t.SettingsVersion)
	default:
		return nil
	}
}

// Unknown is the fault about a table that is not there or not for the caller.
func Unknown() error { return fault.New(fault.NotFound, "there is no such table") }

func closed() error {
	return fault.New(fault.TableClosed, "the table closed before this request")
}

func notSeated() error {
	return fault.New(fault.NotSeated, "only the two seats of this table may do this")
}

// Sit gives the free seat to a player or the CPU and starts the first game. When the settings leave it to chance who
// starts it, chance (true or false with equal odds) gives it to seat 2. Silence before upSince doesn't count. Ask Admit
// first.
func (t Table) Sit(guest Seat, id game.ID, chance bool, upSince, at time.Time) Table {
	t = t.sit(guest, id, chance, upSince, at)
	t.Version++
	return t
}

// sit is the step of Sit.
func (t Table) sit(guest Seat, id game.ID, chance bool, upSince, at time.Time) Table {
	t.Seats[game.GuestSeat-1] = guest
	return t.start(id, t.first(chance), upSince, at)
}

// Leaving is what it means that somebody leaves.
type Leaving uint8

// The meanings.
const (
	NothingToLeave Leaving = iota // the table is closed already
	ClosesTable                   // it waited, or was between games
	LeavesGame                    // the game goes on without its owner
	ResignsGame                   // the game is given up, since nobody would play on
)

// Leave decides what it means that a profile leaves. The fault is not_seated.
func (t Table) Leave(who profile.ID) (Leaving, error) {
	switch {
	case t.SeatOf(who) == game.NoSeat:
		return NothingToLeave, notSeated()
	case t.Status == Closed:
		return NothingToLeave, nil
	case t.Status != Playing:
		return ClosesTable, nil
	case t.Game.LeavingResigns():
		return ResignsGame, nil
	default:
		return LeavesGame, nil
	}
}

// Present returns the seat of somebody who says whether it is at the table. The faults are not_seated and
// table_closed.
func (t Table) Present(who profile.ID) (game.Seat, error) {
	seat := t.SeatOf(who)
	switch {
	case seat == game.NoSeat:
		return seat, notSeated()
	case t.Status == Closed:
		return seat, closed()
	default:
		return seat, nil
	}
}

// Mark says of a seat whether its owner left during the running game.
func (t Table) Mark(seat game.Seat, left bool) Table {
	t.Seats[seat-1].Left = left
	return t
}

// CloseBy ends the table, which waits or is between games, because the owner of a seat leaves it. Its finished game says
// so too.
func (t Table) CloseBy(seat game.Seat) Table {
	reason := PlayerLeft
	if seat == game.HostSeat {
		reason = HostLeft
	}
	if t.Game != nil {
		if g, news := t.Game.LeaveTable(t.Game.SideIn(seat)); news {
			t.Game = &g
		}
	}
	return t.Close(reason)
}

// Close ends the table. Its finished game says so too.
func (t Table) Close(reason CloseReason) Table {
	t = t.close(reason)
	t.Version++
	return t
}

// close is the step of Close.
func (t Table) close(reason CloseReason) Table {
	t.Status, t.Reason, t.NextFirst = Closed, reason, game.NoSeat
	if t.Game != nil {
		if g, news := t.Game.CloseTable(); news {
			t.Game = &g
		}
	}
	return t
}
