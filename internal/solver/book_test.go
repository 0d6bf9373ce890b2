package solver_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// bookOf packs and unpacks the published scores of a ply.
func bookOf(t *testing.T, ply int) *solver.Book {
	t.Helper()
	keys, scores := readReference(t, ply)
	packed, err := solver.PackBook(ply, keys, scores)
	require.NoError(t, err)
	book, err := solver.ParseBook(packed)
	require.NoError(t, err)
	return book
}

func TestKeysListEveryPositionOfAPlyOnceUpToMirrorImage(t *testing.T) {
	t.Parallel()
	for ply, want := range []int{1, 4, 25, 121, 568, 2144, 8231} {
		assert.Len(t, solver.Keys(ply), want, "ply %d", ply)
	}
	want, _ := readReference(t, 6)
	assert.Equal(t, want, solver.Keys(6))
}

func TestABookGivesBackEveryScorePackedIntoIt(t *testing.T) {
	t.Parallel()
	for _, ply := range []int{1, 5, 6, 7} {
		keys, scores := readReference(t, ply)
		book := bookOf(t, ply)
		assert.Equal(t, ply, book.Ply())
		for i, key := range keys {
			got, ok := book.ScoreKey(key)
			require.True(t, ok)
			require.Equal(t, scores[i], got, "ply %d, position %013x", ply, uint64(key))
		}
	}
}

func TestABookKnowsAPositionAndItsMirrorImage(t *testing.T) {
	t.Parallel()
	book := bookOf(t, 6)
	for _, moves := range []string{"443521", "112233", "777666", "444444", "123456"} {
		mirrored := make([]byte, 0, len(moves))
		for _, c := range []byte(moves) {
			mirrored = append(mirrored, '1'+'7'-c)
		}
		score, ok := book.Score(position(t, moves))
		require.True(t, ok)
		same, ok := book.Score(position(t, string(mirrored)))
		require.True(t, ok)
		assert.Equal(t, score, same, moves)
	}
}

func TestABookDoesNotKnowOtherPliesAndFinishedGames(t *testing.T) {
	t.Parallel()
	book := bookOf(t, 7)
	for _, moves := range []string{"", "444444", "44444411", "1212121"} {
		_, ok := book.Score(position(t, moves))
		assert.False(t, ok, moves)
	}
	_, ok := book.ScoreKey(0)
	assert.False(t, ok)
}

func TestASearchEndsAtTheBook(t *testing.T) {
	t.Parallel()
	s := solver.New(solver.Options{EarlyTableBits: 16, Book: bookOf(t, 7)})
	for ply := range 7 {
		keys, scores := readReference(t, ply)
		for i, key := range keys {
			r, err := s.SolveKey(context.Background(), key)
			require.NoError(t, err)
			require.True(t, r.Exact())
			require.Equal(t, scores[i], r.Lower, "ply %d, position %013x", ply, uint64(key))
		}
	}
	scores, err := s.Analyze(context.Background(), board.Position{})
	require.NoError(t, err)
	var got []int
	for _, c := range scores {
		require.True(t, c.Exact())
		got = append(got, c.Lower)
	}
	assert.Equal(t, []int{-2, -1, 0, 1, 0, -1, -2}, got, "the columns of the empty board")
}

func TestABookRefusesScoresThatCannotBeRight(t *testing.T) {
	t.Parallel()
	keys, scores := readReference(t, 6)
	for i, score := range scores {
		if score == 18 { // a win with the fourth disc, plain to see
			scores[i] = 3
			break
		}
	}
	_, err := solver.PackBook(6, keys, scores)
	require.ErrorIs(t, err, solver.ErrBadBook)
	_, err = solver.PackBook(6, keys, scores[1:])
	require.ErrorIs(t, err, solver.ErrBadBook)
}

func TestADamagedBookIsRefused(t *testing.T) {
	t.Parallel()
	keys, scores := readReference(t, 4)
	packed, err := solver.PackBook(4, keys, scores)
	require.NoError(t, err)
	for name, data := range map[string][]byte{
		"nothing":      nil,
		"half":         packed[:len(packed)/2],
		"other magic":  append([]byte("x"), packed[1:]...),
		"other ply":    append(append([]byte{}, packed[:11]...), append([]byte{99}, packed[12:]...)...),
		"wrong ply":    append(append([]byte{}, packed[:11]...), append([]byte{5}, packed[12:]...)...),
		"bad checksum": append(append([]byte{}, packed[:16]...), append([]byte{^packed[16]}, packed[17:]...)...),
	} {
		_, err := solver.ParseBook(data)
		require.ErrorIs(t, err, solver.ErrBadBook, name)
	}
}

func BenchmarkParseBook(b *testing.B) {
	for _, ply := range []int{8, 10} {
		b.Run(fmt.Sprintf("ply %d", ply), func(b *testing.B) {
			packed := plausibleBook(b, ply)
			for b.Loop() {
				_, err := solver.ParseBook(packed)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(len(packed)), "bytes")
		})
	}
}

func BenchmarkBookScore(b *testing.B) {
	book, err := solver.ParseBook(plausibleBook(b, 10))
	require.NoError(b, err)
	p, err := board.Parse("4412344125")
	require.NoError(b, err)
	for b.Loop() {
		book.Score(p)
	}
}

// plausibleBook packs a book of the right size whose scores are right where that is plain to see and look
// about as even as right ones elsewhere.
func plausibleBook(b *testing.B, ply int) []byte {
	b.Helper()
	keys := solver.Keys(ply)
	scores := make([]int, len(keys))
	s := solver.New(solver.Options{EarlyTableBits: 4})
	ctx := solver.WithNodeLimit(context.Background(), 0)
	for i, key := range keys {
		r, err := s.SolveKey(ctx, key)
		if scores[i] = r.Lower; err != nil {
			scores[i] = int(uint64(key)*0x9E3779B97F4A7C15>>60) - 8
		}
	}
	packed, err := solver.PackBook(ply, keys, scores)
	require.NoError(b, err)
	return packed
}
