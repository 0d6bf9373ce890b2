package analysis_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/analysis"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

func newSolver() *solver.Solver { return solver.New(solver.Options{EarlyTableBits: 16}) }

// latePosition plays about that many random discs of a game that goes on.
func latePosition(random *rand.Rand, ply int) (board.Position, string) {
	var p board.Position
	moves := ""
	for p.Ply() < ply {
		legal := p.LegalColumns()
		column := legal[random.IntN(len(legal))]
		next, err := p.Play(column)
		if err != nil || next.Over() {
			p, moves = board.Position{}, ""
			continue
		}
		p, moves = next, moves+string(rune('0'+column))
	}
	return p, moves
}

// readAll finds out all about a position.
func readAll(
	ctx context.Context, t *testing.T, s analysis.Searcher, p board.Position, legal analysis.Legal,
) analysis.Position {
	t.Helper()
	known, err := analysis.Read(ctx, s, p, analysis.Position{}, legal)
	require.NoError(t, err)
	known.Line, err = analysis.Follow(ctx, s, p, known, legal)
	require.NoError(t, err)
	return known
}

func TestThePrincipalLineEndsAsAndWhenTheScoresSay(t *testing.T) {
	t.Parallel()
	s := newSolver()
	random := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		p, moves := latePosition(random, 18+random.IntN(23))
		known := readAll(context.Background(), t, s, p, board.Position.LegalColumns)
		require.True(t, known.Exact)
		require.NotEmpty(t, known.Best)
		assert.Contains(t, known.Best, known.Line[0], moves)
		end := p
		for _, column := range known.Line {
			next, err := end.Play(column)
			require.NoError(t, err, moves)
			end = next
		}
		require.True(t, end.Over(), moves)
		for _, c := range known.Columns {
			if c.Column != known.Line[0] {
				continue
			}
			switch analysis.OutcomeOf(c.Result) {
			case analysis.Win:
				assert.Equal(t, p.Turn(), end.Winner(), moves)
			case analysis.Loss:
				assert.Equal(t, p.Turn().Other(), end.Winner(), moves)
			default:
				assert.Equal(t, board.NoSide, end.Winner(), moves)
				assert.Zero(t, analysis.PliesToEnd(p.Ply(), c.Lower))
				continue
			}
			assert.Len(t, known.Line, analysis.PliesToEnd(p.Ply(), c.Lower), moves)
		}
	}
}

func TestALineStopsWhereTheGameWouldEnd(t *testing.T) {
	t.Parallel()
	p, err := board.Parse("4455")
	require.NoError(t, err)
	atPly := func(p board.Position) []board.Column {
		if p.Ply() == 6 {
			return nil
		}
		return p.LegalColumns()
	}
	ctx := solver.WithNodeLimit(context.Background(), 50_000_000)
	assert.Len(t, readAll(ctx, t, known{newSolver()}, p, atPly).Line, 2)
	over := readAll(ctx, t, newSolver(), p, func(board.Position) []board.Column { return nil })
	assert.Equal(t, analysis.Position{Exact: true}, over)
}

// known is a solver that has solved "4455" before.
type known struct{ *solver.Solver }

// Refine gives the published scores.
func (known) Refine(context.Context, board.Position, []solver.ColumnScore) ([]solver.ColumnScore, error) {
	var scores []solver.ColumnScore
	for i, score := range []int{-4, -3, 18, 2, 2, 18, -3} {
		scores = append(scores, column(i+1, score, score))
	}
	return scores, nil
}

func column(c, lower, upper int) solver.ColumnScore {
	return solver.ColumnScore{Column: board.Column(c), Result: solver.Result{Lower: lower, Upper: upper}}
}

