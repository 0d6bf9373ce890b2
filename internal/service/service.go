package service

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Caller is who is asking.
type Caller struct {
	Profile profile.ID        // empty: nobody is signed in
	Device  profile.DeviceID  // the device whose token came with the request
	Token   profile.TokenHash // of that token
	Admin   *admin.Admin      // whose admin's token came with the request; nil: none's
	Address string            // the address the request came from, to count waiting requests without a token
}

// Anonymous reports whether the request came without a token.
func (c Caller) Anonymous() bool { return c.Profile == "" }

// Waiters is where requests wait and are woken; internal/live has it.
type Waiters interface {
	Join(party live.Party, atMost int, topic live.Topic) (*live.Waiter, bool)
	Wake(topics ...live.Topic)
	Stopping() <-chan struct{}
	// Dismiss ends the waiting requests of parties that are gone.
	Dismiss(gone func(live.Party) bool)
}

// Settings are what an operator decides.
type Settings struct {
	PublicURL          string // how people reach the service, without a slash at its end; empty: tables have no url
	OpenTables         int    // open tables a profile may have
	WaitAtMost         time.Duration
	WaitersPerGame     int // of one token, for one game or table
	WaitersPerAddress  int // without a token
	TokenCacheLifetime time.Duration
	// AttendanceLag is how long another replica may know of somebody's presence before it is stored; 0 without others.
	AttendanceLag time.Duration
	CPUPace       time.Duration // the CPU's disc comes no sooner after the one before
}

// Deps is everything the methods need.
type Deps struct {
	Profiles   ProfileStore
	Tables     TableStore
	Games      GameStore
	Duties     DutyStore
	History    HistoryStore
	Insights   InsightStore
	Waiters    Waiters
	Attendance *Attendance
	Uptime     *Uptime
	Chooser    cpu.Chooser
	Readers    *solver.Pool // for those who ask perfect play; the CPU has its own
	Rules      *Catalogue
	Clock      func() time.Time
	Random     io.Reader // secrets, ids and chance are drawn from it
	Settings   Settings
	Observe    Observer
	// Due is told when a worker has to look at a game, so that one in this process needn't find out by itself.
	Due func(at time.Time)
}

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
