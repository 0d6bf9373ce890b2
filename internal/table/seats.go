package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Admit decides whether a profile may take the free seat of the table with the code it brought. It returns nil when
// it may, and also when it has a seat already (ask SeatOf). The faults are not_found (a private table and no right
// code, or a closed one), table_closed and seat_taken.
func (t Table) Admit(who profile.ID, code InviteCode) error {
	switch {
	case t.SeatOf(who) != game.NoSeat:
		return nil
	case t.Visibility == Private && (code != t.Invite || t.Status == Closed):
		return Unknown()
	case t.Status == Closed:
		return fault.New(fault.Conflict, fault.TableClosed, "the table closed before this request")
	case !t.Seats[game.GuestSeat-1].Free():
		return fault.New(fault.Conflict, fault.SeatTaken, "both seats of this table are taken")
	default:
		return nil
	}
}

// Unknown is the fault about a table that is not there or not for the caller.
func Unknown() error { return fault.New(fault.Missing, fault.NotFound, "there is no such table") }

// Sit gives the free seat to a player and starts the game: seat 1 has red, unless the settings leave it to chance
// and chance (true or false with equal odds) gives it to seat 2. Ask Admit first.
func (t Table) Sit(guest Seat, id game.ID, chance bool, at time.Time) (Table, game.Game) {
	t.Seats[game.GuestSeat-1] = guest
	t.Status = Playing
	t.Version++
	red, yellow := t.player(game.HostSeat), t.player(game.GuestSeat)
	if t.Settings.FirstPlayer == houserule.Random && chance {
		red, yellow = yellow, red
	}
	g := game.Start(game.Opening{
		ID: id, Table: t.ID, Number: 1, Private: t.Visibility == Private, Settings: t.Settings, Red: red, Yellow: yellow,
	}, at)
	t.Game = Summarise(g)
	return t, g
}

// Leave decides what it means that a profile leaves. It returns the reason the table closes for, and true when a
// running game is resigned by it. On a closed table nothing is left to do: the reason is empty. The fault is
// not_seated.
func (t Table) Leave(who profile.ID) (reason CloseReason, resigns bool, err error) {
	seat := t.SeatOf(who)
	switch {
	case seat == game.NoSeat:
		return "", false, fault.New(fault.Forbidden, fault.NotSeated, "only the two seats of this table may leave it")
	case t.Status == Closed:
		return "", false, nil
	case seat == game.HostSeat:
		return HostLeft, t.Status == Playing, nil
	default:
		return PlayerLeft, t.Status == Playing, nil
	}
}

// Close ends the table.
func (t Table) Close(reason CloseReason) Table {
	t.Status, t.Reason = Closed, reason
	t.Version++
	return t
}

// Summarise returns what a table shows of a game.
func Summarise(g game.Game) *GameSummary {
	s := &GameSummary{ID: g.ID, Number: g.Number, Status: g.Status, Ply: g.Ply(), Version: g.Version, TurnSeat: game.NoSeat}
	if !g.Over() {
		s.TurnSeat = g.Player(g.Turn()).Seat
	}
	return s
}

func (t Table) player(seat game.Seat) game.Player {
	s := t.Seats[seat-1]
	return game.Player{Seat: seat, Profile: s.Profile, Name: s.Name}
}
