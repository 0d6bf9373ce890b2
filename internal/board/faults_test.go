package board_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
)

// The tests of this file are for mistakes that boards like this one have been shipped with.

// fields lists fields given as column and row.
func fields(pairs ...[2]int) []board.Field {
	list := make([]board.Field, len(pairs))
	for i, pair := range pairs {
		list[i] = board.Field{Column: board.Column(pair[0]), Row: pair[1]}
	}
	return list
}

func TestWins(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		moves  string
		winner board.Side
		fields []board.Field
	}{
		"a gap resets the count":            {"11224455", board.NoSide, fields()},
		"a disc in the gap wins":            {"1122443", board.Red, fields([2]int{1, 1}, [2]int{2, 1}, [2]int{3, 1}, [2]int{4, 1})},
		"no line goes round the edge":       {"5462711", board.NoSide, fields()},
		"no line goes round the other edge": {"66575561", board.NoSide, fields()},
		"no line goes over the top":         {"55755762545", board.NoSide, fields()},
		"a diagonal ends in column 7":       {"635465767767", board.Yellow, fields([2]int{4, 1}, [2]int{5, 2}, [2]int{6, 3}, [2]int{7, 4})},
		"five in a row are five fields": {
			"412167553", board.Red,
			fields([2]int{2, 1}, [2]int{3, 1}, [2]int{4, 1}, [2]int{5, 1}, [2]int{6, 1}),
		},
		"two lines that cross are seven fields": {
			"734545435672634", board.Red,
			fields([2]int{4, 1}, [2]int{4, 2}, [2]int{4, 3}, [2]int{4, 4}, [2]int{5, 3}, [2]int{6, 2}, [2]int{7, 1}),
		},
		"the 42nd disc can win": {
			"211131416572345677654327654322345677654321", board.Yellow,
			fields([2]int{1, 3}, [2]int{1, 4}, [2]int{1, 5}, [2]int{1, 6}),
		},
		"a full board without a line is a draw": {"525555776252742437426111231136747143336646", board.NoSide, fields()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := after(t, test.moves)
			assert.Equal(t, test.winner, p.Winner())
			assert.Equal(t, test.fields, p.WinningFields())
			assert.Equal(t, p.Winner() != board.NoSide || p.Ply() == board.Fields, p.Over())
		})
	}
}

func TestAFullColumnIsRefusedAndTheNextColumnIsNot(t *testing.T) {
	t.Parallel()
	p := after(t, "444444")
	_, err := p.Play(4)
	require.ErrorIs(t, err, board.ErrColumnFull)
	assert.Equal(t, []board.Column{1, 2, 3, 5, 6, 7}, p.LegalColumns())
	next, err := p.Play(5)
	require.NoError(t, err)
	assert.Equal(t, board.Red, next.Disc(board.Field{Column: 5, Row: 1}), "the turn is still red's")
}

func TestAPositionIsDeadFromTheDiscThatKillsTheLastLine(t *testing.T) {
	t.Parallel()
	const game = "561161122427524667121576472757336533544433"
	for ply := range len(game) + 1 {
		p := after(t, game[:ply])
		assert.Equal(t, ply >= 41, p.Dead(), "ply %d", ply)
		assert.Equal(t, ply == 42, p.Over(), "ply %d: that a dead position ends a game is a house rule", ply)
	}
}

func TestNoPositionIsDeadBefore34Discs(t *testing.T) {
	t.Parallel()
	const game = "7764264462462224664277153153311355"
	assert.True(t, after(t, game).Dead())
	assert.False(t, after(t, game[:33]).Dead())
}

func TestNothingChangesAfterTheEnd(t *testing.T) {
	t.Parallel()
	p := after(t, "1212121")
	for c := board.Column(-1); c <= board.Columns+1; c++ {
		next, err := p.Play(c)
		require.Error(t, err)
		assert.Equal(t, p, next)
	}
	assert.Equal(t, []board.Column{}, p.LegalColumns())
	assert.Equal(t, board.Red, p.Winner())
}
