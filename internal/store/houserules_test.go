package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestANewDatabaseHasTheStandardRules(t *testing.T, db *testkit.Database) {
	require.NoError(t, db.Store.AddRules(t.Context(), houserule.Standard().Rules(), db.Clock.Now()))
	kept, err := db.Store.HouseRules(t.Context())
	require.NoError(t, err)
	require.Len(t, kept, len(houserule.Standard().Rules()))
	restored, standard := houserule.Restore(kept).Rules(), houserule.Standard().Rules()
	for i, rule := range restored {
		assert.False(t, rule.Updated.IsZero())
		rule.Updated = standard[i].Updated
		assert.Equal(t, standard[i], rule)
	}
}

func (conformance) TestRulesThatAreMissingAreAddedAndTheRestStays(t *testing.T, db *testkit.Database) {
	around := db.SQL(t)
	exec(t, around, "DELETE FROM house_rules WHERE rule IN ('cpu_cover', 'cover_level')")
	exec(t, around, "UPDATE house_rules SET version = 3, default_option = 'loss', options = 'loss' WHERE rule = 'on_timeout'")
	exec(t, around, `INSERT INTO house_rules (rule, default_option, options, changeable, version, created, updated)
VALUES ('gravity', 'up', 'down,up', true, 1, 1, 1)`)
	before := rulesByKey(t, db)

	for range 2 {
		require.NoError(t, db.Store.AddRules(t.Context(), houserule.Standard().Rules(), db.Clock.Now()))
		after := rulesByKey(t, db)
		for _, key := range []houserule.Key{houserule.CPUCover, houserule.CoverLevel} {
			standard, err := houserule.Standard().Rule(key)
			require.NoError(t, err)
			standard.Updated = db.Clock.Now()
			assert.Equal(t, standard, after[key])
			delete(after, key)
		}
		assert.Equal(t, before, after)
	}
	assert.Equal(t, []string{houserule.Loss}, before[houserule.OnTimeout].Options, "a new option is not on offer")
	assert.Contains(t, before[houserule.OnTimeout].Known(), houserule.CPUMove, "and it is known")
}

func rulesByKey(t *testing.T, db *testkit.Database) map[houserule.Key]houserule.Rule {
	t.Helper()
	kept, err := db.Store.HouseRules(t.Context())
	require.NoError(t, err)
	rules := make(map[houserule.Key]houserule.Rule, len(kept))
	for _, rule := range kept {
		rules[rule.Key] = rule
	}
	return rules
}

// What a hand might write by mistake, the database refuses.
func (conformance) TestDatabaseRefusesRulesThatCannotBe(t *testing.T, db *testkit.Database) {
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
}