func TestOnlyWhatIsProvenIsSaid(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		others  solver.ColumnScore
		played  solver.ColumnScore
		before  analysis.Outcome
		after   analysis.Outcome
		verdict analysis.Verdict
	}{
		"equal":                            {column(1, 3, 3), column(2, 3, 3), analysis.Win, analysis.Win, analysis.Best},
		"a later win":                      {column(1, 5, 5), column(2, 3, 3), analysis.Win, analysis.Win, analysis.Inaccuracy},
		"a sooner loss":                    {column(1, -3, -3), column(2, -5, -5), analysis.Loss, analysis.Loss, analysis.Inaccuracy},
		"a win given away":                 {column(1, 3, 3), column(2, 0, 0), analysis.Win, analysis.Draw, analysis.Mistake},
		"a draw given away":                {column(1, 0, 0), column(2, -7, -7), analysis.Draw, analysis.Loss, analysis.Mistake},
		"some win given away":              {column(1, 1, 9), column(2, -7, 0), analysis.Win, "", analysis.Mistake},
		"a draw or more given away":        {column(1, 0, 9), column(2, -7, -1), "", analysis.Loss, analysis.Mistake},
		"some win against some win":        {column(1, 1, 9), column(2, 1, 9), analysis.Win, analysis.Win, ""},
		"a win sooner than any other":      {column(1, 1, 9), column(2, 9, 9), analysis.Win, analysis.Win, analysis.Best},
		"nothing known of the others":      {column(1, -18, 18), column(2, 0, 0), "", analysis.Draw, ""},
		"nothing known of what was played": {column(1, 3, 3), column(2, -18, 18), analysis.Win, "", ""},
	} {
		g := analysis.Judge("2", [][]solver.ColumnScore{{row.others, row.played}})
		require.Len(t, g.Plies, 1, name)
		assert.Equal(t, row.before, g.Plies[0].Before, name)
		assert.Equal(t, row.after, g.Plies[0].After, name)
		assert.Equal(t, row.verdict, g.Plies[0].Verdict, name)
		assert.Equal(t, row.verdict == analysis.Mistake, len(g.TurningPoints) == 1, name)
		assert.Equal(t, row.others.Exact() && row.played.Exact(), g.Exact, name)
	}
}

func TestAPlyNobodyHasLookedAtIsNotJudged(t *testing.T) {
	t.Parallel()
	g := analysis.Judge("12", [][]solver.ColumnScore{nil, {column(1, 0, 0), column(2, 0, 0)}})
	assert.Equal(t, analysis.Ply{Ply: 1, Column: 1}, g.Plies[0])
	assert.Equal(t, analysis.Best, g.Plies[1].Verdict)
	assert.Equal(t, map[board.Side]float64{board.Yellow: 100}, g.Accuracy)
	assert.False(t, g.Exact)
}

func TestASearchCutShortHasNoLine(t *testing.T) {
	t.Parallel()
	ctx := solver.WithNodeLimit(context.Background(), 10_000)
	known := readAll(ctx, t, newSolver(), board.Position{}, board.Position.LegalColumns)
	assert.False(t, known.Exact)
	assert.Empty(t, known.Best)
	assert.Empty(t, known.Line)
	assert.Len(t, known.Columns, board.Columns)
}

func TestOnlyColumnsThatMayBePlayedAreJudgedAndFollowed(t *testing.T) {
	t.Parallel()
	s := newSolver()
	random := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		p, moves := latePosition(random, 20+random.IntN(20))
		house := func(p board.Position) []board.Column {
			if legal := p.LegalColumns(); len(legal) > 1 {
				return legal[1:]
			}
			return p.LegalColumns()
		}
		known := readAll(context.Background(), t, s, p, house)
		var columns []board.Column
		for _, c := range known.Columns {
			columns = append(columns, c.Column)
		}
		require.Equal(t, house(p), columns, moves)
		require.NotEmpty(t, known.Best, moves)
		for _, column := range known.Line {
			require.Contains(t, house(p), column, moves)
			var err error
			p, err = p.Play(column)
			require.NoError(t, err, moves)
		}
	}
}
