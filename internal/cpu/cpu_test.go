package cpu_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// randomPosition plays that many random discs, or begins again when the game ends before.
func randomPosition(random *rand.Rand, ply int) board.Position {
	var p board.Position
	for p.Ply() < ply {
		legal := p.LegalColumns()
		next, err := p.Play(legal[random.IntN(len(legal))])
		if err != nil || next.Over() {
			p = board.Position{}
			continue
		}
		p = next
	}
	return p
}

// playable lists the columns in which a side would complete a line.
func playable(p board.Position, side board.Side) []board.Column {
	var found []board.Column
	for _, threat := range p.Threats(side) {
		if threat.Playable {
			found = append(found, threat.Field.Column)
		}
	}
	return found
}

// checkWinsAndBlocks lets a level move in generated positions with a win in one or an only loss in one.
func checkWinsAndBlocks(t *testing.T, l level.Level, positions int) {
	t.Helper()
	c := cpu.New(solver.NewPool(1, solver.Options{EarlyTableBits: 16}))
	random := rand.New(rand.NewPCG(2000, 4))
	for seed := 0; seed < positions; {
		p := randomPosition(random, 18+random.IntN(22))
		wins, losses := playable(p, p.Turn()), playable(p, p.Turn().Other())
		must := wins
		if len(wins) == 0 && len(losses) == 1 && l.BlocksOne == 1 {
			must = losses
		}
		if len(must) == 0 {
			continue
		}
		seed++
		column, err := c.Choose(context.Background(), p, p.LegalColumns(), l.Name, uint64(seed))
		require.NoError(t, err)
		require.Contains(t, must, column, "%v", p.Picture())
	}
}

func TestEveryLevelTakesAWinInOneAndFromMediumUpBlocksTheOnlyLossInOne(t *testing.T) {
	t.Parallel()
	for _, l := range level.All() {
		t.Run(string(l.Name), func(t *testing.T) {
			t.Parallel()
			checkWinsAndBlocks(t, l, 100)
		})
	}
}

func TestEasyMissesSomeThreats(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("121212"[:5])
	require.NoError(t, err)
	c := cpu.New(solver.NewPool(1, solver.Options{}))
	blocked := 0
	for seed := range uint64(200) {
		column, err := c.Choose(context.Background(), p, p.LegalColumns(), level.Easy, seed)
		require.NoError(t, err)
		if column == 1 {
			blocked++
		}
	}
	assert.Greater(t, blocked, 60)
	assert.Less(t, blocked, 160)
}

func TestTheSameSeedGivesTheSameColumnAndOthersVary(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("4444")
	require.NoError(t, err)
	for _, name := range []level.Name{level.Easy, level.Medium, level.Hard} {
		one := cpu.New(solver.NewPool(1, solver.Options{}))
		two := cpu.New(solver.NewPool(1, solver.Options{}))
		columns := map[board.Column]bool{}
		for seed := range uint64(60) {
			a, err := one.Choose(context.Background(), p, p.LegalColumns(), name, seed)
			require.NoError(t, err)
			b, err := two.Choose(context.Background(), p, p.LegalColumns(), name, seed)
			require.NoError(t, err)
			require.Equal(t, a, b)
			columns[a] = true
		}
		assert.Greater(t, len(columns), 1, "%s always plays the same", name)
	}
}

func TestPerfectNeverGivesAwayWhatItHas(t *testing.T) {
	t.Parallel()
	s := solver.New(solver.Options{EarlyTableBits: 16})
	c := cpu.New(solver.NewPool(1, solver.Options{EarlyTableBits: 16}))
	random := rand.New(rand.NewPCG(500, 7))
	for seed := range uint64(60) {
		p := randomPosition(random, 19+random.IntN(20))
		before, err := s.Solve(context.Background(), p, -22, 22)
		require.NoError(t, err)
		column, err := c.Choose(context.Background(), p, p.LegalColumns(), level.Perfect, seed)
		require.NoError(t, err)
		next, err := p.Play(column)
		require.NoError(t, err)
		if next.Over() {
			continue
		}
		after, err := s.Solve(context.Background(), next, -22, 22)
		require.NoError(t, err)
		require.Equal(t, before.Lower, -after.Lower)
	}
}

