package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

// at returns a moment after noon.
func at(after time.Duration) time.Time { return noon.Add(after) }

// started begins a game after something was changed about it.
func started(change func(*game.Opening)) game.Game {
	g := fresh()
	o := game.Opening{ID: g.ID, Table: g.Table, Number: 1, Settings: g.Settings, Red: g.Red, Yellow: g.Yellow}
	change(&o)
	return game.Start(o, noon)
}

// withClock gives a game 30 seconds a move.
func withClock(onTimeout string) func(*game.Opening) {
	return func(o *game.Opening) { o.Settings.MoveTimeLimit, o.Settings.OnTimeout = 30*time.Second, onTimeout }
}

func againstCPU(o *game.Opening) {
	o.Yellow = game.Player{Seat: game.GuestSeat, Kind: game.CPU, Level: level.Medium, Rematch: true}
}

func gone(g game.Game, when time.Time, sides ...board.Side) game.Game {
	for _, side := range sides {
		g, _ = g.SetPresence(side, game.Gone, when)
	}
	return g
}

func TestWhoMakesASidesMoves(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name        string
		game        game.Game
		red, yellow game.Controller
		asleep      bool
	}{
		{"two people who are here play themselves", fresh(), game.ByPlayer, game.ByPlayer, false},
		{"an away owner is covered on its turn", gone(fresh(), at(0), board.Red), game.ByCPU, game.ByPlayer, false},
		{"and before its turn", gone(fresh(), at(0), board.Yellow), game.ByPlayer, game.ByCPU, false},
		{"with nobody here nothing is covered", gone(fresh(), at(0), board.Red, board.Yellow), game.ByPlayer, game.ByPlayer, true},
		{
			"with cover off an away owner is not covered",
			gone(started(func(o *game.Opening) { o.Settings.CPUCover = false }), at(0), board.Red),
			game.ByPlayer, game.ByPlayer, false,
		},
		{"the CPU plays its own seat", started(againstCPU), game.ByPlayer, game.ByCPU, false},
		{"nobody covers the human at its table", gone(started(againstCPU), at(0), board.Red), game.ByPlayer, game.ByCPU, true},
		{
			"after its time the CPU has this one move",
			started(withClock(houserule.CPUMove)).Expire(at(41 * time.Second)),
			game.ByCPU, game.ByPlayer, false,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, row.red, row.game.Controller(board.Red))
			assert.Equal(t, row.yellow, row.game.Controller(board.Yellow))
			assert.Equal(t, row.asleep, row.game.Asleep())
		})
	}
}

func TestWhenADesertedGameSleeps(t *testing.T) {
	t.Parallel()
	coverOff := func(o *game.Opening) { o.Settings.CPUCover = false }
	for _, row := range []struct {
		name   string
		change func(*game.Opening)
		atOnce bool // asleep as soon as nobody is here
		next   bool // asleep when the next turn starts
	}{
		{"without a clock at once", func(*game.Opening) {}, true, true},
		{"with a clock the running turn goes on and the next sleeps", withClock(houserule.CPUMove), false, true},
		{"never where a clock loses the game", withClock(houserule.Loss), false, false},
		{"never without clock and cover between two people", coverOff, false, false},
		{"at once at a table against the CPU without a clock", againstCPU, true, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g := gone(started(row.change), at(time.Second), board.Red, board.Yellow)
			assert.Equal(t, row.atOnce, g.Asleep())
			moved, err := g.PlayCPU(4, at(2*time.Second))
			require.NoError(t, err)
			assert.Equal(t, row.next, moved.Asleep())
			assert.Equal(t, row.next, moved.DeadlineWith(nil).IsZero(), "no clock runs while all sleep")
		})
	}
}

func TestAGameWakesUpWithAWholeTurn(t *testing.T) {
	t.Parallel()
	g := after(t, started(withClock(houserule.CPUMove)), "44")
	g = gone(g, at(3*time.Second), board.Red, board.Yellow).Expire(at(32 * time.Second))
	g, err := g.PlayCPU(3, at(33*time.Second))
	require.NoError(t, err)
	require.True(t, g.Asleep())

	back, changed := g.SetPresence(board.Red, game.Here, at(time.Hour))
	require.True(t, changed)
	assert.False(t, back.Asleep())
	assert.Equal(t, at(time.Hour+30*time.Second), back.DeadlineWith(nil))
	assert.Equal(t, game.ByCPU, back.Controller(board.Yellow), "the other is still away, so it is covered")
}

