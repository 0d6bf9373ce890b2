package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/game"
)

// Duty is what falls due without anybody asking: silence, deadlines, the CPU's turns, long sleep, idle tables.
// internal/worker says when; here is what. Every step may run on any replica, at the same time, and twice.
type Duty struct{ deps Deps }

// NewDuty returns the duties.
func NewDuty(d Deps) *Duty { return &Duty{deps: d} }

const (
	// lease is how long a claimed game is nobody else's. A worker that dies lets it go by this.
	lease = 5 * time.Second
	// SweepAtMost is how many games one sweep claims; one that claimed as many has probably left some.
	SweepAtMost = 500
	// attendAtOnce is how many of them are attended to at the same time: half of the connections there usually are.
	attendAtOnce = 4
	// lookAgain is how soon a game is looked at again that somebody else has changed meanwhile.
	lookAgain = 50 * time.Millisecond
)

// Turn is a turn of the CPU in a game.
type Turn struct {
	Game game.Game
	Due  time.Time
}

// Sweep attends to games whose time has come. It returns the turns of the CPU among them, which are to be thought
// about outside, and how many games it claimed.
func (s *Duty) Sweep(ctx context.Context) ([]Turn, int, error) {
	o, err := s.deps.Uptime.Outages(ctx)
	if err != nil {
		return nil, 0, err
	}
	now := s.deps.Clock()
	claims, err := s.deps.Duties.ClaimDue(ctx, now, lease, SweepAtMost)
	if err != nil {
		return nil, 0, wrap(err, "claim what is due")
	}
	var (
		turns []Turn
		looks []Look
		fails []error
	)
	for i, done := range s.attendAll(ctx, claims, o) {
		c := claims[i]
		s.deps.Observe.Lagged(now.Sub(c.Due))
		switch {
		case errors.Is(done.err, ErrChanged):
			looks = append(looks, Look{Game: c.Game.ID, Seq: c.Seq, Due: s.deps.Clock().Add(lookAgain)})
		case done.err != nil:
			fails = append(fails, wrap(done.err, "attend to game %s", c.Game.ID))
		case done.turn:
			turns = append(turns, Turn{Game: c.Game, Due: c.Due})
		case done.look != nil:
			looks = append(looks, *done.look)
		}
	}
	if len(looks) > 0 {
		if err := s.deps.Duties.Rearm(ctx, looks); err != nil {
			fails = append(fails, wrap(err, "rearm %d timers", len(looks)))
		}
	}
	return turns, len(claims), errors.Join(fails...)
}

// attended is what came of a claim: when to look again, unless a change that was stored has set that, and whether the
// CPU has to move.
type attended struct {
	look *Look
	turn bool
	err  error
}

// attendAll attends to all claims, some at once: many clocks may run out together, and each costs a commit.
func (s *Duty) attendAll(ctx context.Context, claims []Claim, o game.Outages) []attended {
	var (
		all  = make([]attended, len(claims))
		next atomic.Int64
		work sync.WaitGroup
	)
	for range min(attendAtOnce, len(claims)) {
		work.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(claims)); i = next.Add(1) - 1 {
				all[i].look, all[i].turn, all[i].err = s.attend(ctx, claims[i], o)
			}
		})
	}
	work.Wait()
	return all
}

// attend does what is due for one game. It returns when to look again, unless a change it stored has set that, and
// whether the CPU has to move.
func (s *Duty) attend(ctx context.Context, c Claim, o game.Outages) (*Look, bool, error) {
	g, now := c.Game, s.deps.Clock()
	if g.Over() {
		return &Look{Game: g.ID, Seq: c.Seq, Due: noLook}, false, nil
	}
	seen := s.seen(g, c.Seen, now)
	if quiet, changed := g.NoticeSilence(seen, o.UpSince(), now); changed {
		saved, err := s.deps.Games.SaveGame(ctx, g, quiet, quiet.NextLook(seen, o.UpSince(), s.deps.Settings.CPUPace, o))
		if err != nil {
			return nil, false, err
		}
		s.deps.Observe.Flipped(game.Silent)
		s.deps.Waiters.Wake(topicsOf(saved)...)
		s.deps.Due(now)
		return nil, false, nil
	}
	switch g.TaskAt(now, s.deps.Settings.CPUPace, o) {
	case game.MoveCPU:
		return nil, true, nil
	case game.ExpireTurn:
		_, err := s.deps.save(ctx, g, g.Expire(now))
		return nil, false, err
	case game.FinishSleep:
		over, err := g.FinishSleep(s.unattended(ctx, g), now)
		if err == nil {
			_, err = s.deps.save(ctx, g, over)
		}
		return nil, false, err
	case game.Nothing:
		return &Look{Game: g.ID, Seq: c.Seq, Due: g.NextLook(seen, o.UpSince(), s.deps.Settings.CPUPace, o)}, false, nil
	default:
		return nil, false, nil
	}
}

// seen adds what this process knows of the owners' presence to what is stored, and gives other replicas the time to
// store what they know.
func (s *Duty) seen(g game.Game, stored game.Seen, now time.Time) game.Seen {
	lag := s.deps.Settings.AttendanceLag
	return game.Seen{
		Red:    s.deps.Attendance.known(g.Table, g.Red.Seat, stored.Red, now).Add(lag),
		Yellow: s.deps.Attendance.known(g.Table, g.Yellow.Seat, stored.Yellow, now).Add(lag),
	}
}

// MoveCPU thinks about a turn of the CPU and plays it, at the level of its side or the one that is left of it under
// the load. It is void when the ply was made or the control of the side has changed meanwhile; another change doesn't
// matter.
func (s *Duty) MoveCPU(ctx context.Context, t Turn, load cpu.Load) error {
	column, err := s.choose(ctx, t.Game.ID, t.Game.Position(), t.Game.LegalColumns(), s.level(t.Game, load))
	if err != nil {
		return err
	}
	g, stale := t.Game, false
	_, err = decide(func() (struct{}, error) {
		if stale {
			if g, err = s.deps.Games.Game(ctx, t.Game.ID); err != nil {
				return struct{}{}, err
			}
		}
		stale = true
		return struct{}{}, s.dropCPU(ctx, t, g, column)
	})
	if err != nil {
		return wrap(err, "move for the CPU in game %s", t.Game.ID)
	}
	return nil
}

// dropCPU plays a column for the CPU in a game as it is now, unless it is another's turn by now.
func (s *Duty) dropCPU(ctx context.Context, t Turn, g game.Game, column board.Column) error {
	if g.Ply() != t.Game.Ply() || !g.CPUToMove() {
		return nil
	}
	after, err := g.PlayCPU(column, s.deps.Clock())
	if err != nil {
		return err
	}
	if after, err = s.deps.save(ctx, g, after); err != nil {
		return err
	}
	s.deps.Observe.Moved(game.ByCPU, after.Result.Outcome)
	if g.Player(g.Turn()).Kind == game.Human {
		s.deps.Observe.Covered()
	}
	return nil
}
