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

// What a hand might write by mistake, the database refuses.
func TestDatabaseRefusesRulesThatCannotBe(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		require.NoError(t, db.Store.AddAdmin(t.Context(), newAdmin(t, db)))
		around := db.SQL(t)
		for means, statement := range map[string]string{
			"a default that is not on offer":      "UPDATE house_rules SET default_option = '90' WHERE rule = 'move_time_limit_seconds'",
			"a default that is part of an option": "UPDATE house_rules SET default_option = '3' WHERE rule = 'move_time_limit_seconds'",
			"a rule without options":              "UPDATE house_rules SET options = '', default_option = '' WHERE rule = 'cpu_cover'",
			"a rule before its first version":     "UPDATE house_rules SET version = 0 WHERE rule = 'cpu_cover'",
			"a first version that was edited":     "UPDATE house_rules SET updated = updated + 1 WHERE rule = 'cpu_cover'",
			"two rules of one name":               "UPDATE house_rules SET rule = 'cpu_cover' WHERE rule = 'cover_level'",
			"two tokens of one name":              "INSERT INTO admin_tokens (id, name, token_hash, created) SELECT '" + newID(t) + "', name, token_hash, 1 FROM admin_tokens",
			"a token without a name":              "UPDATE admin_tokens SET name = ''",
			"a token that is kept cut short":      "UPDATE admin_tokens SET token_hash = substr(token_hash, 1, 31)",
		} {
			_, err := around.ExecContext(t.Context(), statement)
			require.Error(t, err, means)
		}
	})
}