func TestSilenceIsUndoneByARequestAndAGoodbyeIsNot(t *testing.T) {
	t.Parallel()
	g := fresh()
	seen := game.Seen{Red: at(0), Yellow: at(20 * time.Second)}
	_, changed := g.NoticeSilence(seen, time.Time{}, at(29*time.Second))
	assert.False(t, changed)
	quiet, changed := g.NoticeSilence(seen, time.Time{}, at(30*time.Second))
	require.True(t, changed)
	assert.Equal(t, game.Silent, quiet.Red.Presence)
	assert.Equal(t, game.Here, quiet.Yellow.Presence)
	assert.Equal(t, g.Version+1, quiet.Version)

	both, changed := g.NoticeSilence(seen, time.Time{}, at(time.Minute))
	require.True(t, changed)
	assert.True(t, both.Deserted())
	assert.Equal(t, g.Version+1, both.Version, "two who are silent are one change")

	_, changed = g.NoticeSilence(seen, at(10*time.Second), at(39*time.Second))
	assert.False(t, changed, "silence while the service was down doesn't count")
}

func TestWhoHasJustComeBackIsNotSilentThoughNobodyWroteItDown(t *testing.T) {
	t.Parallel()
	quiet, _ := fresh().NoticeSilence(game.Seen{Red: at(0), Yellow: at(30 * time.Second)}, time.Time{}, at(30*time.Second))
	back, _ := quiet.SetPresence(board.Red, game.Here, at(31*time.Second))
	_, changed := back.NoticeSilence(game.Seen{Red: at(0), Yellow: at(32 * time.Second)}, time.Time{}, at(32*time.Second))
	assert.False(t, changed)
	_, changed = back.NoticeSilence(game.Seen{Red: at(0), Yellow: at(60 * time.Second)}, time.Time{}, at(61*time.Second))
	assert.True(t, changed)
}

func TestTheOwnersReturnAndItsMoveAreOneChange(t *testing.T) {
	t.Parallel()
	g := gone(fresh(), at(time.Second), board.Red)
	moved, changed, err := g.Play(ola, 1, 4, at(2*time.Second), nil)
	require.NoError(t, err)
	require.True(t, changed)
	assert.Equal(t, g.Version+1, moved.Version)
	assert.Equal(t, game.Here, moved.Red.Presence)
	assert.Equal(t, "h", moved.Movers)
}

func TestAPlyTheCPUMadeForAnOwnerIsStaleToIt(t *testing.T) {
	t.Parallel()
	g, err := gone(fresh(), at(time.Second), board.Red).PlayCPU(4, at(2*time.Second))
	require.NoError(t, err)
	_, _, err = g.Play(ola, 1, 4, at(3*time.Second), nil)
	require.ErrorContains(t, err, "stale_ply")
}

func TestLeavingIsAResignationWhereNobodyWouldPlayOn(t *testing.T) {
	t.Parallel()
	assert.False(t, fresh().LeavingResigns())
	assert.True(t, started(func(o *game.Opening) { o.Settings.CPUCover = false }).LeavingResigns())
	assert.False(t, started(func(o *game.Opening) { againstCPU(o); o.Settings.CPUCover = false }).LeavingResigns())
}

func TestAgreements(t *testing.T) {
	t.Parallel()
	won := after(t, fresh(), "1213141")
	agreed, changed := won.SetRematch(board.Red, true)
	require.True(t, changed)
	assert.Equal(t, won.Version+1, agreed.Version)
	_, changed = agreed.SetRematch(board.Red, true)
	assert.False(t, changed, "agreeing again changes nothing")
	both, _ := agreed.SetRematch(board.Yellow, true)
	foreseen := both.Foresee(game.GuestSeat)
	assert.Equal(t, both.Version+1, foreseen.Version, "taking both back is one change")
	assert.False(t, foreseen.Red.Rematch || foreseen.Yellow.Rematch)
	assert.Equal(t, foreseen.Version, foreseen.Foresee(game.GuestSeat).Version)
}
