package board_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
)

// after is the position after the moves, which must be a game.
func after(t *testing.T, moves string) board.Position {
	t.Helper()
	p, err := board.Parse(moves)
	require.NoError(t, err, "moves %q", moves)
	return p
}

func TestTheZeroPositionIsTheEmptyBoard(t *testing.T) {
	t.Parallel()
	var p board.Position
	assert.Equal(t, after(t, ""), p)
	assert.Equal(t, 0, p.Ply())
	assert.Equal(t, board.Red, p.Turn())
	assert.Equal(t, board.NoSide, p.Winner())
	assert.False(t, p.Over() || p.Full() || p.Dead())
	assert.Equal(t, []board.Column{1, 2, 3, 4, 5, 6, 7}, p.LegalColumns())
	assert.Equal(t, []board.Field{}, p.WinningFields())
	assert.Equal(t, []board.Threat{}, p.Threats(board.Red))
	for c := board.Column(1); c <= board.Columns; c++ {
		landing, ok := p.Landing(c)
		assert.True(t, ok)
		assert.Equal(t, board.Field{Column: c, Row: 1}, landing)
		_, ok = p.Top(c)
		assert.False(t, ok, "nothing lies in column %d", c)
	}
}

func TestPlayLeavesThePositionItCameFrom(t *testing.T) {
	t.Parallel()
	before := after(t, "4453")
	kept := before
	next, err := before.Play(4)
	require.NoError(t, err)
	assert.Equal(t, kept, before)
	assert.NotEqual(t, before, next)
	assert.Equal(t, after(t, "44534"), next)
}

func TestPositionsAreEqualWhateverTheOrderOfTheirMoves(t *testing.T) {
	t.Parallel()
	assert.Equal(t, after(t, "123"), after(t, "321"))
	assert.True(t, after(t, "123") == after(t, "321"), "== compares positions")
	assert.False(t, after(t, "123") == after(t, "213"), "the sides of the discs count")
}

func TestARefusedMoveSaysWhyAndCostsNothing(t *testing.T) {
	t.Parallel()
	const full = "525555776252742437426111231136747143336646"
	for name, test := range map[string]struct {
		moves  string
		column board.Column
		want   error
	}{
		"column 0 doesn't exist":                 {"", 0, board.ErrNoSuchColumn},
		"column 8 doesn't exist":                 {"", 8, board.ErrNoSuchColumn},
		"column -1 doesn't exist":                {"", -1, board.ErrNoSuchColumn},
		"the smallest number isn't a column":     {"", -1 << 63, board.ErrNoSuchColumn},
		"the largest number isn't a column":      {"", 1<<63 - 1, board.ErrNoSuchColumn},
		"a seventh disc doesn't fit":             {"444444", 4, board.ErrColumnFull},
		"nobody moves after a win":               {"1212121", 3, board.ErrGameOver},
		"nobody moves on a full board":           {full, 1, board.ErrGameOver},
		"a wrong column is wrong after the end":  {"1212121", 9, board.ErrNoSuchColumn},
		"the end is told before the full column": {"4444441212121", 4, board.ErrGameOver},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := after(t, test.moves)
			got, err := p.Play(test.column)
			require.ErrorIs(t, err, test.want)
			assert.Equal(t, p, got)
			assert.Equal(t, after(t, test.moves), p)
			assert.False(t, p.CanPlay(test.column))
		})
	}
}

func TestSides(t *testing.T) {
	t.Parallel()
	assert.Equal(t, board.Yellow, board.Red.Other())
	assert.Equal(t, board.Red, board.Yellow.Other())
	assert.Equal(t, board.NoSide, board.NoSide.Other())
	assert.Equal(t, "red", board.Red.String())
	assert.Equal(t, "yellow", board.Yellow.String())
	assert.Empty(t, board.NoSide.String())
	assert.Equal(t, board.Red, after(t, "44").Turn(), "red moves on even plies")
	assert.Equal(t, board.Yellow, after(t, "445").Turn(), "yellow moves on odd plies")
}

func TestThePictureShowsTheTopRowFirst(t *testing.T) {
	t.Parallel()
	assert.Equal(t, [board.Rows]string{
		".......",
		".......",
		".......",
		".......",
		"...Y...",
		"..YRR..",
	}, after(t, "4453").Picture())
}

