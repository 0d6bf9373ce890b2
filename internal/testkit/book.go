package testkit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// Book is the opening book that the binary carries, so that tests know perfect play from the first disc on.
func Book(tb testing.TB) *solver.Book {
	tb.Helper()
	book, err := solver.EmbeddedBook()
	require.NoError(tb, err)
	require.NotNil(tb, book, "there is a book")
	return book
}
