package worker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/worker"
)

// diary is duties that note when they were done.
type diary struct {
	mu    sync.Mutex
	began time.Time
	did   map[string][]time.Duration
	turns []service.Turn // given to the next sweep
	loads []cpu.Load     // under which turns were moved
	takes time.Duration  // a move
	fails error          // what the heartbeat says
	waits int            // requests, each for a topic of its own
	named map[live.Topic]int
}

func (d *diary) note(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.did[what] = append(d.did[what], time.Since(d.began))
}

func (d *diary) times(what string) []time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.did[what]
}

func (d *diary) Beat(context.Context) error {
	d.note("beat")
	return d.fails
}

func (d *diary) Sweep(context.Context) ([]service.Turn, int, error) {
	d.note("sweep")
	d.mu.Lock()
	defer d.mu.Unlock()
	turns := d.turns
	d.turns = nil
	return turns, len(turns), nil
}

func (d *diary) MoveCPU(_ context.Context, _ service.Turn, load cpu.Load) error {
	d.note("move")
	d.mu.Lock()
	d.loads = append(d.loads, load)
	d.mu.Unlock()
	time.Sleep(d.takes)
	return nil
}

func (d *diary) Write(context.Context) error {
	d.note("write")
	return nil
}

func (d *diary) Keep(context.Context) error {
	d.note("keep")
	return nil
}

func (d *diary) ReadNews(context.Context, service.Waker) error {
	d.note("news")
	return nil
}

func (d *diary) TrimNews(context.Context) error {
	d.note("trim")
	return nil
}

func (d *diary) Compare(_ context.Context, _ service.Comparer, topics []live.Topic) error {
	d.note("compare")
	for _, topic := range topics {
		d.named[topic]++
	}
	return nil
}

func (d *diary) UnlistDeserted(context.Context) error {
	d.note("unlist")
	return nil
}

func (d *diary) Erase(context.Context) error {
	d.note("erase")
	return nil
}

func (d *diary) DropCodes(context.Context) error {
	d.note("codes")
	return nil
}

func (d *diary) DismissRevoked(context.Context, service.Dismisser) error {
	d.note("revoked")
	return nil
}

func (d *diary) MakeLeaderboard(context.Context) error {
	d.note("leaders")
	return nil
}

func (d *diary) CloseIdle(context.Context) error {
	d.note("idle")
	return nil
}

func (d *diary) CloseUnoffered(context.Context) error {
	d.note("unoffered")
	return nil
}

func (d *diary) PairSearchers(context.Context) error {
	d.note("pair")
	return nil
}

func (d *diary) Sleeping(context.Context) (int, error) { return 0, nil }

func (d *diary) Read(context.Context) error {
	d.note("rules")
	return nil
}

// deaf is an observer that isn't interested.
type deaf struct{}

func (deaf) Queued(int)                           {}
func (deaf) Thought(time.Duration, time.Duration) {}
func (deaf) Asleep(int)                           {}

// working runs a worker for some time of a clock that only moves when everybody waits, and returns what was done.
func working(t *testing.T, d *diary, replicas bool, span time.Duration, meanwhile func(*worker.Worker)) string {
	t.Helper()
	var log bytes.Buffer
	d.began, d.did, d.named = time.Now(), map[string][]time.Duration{}, map[live.Topic]int{}
	hub := live.NewHub(d.waits, live.Limits{Device: 0, Profile: 0, Address: 0, Strangers: d.waits}, time.Now)
	for i := range d.waits {
		_, joined := hub.Join(live.Party{}, live.Topic{Kind: 1, ID: strconv.Itoa(i)})
		require.True(t, joined)
	}
	duties := worker.Duties{
		Presence: d, Catalogue: d, Changes: d, Devices: d, History: d, Leaving: d, Matches: d, Tables: d, Timers: d, Uptime: d,
	}
	w := worker.New(worker.Deps{
		Duties: duties, Hub: hub, Replicas: replicas, Thinkers: 2, Clock: time.Now, Observe: deaf{},
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		w.Run(ctx)
		close(done)
	}()
	synctest.Wait()
	meanwhile(w)
	time.Sleep(span)
	cancel()
	<-done
	return log.String()
}

func idle(*worker.Worker) {}

func TestEverythingIsDoneNowAndAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{waits: 1}
		log := working(t, d, true, 61*time.Second, idle)
		assert.Empty(t, log)
		for what, least := range map[string]int{
			"beat": 58, "sweep": 120, "keep": 58, "news": 550, "trim": 3, "compare": 58, "idle": 1,
			"pair": 58, "leaders": 1, "codes": 1, "erase": 6, "unlist": 2, "unoffered": 110, "revoked": 58, "rules": 140,
		} {
			assert.GreaterOrEqual(t, len(d.times(what)), least, what)
		}
	})
}

