package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Forget takes the name off the seat of somebody who deletes itself, and the one its client gave to the table. A table
// that waits or is between games closes; a running game goes on without its owner, and the table closes with it, or is
// resigned where nobody would play on. A profile without a seat changes nothing.
func (t Table) Forget(who profile.ID, at time.Time) Table {
	seat := t.SeatOf(who)
	if seat == game.NoSeat {
		return t
	}
	running := t.Status == Playing
	if t.Game != nil {
		t = t.withGame(t.Game.Forget(t.Game.SideIn(seat), at))
	}
	t.Seats[seat-1].Name, t.Seats[seat-1].Deleted, t.Seats[seat-1].Left = "", true, running
	if seat == game.HostSeat {
		t.ClientRef, t.ClientRequest = "", ""
	}
	switch {
	case running && t.Game.Over():
		t = t.gameOver(*t.Game, at)
	case !running:
		t = t.close(ProfileDeleted)
	}
	t.Version++
	return t
}
