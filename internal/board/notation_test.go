package board_test

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
)

func TestAStringThatIsNoGameSaysWhere(t *testing.T) {
	t.Parallel()
	const full = "525555776252742437426111231136747143336646"
	for name, test := range map[string]struct {
		moves   string
		ply     int
		reason  board.Reason
		message string
	}{
		"a letter":                  {"44x4", 3, board.BadCharacter, "move 3 is not a column from 1 to 7"},
		"column 0":                  {"0", 1, board.BadCharacter, "move 1 is not a column from 1 to 7"},
		"column 8":                  {"448", 3, board.BadCharacter, "move 3 is not a column from 1 to 7"},
		"a blank":                   {"4 4", 2, board.BadCharacter, "move 2 is not a column from 1 to 7"},
		"a digit of another script": {"4٤", 2, board.BadCharacter, "move 2 is not a column from 1 to 7"},
		"NUL":                       {"4\x00", 2, board.BadCharacter, "move 2 is not a column from 1 to 7"},
		"a broken character":        {"\xff", 1, board.BadCharacter, "move 1 is not a column from 1 to 7"},
		"a minus":                   {"-1", 1, board.BadCharacter, "move 1 is not a column from 1 to 7"},
		"43 moves":                  {full + "1", 43, board.TooLong, "move 43 is more than the board has fields"},
		"43 characters of which the last is wrong": {full + "x", 43, board.TooLong, "move 43 is more than the board has fields"},
		"a megabyte":                    {strings.Repeat("1", 1<<20), 43, board.TooLong, "move 43 is more than the board has fields"},
		"a seventh disc in a column":    {"4444444", 7, board.ColumnFull, "move 7 goes into a full column"},
		"a move after a win":            {"12121213", 8, board.AfterTheEnd, "move 8 comes after the end of the game"},
		"a full column after a win":     {"44444412131214", 14, board.AfterTheEnd, "move 14 comes after the end of the game"},
		"a wrong character after a win": {"12121213x", 9, board.BadCharacter, "move 9 is not a column from 1 to 7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := board.Parse(test.moves)
			var wrong *board.MovesError
			require.ErrorAs(t, err, &wrong)
			assert.Equal(t, board.MovesError{Ply: test.ply, Reason: test.reason}, *wrong)
			assert.Equal(t, test.message, err.Error())
			assert.Equal(t, board.Position{}, p)
		})
	}
}

// FuzzParse holds Parse against the oracle: the same games, refused for the same reasons, and the same discs.
func FuzzParse(f *testing.F) {
	for _, moves := range []string{
		"", "4453", "4444444", "1212121", "12121213", "8", "4x", "٤", "412167553", "734545435672634",
		"525555776252742437426111231136747143336646", "5255557762527424374261112311367471433366461",
	} {
		f.Add(moves)
	}
	f.Fuzz(func(t *testing.T, moves string) {
		p, err := board.Parse(moves)
		o, want := obviousParse(moves)
		if want != nil {
			require.Equal(t, want, err)
			return
		}
		require.NoError(t, err)
		require.Empty(t, differOnCourse(p, &o))
		require.Equal(t, o.picture(), p.Picture())
		require.Equal(t, moves, played(t, moves))
	})
}

// obviousParse plays a moves string by the oracle.
func obviousParse(moves string) (o oracle, refused error) {
	for i, digit := range []byte(moves) {
		switch {
		case i == board.Fields:
			return o, &board.MovesError{Ply: i + 1, Reason: board.TooLong}
		case digit < '1' || digit > '7':
			return o, &board.MovesError{Ply: i + 1, Reason: board.BadCharacter}
		}
	}
	for i, digit := range []byte(moves) {
		column := board.Column(digit - '0')
		switch {
		case o.winner != board.NoSide:
			return o, &board.MovesError{Ply: i + 1, Reason: board.AfterTheEnd}
		case o.height[column] == board.Rows:
			return o, &board.MovesError{Ply: i + 1, Reason: board.ColumnFull}
		}
		o.play(column)
	}
	return o, nil
}

// played reads a game off the boards it passed through: each has one disc more than the one before.
func played(t *testing.T, moves string) string {
	t.Helper()
	var read strings.Builder
	_, before := board.Position{}.Bits()
	for ply := range len(moves) {
		_, now := after(t, moves[:ply+1]).Bits()
		require.Equal(t, ply+1, bits.OnesCount64(now))
		require.Equal(t, before, now&before, "a disc has gone")
		read.WriteByte('1' + byte(bits.TrailingZeros64(now^before)/7))
		before = now
	}
	return read.String()
}
