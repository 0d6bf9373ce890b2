package store_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestTablesThatCannotBeReadAreNotCountedAndSaidOnceAMinute(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		host := guest(t, db, "Ola")
		opened(t, db, newTable(t, db, host, table.Public))
		for _, document := range []string{"no JSON", "{", "[]", "null", ""} {
			broken := opened(t, db, newTable(t, db, guest(t, db, "Иван"), table.Public))
			_, err := db.SQL(t).ExecContext(t.Context(), "UPDATE tables SET settings = $1 WHERE id = $2", document, string(broken.ID))
			require.NoError(t, err)
		}
		var log bytes.Buffer
		s := db.Open(t, func(o *store.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		for minutes := range 3 {
			for range 2 {
				kept, err := s.OpenTables(t.Context(), houserule.CPUCover)
				require.NoError(t, err)
				assert.Equal(t, []houserule.Kept{{Option: "on", Tables: 1}}, kept)
			}
			assert.Equal(t, minutes+1, strings.Count(log.String(), "level=ERROR"), log.String())
			db.Clock.Advance(time.Minute)
		}
	})
}
