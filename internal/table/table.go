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
	Waiting      Status = "waiting"
	Playing      Status = "playing"
	BetweenGames Status = "between_games"
	Closed       Status = "closed"
)

// CloseReason says why a table closed; empty while it is open.
type CloseReason string

// The reasons.
const (
	HostLeft       CloseReason = "host_left"
	PlayerLeft     CloseReason = "player_left"
	ProfileDeleted CloseReason = "profile_deleted" // who sat there has deleted itself
	Idle           CloseReason = "idle"            // nobody seated did anything for long
	Abandoned      CloseReason = "abandoned"       // its game slept for a day
	Moved          CloseReason = "moved"           // quick match took its owner to another table
	NotOffered     CloseReason = "no_longer_offered"
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
	Kind    game.Kind
	Profile profile.ID     // humans only
	Deleted bool           // its owner has deleted itself: it has no name and is nobody's
	Name    profile.Name   // humans only; as when the seat was taken
	Rating  profile.Rating // humans only; as after the table's last game, and before the first as when the seat was taken
	Level   string         // CPUs only
	Left    bool           // left during the running game and hasn't come back

	Seen     time.Time // when its owner was last seen, as far as it is written
	SaidAway bool      // said away or left, and hasn't come back
}

// Free reports whether nobody has the seat.
func (s Seat) Free() bool { return s.Kind == "" }

// presence returns whether the seat's owner is there. Silence before upSince doesn't count.
func (s Seat) presence(grace time.Duration, upSince, at time.Time) game.Presence {
	last := s.Seen
	if upSince.After(last) {
		last = upSince
	}
	switch {
	case s.Kind == game.CPU:
		return game.Here
	case s.SaidAway:
		return game.Gone
	case at.Before(last.Add(grace)):
		return game.Here
	default:
		return game.Silent
	}
}

// Score counts the games of a table that somebody was there for.
type Score struct {
	Games int
	Wins  [2]int // by seat
	Draws int
}

// Table is a room.
type Table struct {
	ID              ID
	Version         int64 // grows with every change of the table, from 1; a move in its game is none
	Status          Status
	Reason          CloseReason
	MovedTo         ID // where quick match took its owner; empty unless it closed by that
	Visibility      Visibility
	Invite          InviteCode // private tables only
	Ranked          bool
	Quick           bool // quick match made it
	AnyClock        bool // quick match made it for a player who named no clock
	Settings        game.Settings
	SettingsVersion int64   // grows with every change of settings, from 1
	Seats           [2]Seat // seat 1 is the host's
	Score           Score
	Game            *game.Game // the running or the last finished one; nil before the first
	NextFirst       game.Seat  // who will start the next game; NoSeat while that is left to chance
	ClientRef       string     // the client's own name for the request that opened it, a UUID; empty when it gave none
	ClientRequest   string     // what that request asked for, in one spelling; empty: nobody knows any more
	Created         time.Time
	Active          time.Time // when a seat was taken, a game began or ended, or settings changed last
}

// Opening is what a table starts from.
type Opening struct {
	ID            ID
	Host          Seat
	Visibility    Visibility
	Invite        InviteCode // used by private tables only
	Ranked        bool
	Settings      game.Settings
	ClientRef     string
	ClientRequest string
}

// Open makes a table that waits for its second player.
func Open(o Opening, at time.Time) Table {
	t := Table{
		ID: o.ID, Version: 1, Status: Waiting, Reason: "", MovedTo: "", Visibility: o.Visibility, Invite: o.Invite,
		Ranked: o.Ranked, Quick: false, AnyClock: false, Settings: o.Settings, SettingsVersion: 1, Seats: [2]Seat{o.Host, {}}, Score: Score{},
		Game: nil, NextFirst: game.NoSeat, ClientRef: o.ClientRef, ClientRequest: o.ClientRequest, Created: at, Active: at,
	}
	if t.Visibility == Public {
		t.Invite = ""
	}
	return t.foreseeFirst()
}

// OpenSeated makes a table whose second seat is taken at once, and starts its first game; see Sit.
func OpenSeated(o Opening, guest Seat, id game.ID, chance bool, at time.Time) Table {
	return Open(o, at).sit(guest, id, chance, time.Time{}, at)
}

// Host returns the profile that opened the table.
func (t Table) Host() profile.ID { return t.Seats[0].Profile }

// SeatOf returns the seat a profile has, and NoSeat for anybody else.
func (t Table) SeatOf(who profile.ID) game.Seat {
	for i, seat := range t.Seats {
		if who != "" && seat.Profile == who && !seat.Deleted {
			return game.Seat(i + 1)
		}
	}
	return game.NoSeat
}

// VersusCPU reports whether the second seat is the CPU's.
func (t Table) VersusCPU() bool { return t.Seats[1].Kind == game.CPU }

// VisibleTo reports whether a profile may see the table. The zero ID is a stranger without a profile.
func (t Table) VisibleTo(who profile.ID) bool {
	return t.Visibility == Public || t.SeatOf(who) != game.NoSeat
}

// OpenTo reports whether a profile that may have brought the code of an invitation may see the table: the code of a
// private one opens it while it waits.
func (t Table) OpenTo(who profile.ID, code InviteCode) bool {
	return t.VisibleTo(who) || t.Status == Waiting && code != "" && code == t.Invite
}

// Tag names the state of the table and its game.
func (t Table) Tag() string {
	var gameVersion int64
	if t.Game != nil {
		gameVersion = t.Game.Version
	}
	return fmt.Sprintf("%d.%d", t.Version, gameVersion)
}

// TagFor names what a viewer is shown: the state, marked with the seat that is theirs.
func (t Table) TagFor(viewer game.Seat) string {
	if viewer == game.NoSeat {
		return t.Tag()
	}
	return fmt.Sprintf("%s-%d", t.Tag(), viewer)
}

// pollOpen is how soon a client that does not wait should ask for an open table again.
const pollOpen = time.Second

// PollAfter returns when to ask again without waiting; false means never: the table is closed.
func (t Table) PollAfter() (time.Duration, bool) { return pollOpen, t.Status != Closed }

const (
	idleLimit        = 24 * time.Hour      // silence after which a table closes …
	idleLimitPrivate = 30 * 24 * time.Hour // … between two people who meet in private
)

// Expires returns when the table closes if nobody seated does anything there; zero while a game runs and after it
// closed.
func (t Table) Expires() time.Time {
	if t.Status == Playing || t.Status == Closed {
		return time.Time{}
	}
	last := t.Active
	for _, seat := range t.Seats {
		if seat.Seen.After(last) {
			last = seat.Seen
		}
	}
	return last.Add(IdleLimit(t.Visibility, t.VersusCPU()))
}

// IdleLimit returns how long a table stays open without anybody.
func IdleLimit(v Visibility, versusCPU bool) time.Duration {
	if v == Private && !versusCPU {
		return idleLimitPrivate
	}
	return idleLimit
}
