package store_test

import (
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/sampling"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// written counts the lines of a log.
type written struct{ atomic.Int64 }

// Write counts a line.
func (w *written) Write(line []byte) (int, error) {
	w.Add(1)
	return len(line), nil
}

func (conformance) TestTablesThatCannotBeReadAreNotCountedAndTheLogDoesNotGrowWithThem(t *testing.T, db *testkit.Database) {
	host := guest(t, db, "Ola")
	opened(t, db, newTable(t, db, host, table.Public))
	for _, document := range []string{"no JSON", "{", "[]", "null", ""} {
		broken := opened(t, db, newTable(t, db, guest(t, db, "Иван"), table.Public))
		_, err := db.SQL(t).ExecContext(t.Context(), "UPDATE tables SET settings = $1 WHERE id = $2", document, string(broken.ID))
		require.NoError(t, err)
	}
	var said written
	s := db.Open(t, func(o *store.Options) { o.Logger = slog.New(sampling.New(slog.NewTextHandler(&said, nil))) })
	for range 50 {
		kept, err := s.OpenTables(t.Context(), houserule.CPUCover)
		require.NoError(t, err)
		assert.Equal(t, []houserule.Kept{{Option: "on", Tables: 1}}, kept)
	}
	assert.Positive(t, said.Load())
	assert.Less(t, said.Load(), int64(50), "of 250 tables that were passed over")
}
