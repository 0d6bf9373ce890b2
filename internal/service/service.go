package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// ErrChanged is what a store answers when the state a decision rested on has changed meanwhile.
var ErrChanged = errors.New("changed meanwhile")

// Caller is who is asking.
type Caller struct {
	Profile profile.ID       // empty: nobody is signed in
	Device  profile.DeviceID // the device whose token came with the request
	Address string           // the address the request came from, to count waiting requests without a token
}

// Anonymous reports whether the request came without a token.
func (c Caller) Anonymous() bool { return c.Profile == "" }

// Waiters is where requests wait and are woken; internal/live has it.
type Waiters interface {
	Join(who string, atMost int, topics ...string) (*live.Waiter, bool)
	Wake(topics ...string)
	Stopping() <-chan struct{}
}

// Settings are what an operator decides.
type Settings struct {
	PublicURL          string // how people reach the service, without a slash at its end; empty: tables have no url
	OpenTables         int    // open tables a profile may have
	WaitAtMost         time.Duration
	WaitersPerGame     int // of one token, for one game or table
	WaitersPerAddress  int // without a token
	TokenCacheLifetime time.Duration
}

// Deps is everything the methods need.
type Deps struct {
	Profiles ProfileStore
	Tables   TableStore
	Games    GameStore
	Waiters  Waiters
	Rules    houserule.Catalogue
	Clock    func() time.Time
	Random   io.Reader // secrets, ids and chance are drawn from it
	Settings Settings
	Observe  Observer
}

// Observer is told what happened, for the metrics.
type Observer interface {
	// Moved is told of every accepted move, with the outcome when it ended the game.
	Moved(outcome game.Outcome)
}

// tries is how often a method decides anew when others are faster. A ply or a seat is lost after one look; only
// unrelated changes in a row use up more.
const tries = 8

// decide runs one attempt after another until one is not refused with ErrChanged.
func decide[T any](attempt func() (T, error)) (T, error) {
	for range tries {
		result, err := attempt()
		if !errors.Is(err, ErrChanged) {
			return result, err
		}
	}
	var none T
	return none, fault.New(fault.Unavailable, fault.Away, "too many changes at once; send the same request again")
}

// signedIn refuses callers without a token.
func signedIn(c Caller) error {
	if c.Anonymous() {
		return fault.New(fault.Unauthenticated, fault.NoToken, "this needs a token")
	}
	return nil
}

// GameConflictError is a fault about a game, with the game as the caller may see it now.
type GameConflictError struct {
	Fault *fault.Error
	Game  GameView
}

// Error returns the code and the message of the fault.
func (c *GameConflictError) Error() string { return c.Fault.Error() }

// Unwrap returns the fault.
func (c *GameConflictError) Unwrap() error { return c.Fault }

// TableConflictError is a fault about a table, with the table as the caller may see it now.
type TableConflictError struct {
	Fault *fault.Error
	Table TableView
}

// Error returns the code and the message of the fault.
func (c *TableConflictError) Error() string { return c.Fault.Error() }

// Unwrap returns the fault.
func (c *TableConflictError) Unwrap() error { return c.Fault }

// ProfileStore keeps profiles and the hashes of tokens.
type ProfileStore interface {
	// OpenProfile stores a new profile and its first device.
	OpenProfile(ctx context.Context, p profile.Profile, d profile.Device) error
	// Profile returns a profile. The fault is not_found.
	Profile(ctx context.Context, id profile.ID) (profile.Profile, error)
	// ChangeProfile changes what is named and returns the profile after it. The fault is not_found.
	ChangeProfile(ctx context.Context, id profile.ID, c profile.Change) (profile.Profile, error)
	// DeviceByToken returns the device that holds a token. The fault is unauthenticated.
	DeviceByToken(ctx context.Context, hash profile.TokenHash) (profile.Device, error)
}

// TableStore keeps tables.
type TableStore interface {
	// OpenTable stores a new table. When its host opened one with the same ClientRef since refsSince, it stores
	// nothing and returns that one. The fault is too_many_tables: the host is seated at atMost open tables already.
	OpenTable(ctx context.Context, t table.Table, atMost int, refsSince time.Time) (table.Table, error)
	// Table returns a table with its game. The fault is not_found.
	Table(ctx context.Context, id table.ID) (table.Table, error)
	// TableByInvite returns the table with an invite code. The fault is not_found.
	TableByInvite(ctx context.Context, code table.InviteCode) (table.Table, error)
	// PublicTables returns public tables of a status, newest first, after a place in the list.
	PublicTables(ctx context.Context, status table.Status, after Place, limit int) ([]table.Table, error)
	// TakeSeat stores a table whose free seat was taken and the game that started, if the table still waits; else
	// ErrChanged. The fault is too_many_tables, about the guest.
	TakeSeat(ctx context.Context, t table.Table, g game.Game, atMost int) error
	// CloseWaiting stores a table that closed while it waited, if it still waits; else ErrChanged.
	CloseWaiting(ctx context.Context, t table.Table) error
}

// GameStore keeps games.
type GameStore interface {
	// Game returns a game. The fault is not_found.
	Game(ctx context.Context, id game.ID) (game.Game, error)
	// SaveMove stores a ply that did not end the game, if the game still runs and is one ply behind, and returns the
	// game as stored; else ErrChanged. One statement.
	SaveMove(ctx context.Context, g game.Game) (game.Game, error)
	// SaveEnd stores a game that ended and closes its table for the reason, in one transaction, if the game still
	// runs and is at the ply the decision rested on (before); else ErrChanged. It returns the game as stored.
	SaveEnd(ctx context.Context, before, after game.Game, reason table.CloseReason) (game.Game, error)
}

// Place is a place in a list that is ordered by time and id, newest first. The zero value is before its beginning.
type Place struct {
	At time.Time
	ID string
}

// hidden makes what a caller may not see look like what is not there.
func hidden(what string) error {
	return fault.New(fault.Missing, fault.NotFound, "there is no such %s", what)
}

func wrap(err error, format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