func TestWithoutOtherReplicasNobodyLooksForTheirChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{waits: 1}
		working(t, d, false, 25*time.Second, idle)
		for _, what := range []string{"news", "trim", "compare"} {
			assert.Empty(t, d.times(what))
		}
	})
}

func TestWhileNobodyWaitsNoNewsAreRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{}
		working(t, d, true, 25*time.Second, idle)
		assert.Empty(t, d.times("news"))
		assert.Empty(t, d.times("compare"))
		assert.NotEmpty(t, d.times("trim"), "what this replica tells is thrown away too")
	})
}

func TestAllThatIsWatchedIsComparedOnceInFiveSecondsSpreadOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{waits: 105}
		working(t, d, true, 60*time.Second, idle)
		require.Len(t, d.named, 105)
		for topic, times := range d.named {
			assert.InDelta(t, 12, times, 1, topic.ID)
		}
		assert.InDelta(t, 60, len(d.times("compare")), 4)
	})
}

func TestASweepComesAtTheTimeThatFallsDue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{}
		working(t, d, false, 2*time.Second, func(w *worker.Worker) {
			w.Due(time.Now().Add(700 * time.Millisecond))
			w.Due(time.Now().Add(30 * time.Millisecond))
			for i := range 100 {
				w.Due(time.Now().Add(100*time.Millisecond + time.Duration(i)*time.Microsecond))
			}
			w.Due(time.Now().Add(time.Minute))
		})
		sweeps := d.times("sweep")
		assert.Contains(t, sweeps, 30*time.Millisecond)
		assert.Contains(t, sweeps, 700*time.Millisecond)
		assert.Less(t, len(sweeps), 20, "what is due together is attended to together")
	})
}

func TestTurnsOfTheCPUAreThoughtAbout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{turns: make([]service.Turn, 5)}
		working(t, d, false, time.Second, idle)
		assert.Len(t, d.times("move"), 5)
	})
}

// Two thinkers, 10 ms a turn: a few turns are played in peace; of many the ones in front are hurried by those behind,
// the last by their own wait.
func TestALongQueueHurriesTheTurnsInIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		few := &diary{turns: make([]service.Turn, 8), takes: 10 * time.Millisecond}
		working(t, few, false, time.Second, idle)
		assert.Equal(t, make([]cpu.Load, 8), few.loads)

		many := &diary{turns: make([]service.Turn, 400), takes: 10 * time.Millisecond}
		working(t, many, false, 4*time.Second, idle)
		require.Len(t, many.loads, 400, "none is lost")
		assert.Equal(t, cpu.Crowded, many.loads[2])
		assert.Equal(t, cpu.Crowded, many.loads[399], "two seconds in the queue")

		some := &diary{turns: make([]service.Turn, 60), takes: 10 * time.Millisecond}
		working(t, some, false, time.Second, idle)
		assert.Equal(t, cpu.Busy, some.loads[2])
		assert.Equal(t, cpu.Busy, some.loads[59], "it waited too long, though nobody waits behind it")
	})
}

func TestWhatFailsIsLoggedAndDoneAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{fails: errors.New("the database is away")}
		log := working(t, d, false, 5*time.Second, idle)
		assert.GreaterOrEqual(t, len(d.times("beat")), 4)
		assert.Contains(t, log, "the database is away")
	})
}

func TestAtTheEndItWritesWhoWasHere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &diary{}
		working(t, d, false, 3*time.Second, idle)
		written := d.times("write")
		require.NotEmpty(t, written)
		assert.Equal(t, 3*time.Second, written[len(written)-1])
	})
}
