package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

func TestWhenATurnEnds(t *testing.T) {
	t.Parallel()
	ranked := func(o *game.Opening) { o.Ranked = true }
	for _, row := range []struct {
		name string
		game game.Game
		want time.Time
	}{
		{"the first has ten seconds more", started(withClock(houserule.Loss)), at(40 * time.Second)},
		{"the others have the limit", after(t, started(withClock(houserule.Loss)), "4"), at(31 * time.Second)},
		{"without a limit it is a day", fresh(), at(24 * time.Hour)},
		{"at a ranked table five minutes", started(ranked), at(5 * time.Minute)},
		{"the CPU has no clock", after(t, started(func(o *game.Opening) { againstCPU(o); withClock(houserule.Loss)(o) }), "4"), time.Time{}},
		{"nobody's clock runs after the end", after(t, started(withClock(houserule.Loss)), "1213141"), time.Time{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, row.want, row.game.DeadlineWith(nil))
		})
	}
}

func TestAMoveCountsByTheMomentItArrived(t *testing.T) {
	t.Parallel()
	g := started(withClock(houserule.CPUMove))
	_, changed, err := g.Play(ola, 1, 4, at(40*time.Second), nil)
	require.NoError(t, err)
	assert.True(t, changed, "at the deadline is in time")
	_, _, err = g.Play(ola, 1, 4, at(40*time.Second+time.Microsecond), nil)
	require.True(t, fault.Is(err, fault.TimeIsUp), "%v", err)
	assert.Equal(t, game.Nothing, g.TaskAt(at(40*time.Second+game.Leeway), pace, nil))
	assert.Equal(t, game.ExpireTurn, g.TaskAt(at(40*time.Second+game.Leeway+time.Microsecond), pace, nil))
	_, _, err = g.Expire(at(41*time.Second)).Play(ola, 1, 4, at(39*time.Second), nil)
	require.True(t, fault.Is(err, fault.TimeIsUp), "after it was applied nothing brings the move back")
}

func TestWhatFollowsWhenTheTimeHasPassed(t *testing.T) {
	t.Parallel()
	cpu := started(withClock(houserule.CPUMove)).Expire(at(41 * time.Second))
	assert.False(t, cpu.Over())
	assert.True(t, cpu.CPUToMove())
	moved, err := cpu.PlayCPU(4, at(42*time.Second))
	require.NoError(t, err)
	assert.Equal(t, game.ByPlayer, moved.Controller(board.Red), "the owner keeps the next move")

	lost := started(withClock(houserule.Loss)).Expire(at(41 * time.Second))
	assert.Equal(t, game.Result{Outcome: game.Win, Winner: board.Yellow, EndedBy: game.Timeout}, lost.Result)
	long := fresh().Expire(at(25 * time.Hour))
	assert.Equal(t, game.Timeout, long.Result.EndedBy, "a day without a move is lost, whatever the rule says")
}

func TestADeadlineWaitsForACoveredTurn(t *testing.T) {
	t.Parallel()
	g := started(withClock(houserule.Loss))
	covered := gone(g, at(time.Second), board.Red)
	assert.False(t, covered.TimeIsUp(at(time.Hour), nil))
	assert.Equal(t, game.MoveCPU, covered.TaskAt(at(time.Hour), pace, nil))
	back := gone(covered, at(time.Minute), board.Yellow)
	assert.True(t, back.TimeIsUp(at(time.Minute), nil), "when cover ends without a disc it is applied")
}

func TestTimeInWhichTheServiceWasDownIsGivenBack(t *testing.T) {
	t.Parallel()
	g := started(withClock(houserule.Loss))
	for _, row := range []struct {
		name    string
		outages game.Outages
		want    time.Time
	}{
		{"a minute down is a minute more", game.Outages{{From: at(10 * time.Second), To: at(70 * time.Second)}}, at(100 * time.Second)},
		{"at least ten seconds are left", game.Outages{{From: at(39 * time.Second), To: at(69 * time.Second)}}, at(79 * time.Second)},
		{"what ended before the turn doesn't matter", game.Outages{{From: at(-time.Minute), To: at(-time.Second)}}, at(40 * time.Second)},
		{"nor what began after the deadline", game.Outages{{From: at(41 * time.Second), To: at(50 * time.Second)}}, at(40 * time.Second)},
		{"of what began before the turn its part in the turn counts", game.Outages{{From: at(-time.Minute), To: at(5 * time.Second)}}, at(45 * time.Second)},
		{
			"two add up",
			game.Outages{{From: at(5 * time.Second), To: at(10 * time.Second)}, {From: at(20 * time.Second), To: at(30 * time.Second)}},
			at(55 * time.Second),
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, row.want, g.DeadlineWith(row.outages))
		})
	}
}

func TestAGameThatSleptForADayIsFinishedUnattended(t *testing.T) {
	t.Parallel()
	g := gone(after(t, fresh(), "44"), at(3*time.Second), board.Red, board.Yellow)
	assert.Equal(t, game.Nothing, g.TaskAt(at(23*time.Hour), pace, nil))
	require.Equal(t, game.FinishSleep, g.TaskAt(at(3*time.Second+game.SleepLimit), pace, nil))
	over, err := g.FinishSleep(func(_ board.Position, legal []board.Column) (board.Column, error) { return legal[0], nil }, at(25*time.Hour))
	require.NoError(t, err)
	assert.True(t, over.Over())
	assert.True(t, over.Unattended)
	assert.Equal(t, g.Version+1, over.Version)
	assert.Equal(t, "hh", over.Movers[:2])
	assert.NotContains(t, over.Movers[2:], "h")
}

func TestComingAndGoingDoesNotKeepTheCPUFromMoving(t *testing.T) {
	t.Parallel()
	g := after(t, started(againstCPU), "4") // at one second
	for i := range 10 {
		when := at(time.Second + time.Duration(i)*100*time.Millisecond)
		g = gone(g, when, board.Red)
		g, _ = g.SetPresence(board.Red, game.Here, when)
	}
	assert.Equal(t, game.MoveCPU, g.TaskAt(at(time.Second+pace), pace, nil), "its pace is counted from the disc before")
}

func TestOnlyWorkThatComesNearerNeedsATimer(t *testing.T) {
	t.Parallel()
	clock := started(withClock(houserule.CPUMove))
	second := after(t, clock, "4")
	third := after(t, second, "4")
	assert.True(t, game.NeedsTimer(clock, second), "after the long first turn the deadline comes nearer")
	assert.False(t, game.NeedsTimer(second, third), "between two people who are here it is pushed away")
	assert.True(t, game.NeedsTimer(second, gone(second, at(time.Second), board.Yellow)))
	assert.True(t, game.NeedsTimer(third, after(t, third, "4").Expire(at(time.Minute))))
	versus := started(againstCPU)
	assert.True(t, game.NeedsTimer(versus, after(t, versus, "4")), "the CPU is next")
}
