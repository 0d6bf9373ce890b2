package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/game"
)

// Timers is what falls due in games without anybody asking: silence, deadlines, the CPU's turns, long sleep.
// internal/worker says when; here is what. Every step may run on any replica, at the same time, and twice.
type Timers struct {
	store    TimerStore
	games    GameStore
	saver    *gameSaver
	presence *PresenceLog
	lag      time.Duration // see Settings.PresenceLag
	uptime   *Uptime
	wakeups  *wakeups
	chooser  cpu.Chooser
	observe  Observer
	clock    func() time.Time
}

// TimerStore keeps when to look at games.
type TimerStore interface {
	// ClaimDue takes games whose time has come for the lease: nobody else gets them before it is over. Each comes with
	// when its owners were last seen.
	ClaimDue(ctx context.Context, at time.Time, lease time.Duration, limit int) ([]Claim, error)
	// Rearm sets when to look at games again, each only if nobody has set it since it was claimed.
	Rearm(ctx context.Context, timers []Timer) error
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

// Timer is when a worker has to attend to a game again.
type Timer struct {
	Game game.ID
	Seq  int64     // as claimed
	Due  time.Time // zero: never, the game is over
}

const (
	// lease is how long a claimed game is nobody else's. A worker that dies lets it go by this.
	lease = 5 * time.Second
	// SweepAtMost is how many games one sweep claims; one that claimed as many has probably left some.
	SweepAtMost = 500
	// attendAtOnce is how many of them are attended to at the same time: as many as share a statement or a commit.
	attendAtOnce = 64
	// passOver is how long a game is left to others whose settings only another release understands.
	passOver = time.Second
	// retryAfter is how soon a game is looked at again that somebody else has changed meanwhile.
	retryAfter = 50 * time.Millisecond
)

// Turn is a turn of the CPU in a game.
type Turn struct {
	Game game.Game
	Due  time.Time
}

// Sweep attends to games whose time has come. It returns the turns of the CPU among them, which are to be thought
// about outside, and how many games it claimed.
func (s *Timers) Sweep(ctx context.Context) ([]Turn, int, error) {
	o, err := s.uptime.Outages(ctx)
	if err != nil {
		return nil, 0, err
	}
	now := s.clock()
	claims, err := s.store.ClaimDue(ctx, now, lease, SweepAtMost)
	if err != nil {
		return nil, 0, wrap(err, "claim what is due")
	}
	var (
		turns  []Turn
		timers []Timer
		fails  []error
	)
	for i, done := range s.attendAll(ctx, claims, o) {
		c := claims[i]
		s.observe.Lagged(now.Sub(c.Due))
		switch {
		case errors.Is(done.err, ErrChanged):
			timers = append(timers, Timer{Game: c.Game.ID, Seq: c.Seq, Due: s.clock().Add(retryAfter)})
		case done.err != nil:
			fails = append(fails, wrap(done.err, "attend to game %s", c.Game.ID))
		case done.turn:
			turns = append(turns, Turn{Game: c.Game, Due: c.Due})
		case done.due != nil:
			timers = append(timers, *done.due)
		}
	}
	if len(timers) > 0 {
		if err := s.store.Rearm(ctx, timers); err != nil {
			fails = append(fails, wrap(err, "rearm %d timers", len(timers)))
		}
	}
	return turns, len(claims), errors.Join(fails...)
}

// attended is what came of a claim: the timer to set, unless a change that was stored has set that, and whether the
// CPU has to move.
type attended struct {
	due  *Timer
	turn bool
	err  error
}

// attendAll attends to all claims, some at once: many clocks may run out together, and each costs a commit.
func (s *Timers) attendAll(ctx context.Context, claims []Claim, o game.Outages) []attended {
	var (
		all  = make([]attended, len(claims))
		next atomic.Int64
		work sync.WaitGroup
	)
	for range min(attendAtOnce, len(claims)) {
		work.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(claims)); i = next.Add(1) - 1 {
				all[i].due, all[i].turn, all[i].err = s.attend(ctx, claims[i], o)
			}
		})
	}
	work.Wait()
	return all
}

// attend does what is due for one game. It returns when to look again, unless a change it stored has set that, and
// whether the CPU has to move.
func (s *Timers) attend(ctx context.Context, c Claim, o game.Outages) (*Timer, bool, error) {
	g, now := c.Game, s.clock()
	switch {
	case g.Over():
		return &Timer{Game: g.ID, Seq: c.Seq, Due: noTimer}, false, nil
	case !g.Settings.Understood(): // another release knows what is due
		return &Timer{Game: g.ID, Seq: c.Seq, Due: now.Add(passOver)}, false, nil
	}
	seen := s.seen(g, c.Seen, now)
	if quiet, changed := g.NoticeSilence(seen, o.UpSince(), now); changed {
		saved, err := s.games.SaveGame(ctx, g, quiet, quiet.NextDue(seen, o.UpSince(), s.saver.pace, o))
		if err != nil {
			return nil, false, err
		}
		s.observe.Flipped(game.Silent)
		s.wakeups.game(saved)
		s.wakeups.due(now)
		return nil, false, nil
	}
	switch g.TaskAt(now, s.saver.pace, o) {
	case game.MoveCPU:
		return nil, true, nil
	case game.ExpireTurn:
		_, err := s.saver.save(ctx, g, g.Expire(now))
		return nil, false, err
	case game.FinishSleep:
		over, err := g.FinishSleep(s.unattended(ctx, g), now)
		if err == nil {
			_, err = s.saver.save(ctx, g, over)
		}
		return nil, false, err
	case game.Nothing:
		return &Timer{Game: g.ID, Seq: c.Seq, Due: g.NextDue(seen, o.UpSince(), s.saver.pace, o)}, false, nil
	default:
		return nil, false, nil
	}
}

// seen adds what this process knows of the owners' presence to what is stored, and gives other replicas the time to
// store what they know.
func (s *Timers) seen(g game.Game, stored game.Seen, now time.Time) game.Seen {
	lag := s.lag
	return game.Seen{
		Red:    s.presence.known(g.Table, g.Red.Seat, stored.Red, now).Add(lag),
		Yellow: s.presence.known(g.Table, g.Yellow.Seat, stored.Yellow, now).Add(lag),
	}
}

// Sleeping returns how many running games are asleep.
func (s *Timers) Sleeping(ctx context.Context) (int, error) { return s.store.Sleeping(ctx) }