func TestDiscsLieWhereTheyFell(t *testing.T) {
	t.Parallel()
	p := after(t, "4453")
	for field, want := range map[board.Field]board.Side{
		{Column: 4, Row: 1}:  board.Red,
		{Column: 4, Row: 2}:  board.Yellow,
		{Column: 5, Row: 1}:  board.Red,
		{Column: 3, Row: 1}:  board.Yellow,
		{Column: 4, Row: 3}:  board.NoSide,
		{Column: 0, Row: 1}:  board.NoSide,
		{Column: 4, Row: 0}:  board.NoSide,
		{Column: 8, Row: 1}:  board.NoSide,
		{Column: 4, Row: 7}:  board.NoSide,
		{Column: -4, Row: 1}: board.NoSide,
	} {
		assert.Equal(t, want, p.Disc(field), "%v", field)
	}
	top, ok := p.Top(4)
	assert.True(t, ok)
	assert.Equal(t, board.Field{Column: 4, Row: 2}, top)
}

func TestAColumnThatDoesNotExistHasNoFields(t *testing.T) {
	t.Parallel()
	p := after(t, "1144")
	for _, c := range []board.Column{-1, 0, 8, 100} {
		_, landing := p.Landing(c)
		_, top := p.Top(c)
		assert.False(t, landing || top, "column %d", c)
	}
}

func TestBitsAreSevenAColumnFromColumnOne(t *testing.T) {
	t.Parallel()
	current, mask := after(t, "1127").Bits()
	assert.Equal(t, uint64(0b1|0b1<<7), current, "red: the lowest fields of columns 1 and 2")
	assert.Equal(t, uint64(0b11|0b1<<7|0b1<<42), mask, "yellow: above red in column 1, and the lowest of column 7")
}

func TestThreatsSayWhetherTheyCanBePlayed(t *testing.T) {
	t.Parallel()
	at := func(column board.Column, row int, playable bool) board.Threat {
		return board.Threat{Field: board.Field{Column: column, Row: row}, Playable: playable}
	}
	for name, test := range map[string]struct {
		moves       string
		red, yellow []board.Threat
	}{
		"three in a row are open at both ends": {
			"334455",
			[]board.Threat{at(2, 1, true), at(6, 1, true)},
			[]board.Threat{at(2, 2, false), at(6, 2, false)},
		},
		"a gap is open in the middle": {
			"11224455",
			[]board.Threat{at(3, 1, true)},
			[]board.Threat{at(3, 2, false)},
		},
		"a field of several lines is one threat": {
			"112233556677",
			[]board.Threat{at(4, 1, true)},
			[]board.Threat{at(4, 2, false)},
		},
		"three upright are open above":         {"41424", []board.Threat{at(4, 4, true)}, []board.Threat{}},
		"three upright under the edge are not": {"117117171", []board.Threat{}, []board.Threat{}},
		"after the end nothing is open":        {"1212121", []board.Threat{}, []board.Threat{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := after(t, test.moves)
			assert.Equal(t, test.red, p.Threats(board.Red))
			assert.Equal(t, test.yellow, p.Threats(board.Yellow))
			assert.Equal(t, []board.Threat{}, p.Threats(board.NoSide))
		})
	}
}

func TestJudgingAMoveAllocatesNothing(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	const game = "525555776252742437426111231136747143336646"
	judged := 0
	allocations := testing.AllocsPerRun(100, func() {
		var p board.Position
		for _, digit := range []byte(game) {
			p, _ = p.Play(board.Column(digit - '0'))
			if p.Winner() == board.NoSide && p.Full() == p.Dead() {
				judged++
			}
		}
	})
	assert.Equal(t, 101*len(game), judged, "a draw that dies with its last disc; one run warms up")
	assert.Zero(t, allocations)
}

func TestADiscThatIsTakenBackLeavesThePositionBefore(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		var p board.Position
		for !p.Over() {
			legal := p.LegalColumns()
			column := legal[random.IntN(len(legal))]
			next, err := p.Play(column)
			require.NoError(t, err)
			require.Equal(t, p, next.Undo(column))
			p = next
		}
	}
	assert.Equal(t, board.Position{}, board.Position{}.Undo(4))
	assert.Equal(t, board.Position{}, board.Position{}.Undo(8))
}
