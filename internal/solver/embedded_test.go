package solver_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// bookPly is the ply that the embedded book has reached at least.
const bookPly = 10

// embedded is the book in the binary, which there must be.
func embedded(tb testing.TB) *solver.Book {
	tb.Helper()
	book, err := solver.EmbeddedBook()
	require.NoError(tb, err)
	require.NotNil(tb, book, "there is a book")
	require.GreaterOrEqual(tb, book.Ply(), bookPly)
	return book
}

func TestTheEmbeddedBookKnowsEveryPositionOfItsPly(t *testing.T) {
	t.Parallel()
	book := embedded(t)
	assert.LessOrEqual(t, book.Ply(), solver.MaxBookPly)
	for _, p := range bookPositions(t) {
		_, known := book.Score(p)
		require.True(t, known, "%v", p.Picture())
	}
}

// packedBook is the embedded book as it lies in the binary.
func packedBook(tb testing.TB) []byte {
	tb.Helper()
	packed, err := os.ReadFile(fmt.Sprintf("bookdata/ply%d.book", embedded(tb).Ply()))
	require.NoError(tb, err)
	return packed
}

// bookPositions are random positions of the embedded book's ply.
func bookPositions(tb testing.TB) []board.Position {
	tb.Helper()
	random := rand.New(rand.NewPCG(10, 10))
	positions := make([]board.Position, 0, 10_000)
	for len(positions) < cap(positions) {
		var p board.Position
		for p.Ply() < embedded(tb).Ply() && !p.Over() {
			legal := p.LegalColumns()
			p, _ = p.Play(legal[random.IntN(len(legal))])
		}
		if !p.Over() {
			positions = append(positions, p)
		}
	}
	return positions
}

func BenchmarkEmbeddedBookLoads(b *testing.B) {
	packed := packedBook(b)
	for b.Loop() {
		_, err := solver.ParseBook(packed)
		require.NoError(b, err)
	}
	b.ReportMetric(float64(len(packed)), "bytes")
}

func BenchmarkEmbeddedBookLooksUp(b *testing.B) {
	book, positions := embedded(b), bookPositions(b)
	i := 0
	for b.Loop() {
		book.Score(positions[i])
		i = (i + 1) % len(positions)
	}
}
