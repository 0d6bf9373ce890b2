package store_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

var writeSchema = flag.Bool("write-schema", false, "write the lists of package migrations anew")

func TestTheListedSchemaIsWhatMigrationsMake(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		path := "../../migrations/schema/postgres.txt"
		if isSQLite(db) {
			path = "../../migrations/schema/sqlite.txt"
		}
		made := strings.Join(store.SchemaOf(t, db.Store), "\n") + "\n"
		if *writeSchema {
			require.NoError(t, os.WriteFile(path, []byte(made), 0o600))
		}
		listed, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, made, string(listed), "go test ./internal/store -run TestTheListedSchema -write-schema writes it anew")
	})
}

func TestVerifyNamesWhatTheSchemaLacks(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		around := db.SQL(t)
		require.Empty(t, damageOf(t, db))
		exec(t, around, "CREATE TABLE letters (id INTEGER)")
		exec(t, around, "CREATE INDEX games_letters ON games (status)")
		require.Empty(t, damageOf(t, db), "what somebody has added is theirs")

		exec(t, around, "DROP TABLE analyses")
		exec(t, around, "DROP INDEX games_asleep")
		damage := strings.Join(damageOf(t, db), "\n")
		assert.Contains(t, damage, "there is no table analyses")
		assert.Contains(t, damage, "there is no column analyses.game_id")
		assert.Contains(t, damage, "there is no index games_asleep")
	})
}

func damageOf(t *testing.T, db *testkit.Database) (damage []string) {
	t.Helper()
	require.NoError(t, db.Store.Snapshot(t.Context(), func(all service.Snapshot) (err error) {
		damage, err = all.Damage(t.Context())
		return err
	}))
	return damage
}
