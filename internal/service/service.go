package service

import (
	"errors"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// ErrChanged is what a store answers when the state a decision rested on has changed meanwhile.
var ErrChanged = errors.New("changed meanwhile")

// ErrUnreadable says that a row is there and holds what no game, or no table, can have.
var ErrUnreadable = errors.New("can't be read")

// Caller is who is asking.
type Caller struct {
	Profile profile.ID        // empty: nobody is signed in
	Device  profile.DeviceID  // the device whose token came with the request
	Token   profile.TokenHash // of that token
	Admin   *admin.Admin      // whose admin's token came with the request; nil: none's
	Address string            // the address the request came from, to count waiting requests
}

// Anonymous reports whether the request came without a token.
func (c Caller) Anonymous() bool { return c.Profile == "" }

// Observer is told what happened, for the metrics.
type Observer interface {
	// Moved is told of every accepted move, who made it, and the outcome when it ended the game.
	Moved(by game.Controller, outcome game.Outcome)
	// Covered is told of every accepted move that the CPU made for an owner: one who is away or whose time was up.
	Covered()
	// Flipped is told of every change of an owner's presence in a running game.
	Flipped(to game.Presence)
	// WokeUp is told how long after its wake-up a waiting request had read the news.
	WokeUp(after time.Duration)
	// Lagged is told how long after its time a game was looked at.
	Lagged(by time.Duration)
	// Lowered is told of every turn that the CPU plays at a lower level because too many wait.
	Lowered(from, to string)
	// CutShort is told of every turn for which the time to think was up before the CPU was done.
	CutShort()
}

// tries is how often a method decides anew when others are faster. A ply or a seat is lost at the first attempt; only
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
	return none, fault.New(fault.Away, "too many changes at once; send the same request again")
}

// signedIn refuses callers without a token.
func signedIn(c Caller) error {
	if c.Anonymous() {
		return fault.New(fault.NoToken, "this needs a token")
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

// hidden makes what a caller may not see look like what is not there.
func hidden(what string) error {
	return fault.New(fault.NotFound, "there is no such %s", what)
}

func wrap(err error, format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
