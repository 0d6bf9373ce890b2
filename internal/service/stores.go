package service

import (
	"context"
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/table"
)

// ErrChanged is what a store answers when the state a decision rested on has changed meanwhile.
var ErrChanged = errors.New("changed meanwhile")

// ProfileStore keeps profiles and their devices.
type ProfileStore interface {
	// OpenProfile stores a new profile and its first device.
	OpenProfile(ctx context.Context, p profile.Profile, d profile.Device) error
	// Profile returns a profile. The fault is not_found.
	Profile(ctx context.Context, id profile.ID) (profile.Profile, error)
	// ChangeProfile changes what is named and returns the profile after it. The fault is not_found.
	ChangeProfile(ctx context.Context, id profile.ID, c profile.Change) (profile.Profile, error)
	DeviceStore
	LeavingStore
}

// TableStore keeps tables. A table always comes with its running or last game and with what is known of its owners'
// presence.
type TableStore interface {
	// OpenTable stores a new table, and its game and that game's timer when it has one. When its host opened one with
	// the same ClientRef since refsSince, it stores nothing and returns that one. The fault is too_many_tables: the
	// host is seated at atMost open tables already.
	OpenTable(ctx context.Context, t table.Table, look time.Time, atMost int, refsSince time.Time) (table.Table, error)
	// Table returns a table. The fault is not_found.
	Table(ctx context.Context, id table.ID) (table.Table, error)
	// TableByInvite returns the table with an invite code. The fault is not_found.
	TableByInvite(ctx context.Context, code table.InviteCode) (table.Table, error)
	// TableByRef returns the table that a host opened with a ClientRef since a moment. The fault is not_found.
	TableByRef(ctx context.Context, host profile.ID, ref string, since time.Time) (table.Table, error)
	// PublicTables returns public tables, newest first. Of those that wait only the ones that are listed and whose host is
	// here: not said away, and heard of, or the service up only since, within the grace; and none of quick match.
	PublicTables(ctx context.Context, l Lobby) ([]table.Table, error)
	// TablesOf returns the open tables a profile has a seat at, newest first.
	TablesOf(ctx context.Context, who profile.ID) ([]table.Table, error)
	// ChangeTable locks a table and its game, lets decide say what becomes of them, and stores that, all in one
	// transaction. What decide returns as an error comes back as it is and nothing is stored. decide may be called
	// again when the database asks for it.
	ChangeTable(ctx context.Context, id table.ID, decide func(table.Table) (TableChange, error)) (table.Table, error)
	MatchStore
}

// TableChange is what becomes of a table.
type TableChange struct {
	Table    table.Table   // as it is to be, with the game that begins by it; what is as before is not stored
	Game     *game.Game    // its game before as it is to be: nil when nothing of it changes
	Look     time.Time     // when a worker has to look at the table's game; zero: the timer stays, or goes when it is over
	Seated   profile.ID    // who takes a seat by this: not at more than AtMost open tables, else too_many_tables
	AtMost   int           // see Seated
	Presence *PresenceSaid // what an owner said
}

// PresenceSaid is what an owner said about its presence at a table.
type PresenceSaid struct {
	Seat game.Seat
	Away bool
	At   time.Time
}

// GameStore keeps games, and when to look at them.
type GameStore interface {
	// Game returns a game. The fault is not_found.
	Game(ctx context.Context, id game.ID) (game.Game, error)
	// SaveGame stores what becomes of a running game, if it is as before; else ErrChanged. With a zero look it is one statement; else the timer is set too, to the
	// sooner of look and what it was. It returns the game as stored.
	SaveGame(ctx context.Context, before, after game.Game, look time.Time) (game.Game, error)
	// SaveEnd stores a game that ended, under the same condition, lets its table follow (table.GameOver) and removes
	// its timer, in one transaction. It returns the game and the table as stored.
	SaveEnd(ctx context.Context, before, after game.Game) (game.Game, table.Table, error)
}

// InsightStore keeps what perfect play has said, and knows to whom it says nothing.
type InsightStore interface {
	// PlaysRanked reports whether a profile has a seat in a running ranked game.
	PlaysRanked(ctx context.Context, who profile.ID) (bool, error)
	// Analysis returns the scores of the columns of every ply of a finished game, and false when they aren't kept.
	Analysis(ctx context.Context, id game.ID) ([][]solver.ColumnScore, bool, error)
	// KeepAnalysis keeps exact scores. What is kept already stays.
	KeepAnalysis(ctx context.Context, id game.ID, columns [][]solver.ColumnScore, at time.Time) error
}

// DutyStore keeps what falls due by itself.
type DutyStore interface {
	// ClaimDue takes games whose time has come for the lease: nobody else gets them before it is over. Each comes with
	// when its owners were last heard of.
	ClaimDue(ctx context.Context, at time.Time, lease time.Duration, limit int) ([]Claim, error)
	// Rearm sets when to look at games again, each only if nobody has set it since it was claimed.
	Rearm(ctx context.Context, looks []Look) error
	// SeeOwners stores when owners were last heard of, later than what is stored.
	SeeOwners(ctx context.Context, seen []SeatSeen) error
	// SeeDevices stores the hours that devices were last heard of in, later ones than are stored.
	SeeDevices(ctx context.Context, seen []DeviceSeen) error
	// Revoked returns which devices aren't there any more.
	Revoked(ctx context.Context, devices []profile.DeviceID) (map[profile.DeviceID]bool, error)
	// DropDeviceCodes removes codes that have expired.
	DropDeviceCodes(ctx context.Context, at time.Time) error
	// Erase takes the names of deleted profiles off some of their old games and tables.
	Erase(ctx context.Context) (Erasure, error)
	// Beat touches the heartbeat, stores the outage before it when there was one longer than gap, and returns the
	// outages since a moment, oldest first.
	Beat(ctx context.Context, at time.Time, gap time.Duration, since time.Time) (game.Outages, error)
	// Tags returns the tags of games, tables and lists of a profile's tables, by topic. Unknown topics are left out.
	Tags(ctx context.Context, topics []live.Topic) (map[live.Topic]string, error)
	// IdleTables returns tables that wait or are between games and where nobody seated was heard of for
	// table.IdleLimit, longest idle first.
	IdleTables(ctx context.Context, at time.Time, limit int) ([]table.ID, error)
	// UnlistDeserted makes public tables that wait be listed no more when their hosts are away for some seconds longer than
	// the grace. SeeOwners lists them again.
	UnlistDeserted(ctx context.Context, now, upSince time.Time) error
	// Sleeping returns how many running games are asleep.
	Sleeping(ctx context.Context) (int, error)
}

// Claim is a game whose time has come.
type Claim struct {
	Game game.Game
	Seq  int64
	Due  time.Time // when it was due
	Seen game.Seen
}

// Look is when to look at a game again.
type Look struct {
	Game game.ID
	Seq  int64     // as claimed
	Due  time.Time // zero: never, the game is over
}

// SeatSeen is when the owner of a seat was last heard of.
type SeatSeen struct {
	Table table.ID
	Seat  game.Seat
	At    time.Time
	Back  bool // a host that may have been away: its table is listed again
}

// Place is a place in a list that is ordered by time and id, newest first. The zero value is before its beginning.
type Place struct {
	At time.Time
	ID string
}
