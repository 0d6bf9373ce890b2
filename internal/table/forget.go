package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Forget takes the name off the seat of somebody who deletes itself, and the one its client gave to the table. A table that waits or is between games closes; a
// running game goes on without its owner, and the table closes with it, or is resigned where nobody would play on. Who
// has no seat changes nothing.
func (t Table) Forget(who profile.ID, at time.Time) (Table, error) {
	seat := t.SeatOf(who)
	if seat == 0 {
		return t, nil
	}
	running := t.Status == Playing
	if t.Game != nil {
		g, version := *t.Game, t.Game.Version
		if running && g.LeavingResigns() {
			var err error
			if g, _, err = g.Resign(who, at); err != nil {
				return t, err
			}
		}
		g = g.Forget(g.SideIn(seat), at)
		g.Version = version + 1
		t.Game = &g
	}
	t.Seats[seat-1].Name, t.Seats[seat-1].Deleted, t.Seats[seat-1].Left = "", true, running
	if seat == game.HostSeat {
		t.ClientRef, t.ClientRequest = "", ""
	}
	switch {
	case running && t.Game.Over():
		return t.GameOver(*t.Game, at), nil
	case running:
		t.Version++
		return t, nil
	default:
		return t.closeForgotten(), nil
	}
}

// closeForgotten closes the table; its last game, whose version has grown already, says so by the same change.
func (t Table) closeForgotten() Table {
	if t.Game == nil {
		return t.Close(ProfileDeleted)
	}
	version := t.Game.Version
	t = t.Close(ProfileDeleted)
	t.Game.Version = version
	return t
}
