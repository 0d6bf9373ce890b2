//go:build soak

package cpu_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

func TestSoakEachLevelBeatsTheOneBelowIn400Games(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(0, solver.Options{Book: testkit.Book(t)}))
	all := level.All()
	for i, l := range all[1:] {
		t.Run(string(l.Name), func(t *testing.T) {
			t.Parallel()
			share := match(t, c, l.Name, all[i].Name, soak.Scaled(t, 400))
			t.Logf("%s takes %.1f %% of the points against %s", l.Name, 100*share, all[i].Name)
			assert.GreaterOrEqual(t, share, 0.75)
		})
	}
}

func TestSoakEveryLevelTakesAWinInOneAndFromMediumUpBlocksTheOnlyLossInOne(t *testing.T) {
	t.Parallel()
	for _, l := range level.All() {
		checkWinsAndBlocks(t, l, soak.Scaled(t, 2000))
	}
}

func TestSoakPerfectAsRedWinsEveryGame(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(0, solver.Options{Book: testkit.Book(t)}))
	for _, yellow := range []level.Name{level.Easy, level.Medium, level.Hard} {
		for seed := range uint64(soak.Scaled(t, 334)) {
			require.Equal(t, board.Red, play(t, c, board.Position{}, level.Perfect, yellow, seed))
		}
	}
}

func TestSoakPerfectAgainstItselfWinsWithThe41stDisc(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(1, solver.Options{Book: testkit.Book(t)}))
	for seed := range uint64(5) {
		var p board.Position
		for !p.Over() {
			column, err := c.Choose(context.Background(), p, p.LegalColumns(), level.Perfect, seed)
			require.NoError(t, err)
			p, err = p.Play(column)
			require.NoError(t, err)
		}
		require.Equal(t, 41, p.Ply())
		require.Equal(t, board.Red, p.Winner())
	}
}

// Played out by perfect on both sides, a game ends as the score of its first position says, and with that disc: no
// move on the way has given anything away, won later or lost sooner than it had to.
func TestSoakPerfectKeepsWhatAnyPositionHolds(t *testing.T) {
	t.Parallel()
	book := testkit.Book(t)
	c := cpu.New(solver.NewPool(1, solver.Options{Book: book}))
	judge := solver.New(solver.Options{Book: book})
	random := rand.New(rand.NewPCG(500, 42))
	for seed := range uint64(soak.Scaled(t, 500)) {
		p := randomPosition(random, random.IntN(40))
		first := p
		before, err := judge.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		for !p.Over() {
			column, err := c.Choose(context.Background(), p, p.LegalColumns(), level.Perfect, seed)
			require.NoError(t, err)
			p, err = p.Play(column)
			require.NoError(t, err)
		}
		switch {
		case before.Lower == 0:
			require.Equal(t, board.NoSide, p.Winner(), "%v", first.Picture())
		case before.Lower > 0:
			require.Equal(t, first.Turn(), p.Winner(), "%v", first.Picture())
		default:
			require.Equal(t, first.Turn().Other(), p.Winner(), "%v", first.Picture())
		}
		if before.Lower != 0 {
			require.Equal(t, analysis.PliesToEnd(first.Ply(), before.Lower), p.Ply()-first.Ply(), "%v", first.Picture())
		}
	}
}

func TestSoakAMillionMovesAreLegal(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(1, solver.Options{}))
	random := rand.New(rand.NewPCG(1_000_000, 1))
	for move := range uint64(soak.Scaled(t, 1_000_000)) {
		p := randomPosition(random, random.IntN(42))
		l := level.All()[random.IntN(len(level.All()))]
		name := l.Name
		if p.Ply() < 26 { // before, they take milliseconds, and a million of these is an hour
			name = l.Crowded
		}
		column, err := c.Choose(context.Background(), p, p.LegalColumns(), name, move)
		require.NoError(t, err)
		require.True(t, p.CanPlay(column))
	}
}
