package table

import (
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// ID names a table.
type ID = game.TableID

// Status says what a table is doing.
type Status string

// The statuses.
const (
	Waiting Status = "waiting"
	Playing Status = "playing"
	Closed  Status = "closed"
)

// CloseReason says who left a table that closed; empty when it closed because its game was over.
type CloseReason string

// The reasons.
const (
	GameOver   CloseReason = ""
	HostLeft   CloseReason = "host_left"
	PlayerLeft CloseReason = "player_left"
)

// Visibility says who may watch a table and take its free seat.
type Visibility string

// The visibilities.
const (
	Public  Visibility = "public"  // anybody
	Private Visibility = "private" // its two seats watch; the invite code opens the free one
)

// Seat is one of the two seats. The zero value is free.
type Seat struct {
	Profile profile.ID
	Name    profile.Name // as when the seat was taken
}

// Free reports whether nobody has the seat.
func (s Seat) Free() bool { return s.Profile == "" }

// GameSummary is what a table shows of its game.
type GameSummary struct {
	ID       game.ID
	Number   int
	Status   game.Status
	Ply      int
	Version  int64
	TurnSeat game.Seat // NoSeat when the game is over
}

// Table is a room.
type Table struct {
	ID         ID
	Version    int64 // grows with every change of the table, from 1; a move in its game is none
	Status     Status
	Reason     CloseReason
	Visibility Visibility
	Invite     InviteCode // private tables only
	Settings   game.Settings
	Seats      [2]Seat // seat 1 is the host's
	Game       *GameSummary
	ClientRef  string // the client's own name for the request that opened it, a UUID; empty when it gave none
	Created    time.Time
}

// Opening is what a table starts from.
type Opening struct {
	ID         ID
	Host       Seat
	Visibility Visibility
	Invite     InviteCode // used by private tables only
	Settings   game.Settings
	ClientRef  string
}

// Open makes a table that waits for its second player.
func Open(o Opening, at time.Time) Table {
	t := Table{
		ID: o.ID, Version: 1, Status: Waiting, Reason: GameOver, Visibility: o.Visibility, Invite: o.Invite,
		Settings: o.Settings, Seats: [2]Seat{o.Host, {}}, Game: nil, ClientRef: o.ClientRef, Created: at,
	}
	if t.Visibility == Public {
		t.Invite = ""
	}
	return t
}

// Host returns the profile that opened the table.
func (t Table) Host() profile.ID { return t.Seats[0].Profile }

// SeatOf returns the seat a profile has, and NoSeat for anybody else.
func (t Table) SeatOf(who profile.ID) game.Seat {
	for i, seat := range t.Seats {
		if who != "" && seat.Profile == who {
			return game.Seat(i + 1)
		}
	}
	return game.NoSeat
}

// VisibleTo reports whether a profile may see the table. The zero ID is a stranger without a profile.
func (t Table) VisibleTo(who profile.ID) bool {
	return t.Visibility == Public || t.SeatOf(who) != game.NoSeat
}

// Tag names the state of the table and its game as a reader has seen it.
func (t Table) Tag() string {
	var gameVersion int64
	if t.Game != nil {
		gameVersion = t.Game.Version
	}
	return fmt.Sprintf("%d.%d", t.Version, gameVersion)
}

// pollOpen is how soon a client that does not wait should ask for an open table again.
const pollOpen = time.Second

// PollAfter returns when to ask again without waiting; false means never: the table is closed.
func (t Table) PollAfter() (time.Duration, bool) { return pollOpen, t.Status != Closed }