func TestOutOfTimeTheCPUStillPlaysAndSaysSo(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(1, solver.Options{EarlyTableBits: 16}))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, ctx := range map[string]context.Context{
		"time": cancelled, "nodes": solver.WithNodeLimit(context.Background(), 1000),
	} {
		column, err := c.Choose(ctx, board.Position{}, board.Position{}.LegalColumns(), level.Perfect, 1)
		require.ErrorIs(t, err, solver.ErrCutShort, name)
		assert.Equal(t, board.Column(4), column, name)
	}
}

func TestNoColumnIsChosenInAFinishedGameOrAtAnUnknownLevel(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(1, solver.Options{}))
	over, err := board.Parse("1212121")
	require.NoError(t, err)
	_, err = c.Choose(context.Background(), over, over.LegalColumns(), level.Perfect, 1)
	require.ErrorIs(t, err, solver.ErrGameOver)
	_, err = c.Choose(context.Background(), board.Position{}, board.Position{}.LegalColumns(), "grandmaster", 1)
	require.ErrorIs(t, err, level.UnknownError{Name: "grandmaster"})
}

func TestUnderLoadTheDearLevelsGiveWayAndTheCheapOnesStay(t *testing.T) {
	t.Parallel()
	for name, want := range map[level.Name][]level.Name{
		level.Easy:    {level.Easy, level.Easy, level.Easy},
		level.Medium:  {level.Medium, level.Medium, level.Medium},
		level.Hard:    {level.Hard, level.Hard, level.Medium},
		level.Perfect: {level.Perfect, level.Hard, level.Medium},
	} {
		for i, load := range []cpu.Load{cpu.Calm, cpu.Busy, cpu.Crowded} {
			under, err := cpu.Under(name, load)
			require.NoError(t, err)
			assert.Equal(t, want[i], under, "%s under %d", name, load)
		}
	}
	_, err := cpu.Under("grandmaster", cpu.Crowded)
	require.ErrorIs(t, err, level.UnknownError{Name: "grandmaster"})
}

func TestACPUChoosesAmongTheLegalColumnsAndPerfectTheBestOfThem(t *testing.T) {
	t.Parallel()
	solvers := solver.NewPool(1, solver.Options{EarlyTableBits: 16})
	c := cpu.New(solvers)
	random := rand.New(rand.NewPCG(9, 9))
	for seed := range uint64(300) {
		p := randomPosition(random, 20+random.IntN(21))
		legal := p.LegalColumns()
		random.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
		legal = legal[:1+random.IntN(len(legal))]
		slices.Sort(legal)
		for _, l := range level.All() {
			column, err := c.Choose(context.Background(), p, legal, l.Name, seed)
			require.NoError(t, err)
			require.Contains(t, legal, column, "%s at %v", l.Name, p.Picture())
			if l.Name != level.Perfect {
				continue
			}
			scores, err := solvers.Analyze(context.Background(), p)
			require.NoError(t, err)
			worth, most := worthOf(scores, column), worthOf(scores, legal...)
			require.Equal(t, most, worth, "column %d of %v at %v", column, legal, p.Picture())
		}
	}
	_, err := c.Choose(context.Background(), board.Position{}, nil, level.Easy, 1)
	require.ErrorIs(t, err, solver.ErrGameOver, "there is nothing to choose from")
}

// worthOf is the best score of some columns.
func worthOf(scores []solver.ColumnScore, columns ...board.Column) int {
	most := -board.Fields
	for _, score := range scores {
		if slices.Contains(columns, score.Column) {
			most = max(most, score.Lower)
		}
	}
	return most
}

func TestWithoutTimeACPUStillChoosesAmongTheLegalColumns(t *testing.T) {
	t.Parallel()
	c := cpu.New(solver.NewPool(1, solver.Options{EarlyTableBits: 16}))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for column := board.Column(1); column <= board.Columns; column++ {
		chosen, err := c.Choose(ctx, board.Position{}, []board.Column{column}, level.Perfect, 1)
		require.ErrorIs(t, err, solver.ErrCutShort)
		assert.Equal(t, column, chosen)
	}
}
