package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestANewDatabaseHasTheStandardRules(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		kept, err := db.Store.HouseRules(t.Context())
		require.NoError(t, err)
		require.Len(t, kept, 8)
		restored, standard := houserule.Restore(kept).Rules(), houserule.Standard().Rules()
		for i, rule := range restored {
			assert.False(t, rule.Updated.IsZero())
			rule.Updated = standard[i].Updated
			assert.Equal(t, standard[i], rule)
		}
	})
}
